"""What holds of all tests of this project: Hypothesis draws the same examples every time, and keeps none of them."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("the same every time", derandomize=True, database=None, deadline=None)
settings.load_profile("the same every time")
