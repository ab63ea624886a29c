"""How much of a run a report is of: all of it, a selection, or what there was when it ended early.

A report says so in its second line. Less never takes the place of more: it is written beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from conformance.judge.findings.lines import ExtentLine
from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json

if TYPE_CHECKING:
    from pathlib import Path

HEAD = 64 * 1024
"""Bytes of a file in which the second line of a report is looked for."""

PARTIAL = ".partial"
"""The ending of a report that stands beside one of more."""


SOME_MESSAGES = "only some messages were selected"


class Completeness(StrEnum):
    """How a run ended, least first."""

    COLLECTED = "collected"
    """Nothing was run: `--collect-only`."""
    INTERRUPTED = "interrupted"
    """By Ctrl-C, a signal, or an error of its own."""
    STOPPED = "stopped"
    """At the first findings: `-x`, `--maxfail`."""
    SELECTION = "partial"
    """At the end of a selection of messages or tests: `--messages`, `--smoke`, `-k`, `-m`."""
    COMPLETE = "complete"
    """At the end of all deterministic tests, on all that the implementation offers."""


UNFINISHED = frozenset((Completeness.COLLECTED, Completeness.INTERRUPTED, Completeness.STOPPED))
"""Runs that did not come to the end of what was asked for."""


@dataclass(frozen=True)
class Extent:
    """How much of a run a report is of.

    Attributes:
        state: how the run ended.
        why: what was left out, or what ended it; empty if there is nothing to say.
        items: how many tests ran; None: it has none, as a capture.
    """

    state: Completeness = Completeness.COMPLETE
    why: str = ""
    items: int | None = None

    @property
    def is_finished(self) -> bool:
        """Whether the run came to the end of what was asked for."""
        return self.state not in UNFINISHED

    @property
    def is_complete(self) -> bool:
        """Whether it is of all that is deterministic."""
        return self.state is Completeness.COMPLETE

    @property
    def is_whole_for_each_pair(self) -> bool:
        """Whether what was tried of a message and version was tried by all deterministic tests."""
        return self.is_complete or self.why == SOME_MESSAGES

    @property
    def rank(self) -> int:
        """A number that is greater for more; the least where nothing was run of what could have been."""
        is_empty = self.items == 0 and not self.is_complete
        return 0 if is_empty else list(Completeness).index(self.state)

    def line(self) -> ExtentLine:
        """Return the line of a report."""
        return ExtentLine(str(self.state), self.why, self.items)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return f"{self.state}: {self.why}" if self.why else str(self.state)


COMPLETE = Extent()


def extent_of(line: ExtentLine) -> Extent:
    """Return what a line of a report says."""
    return Extent(Completeness(line.state), line.why, line.items)


def extent_in(path: Path) -> Extent | None:
    """Return how much a file is a report of; None if it is none.

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
    """Return what to say of a report that is not at its path, but beside it; empty if it is."""
    return "" if place == path else f"{path} has more than this run, which is {extent}; its report is {place}"


def place_for(path: Path, extent: Extent) -> Path:
    """Return where a report goes: to `path`, or beside it, if that has something which is more.

    An empty file, and a report of as much, are replaced. A complete report replaces whatever is there.
    """
    if extent.is_complete or not path.is_file() or not path.stat().st_size:
        return path
    present = extent_in(path)
    is_more = present is None or present.rank > extent.rank
    return path.with_name(f"{path.name}{PARTIAL}") if is_more else path
