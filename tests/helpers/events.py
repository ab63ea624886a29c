"""What comes of checks, in tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.engine.counting import counted
from conformance.implementation.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.findings.trials import Event
    from conformance.findings.violations import Violation


def found(events: Iterable[Event], tally: Tally | None = None) -> list[Violation]:
    """Return the violations among events; the others are counted."""
    return list(counted(events, tally or Tally()))
