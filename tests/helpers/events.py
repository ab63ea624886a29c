"""The results of checks, in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.judge.engine import counted
from conformance.judge.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.judge.case import Event, Violation


def found(events: Iterable[Event], tally: Tally | None = None) -> list[Violation]:
    """Return the violations among events, and count the others."""
    return list(counted(events, tally or Tally()))
