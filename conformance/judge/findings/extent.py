"""The extent of a run in a report.

A report is of all of a run, of a selection, or of the part before an early end, and gives this in its second line. It
never replaces a report of more, but is written beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from conformance.judge.findings.lines import ExtentLine
from conformance.system.whole_files import HEAD
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from pathlib import Path

PARTIAL = ".partial"
"""The ending of a report beside one of more."""


SOME_MESSAGES = "only some messages were selected"


class Completeness(StrEnum):
    """The end of a run, the least complete first."""

    COLLECTED = "collected"
    """Nothing was run: `--collect-only`."""
    INTERRUPTED = "interrupted"
    """Ended by Ctrl-C, a signal, or an error of its own."""
    STOPPED = "stopped"
    """Ended at the first findings: `-x`, `--maxfail`."""
    SELECTION = "partial"
    """Finished with a selection of messages or tests: `--messages`, `--smoke`, `-k`, `-m`."""
    COMPLETE = "complete"
    """Finished with all deterministic tests, on everything offered by the implementation."""


UNFINISHED = frozenset((Completeness.COLLECTED, Completeness.INTERRUPTED, Completeness.STOPPED))
"""Runs that ended before all requested tests were run."""


@dataclass(frozen=True)
class Extent:
    """The extent of a run in a report.

    Attributes:
        state: the end of the run.
        why: the omitted part, or the reason for the end; empty if there is nothing to add.
        items: the number of tests run; None if it has none, as a capture.
    """

    state: Completeness = Completeness.COMPLETE
    why: str = ""
    items: int | None = None

    @property
    def is_finished(self) -> bool:
        """Whether all requested tests were run."""
        return self.state not in UNFINISHED

    @property
    def is_complete(self) -> bool:
        """Whether all deterministic tests were run."""
        return self.state is Completeness.COMPLETE

    @property
    def is_whole_for_each_pair(self) -> bool:
        """Whether each tested pair was tested by all deterministic tests."""
        return self.is_complete or self.why == SOME_MESSAGES

    @property
    def rank(self) -> int:
        """A number that grows with the extent, the least if none of the possible tests was run."""
        is_empty = self.items == 0 and not self.is_complete
        return 0 if is_empty else list(Completeness).index(self.state)

    def line(self) -> ExtentLine:
        """Return the line of a report."""
        return ExtentLine(str(self.state), self.why, self.items)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.state}: {self.why}" if self.why else str(self.state)


COMPLETE = Extent()


def extent_of(line: ExtentLine) -> Extent:
    """Return the extent in a line of a report."""
    return Extent(Completeness(line.state), line.why, line.items)


def extent_in(path: Path) -> Extent | None:
    """Return the extent of the report in a file, or None if it is no report.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        lines = file.read(HEAD).split(b"\n")
    try:
        run, event = (parse_json(line, str(path)) for line in lines[:2])
        return extent_of(msgspec.convert(event, ExtentLine)) if run["event"] == "run" else None
    except (BadInput, ValueError, KeyError, TypeError):
        return None


def beside_text(path: Path, place: Path, extent: Extent) -> str:
    """Return a text on a report beside its path.

    Empty for a report at its path.
    """
    return "" if place == path else f"{path} has more than this run, which is {extent}; its report is {place}"


def place_for(path: Path, extent: Extent) -> Path:
    """Return the path for a report.

    It is `path`, or beside it if that has a report of more. An empty file, and a report of the same extent, are
    replaced. A complete report replaces every report.
    """
    if extent.is_complete or not path.is_file() or not path.stat().st_size:
        return path
    present = extent_in(path)
    is_more = present is None or present.rank > extent.rank
    return path.with_name(f"{path.name}{PARTIAL}") if is_more else path
