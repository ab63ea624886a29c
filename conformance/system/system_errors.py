"""Errors of the operating system, as texts for users."""

from __future__ import annotations

import os

SHOWN = 200
"""The number of characters of a path in an error. A path may have thousands."""


def text_of(error: OSError) -> str:
    """Return the place and the reason of an error, without its number."""
    reason = error.strerror or str(error)
    if not isinstance(error.filename, str | bytes):
        return reason
    place = os.fsdecode(error.filename)
    return f"{place if len(place) <= SHOWN else place[:SHOWN] + '…'}: {reason}"
