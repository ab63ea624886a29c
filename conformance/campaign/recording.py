"""A session that keeps the calls of the current case, with their times, and survives a writer that ends its process.

A Python codec writes in the process of the session. If that ends, the part is run again, and the fatal call is answered
in its place: the journal says which call it was.
"""

from __future__ import annotations

import os
import struct
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.implementation.outcome import Kind, Outcome
from conformance.implementation.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.implementation.targets import Target

_STATE = struct.Struct("!??ii")
MILLISECONDS = 1000
ENDED_PROCESS = "writing it ended the process"


class Place(NamedTuple):
    """A case of a part, by the number of its block and its own number in it."""

    block: int
    case: int


BEFORE_ALL = Place(0, 0)


class State(NamedTuple):
    """What a part is doing: whether it is in a call of a writer, and at which case."""

    is_writing: bool
    place: Place


class Journal:
    """The state of a part, in a file that outlives its process."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def note(self, place: Place, *, is_writing: bool) -> None:
        """Write the state down."""
        os.pwrite(self.descriptor, _STATE.pack(True, is_writing, *place), 0)  # noqa: FBT003  # there is a state

    def read(self) -> State | None:
        """Return the last state; None if nothing was ever written."""
        content = os.pread(self.descriptor, _STATE.size, 0)
        if len(content) < _STATE.size:
            return None
        _, is_writing, block, case = _STATE.unpack(content)
        return State(is_writing, Place(block, case))


class Call(NamedTuple):
    """One call of the implementation."""

    direction: str
    outcome: Outcome
    milliseconds: float


@dataclass
class Progress:
    """Where a part is, and what the current case has called; the first call of a direction is the case's own."""

    journal: Journal
    fatal: Mapping[Place, str]
    """Cases whose writing ended the process: their outcome."""
    place: Place = BEFORE_ALL
    calls: list[Call] = field(default_factory=list)

    def begin(self, place: Place) -> None:
        """Go on to a case."""
        self.place = place
        self.calls.clear()


@dataclass(frozen=True)
class RecordingSession(Session):
    """A session whose calls are kept in `progress`."""

    progress: Progress = field(kw_only=True)

    def encode(self, target: Target, content: Any) -> Outcome:
        """Have the implementation write a content, with a note before and after."""
        progress = self.progress
        if progress.place in progress.fatal:
            outcome = Outcome(Kind(progress.fatal[progress.place]), text=ENDED_PROCESS)
            progress.calls.append(Call("encode", outcome, 0.0))
            return outcome
        in_process = not self.implementation.is_over_bridge
        if in_process:
            progress.journal.note(progress.place, is_writing=True)
        start = time.perf_counter()
        outcome = super().encode(target, content)
        progress.calls.append(Call("encode", outcome, MILLISECONDS * (time.perf_counter() - start)))
        if in_process:
            progress.journal.note(progress.place, is_writing=False)
        return outcome

    def decode(self, target: Target, wire: bytes) -> Outcome:
        """Have the implementation read valid bytes."""
        start = time.perf_counter()
        outcome = super().decode(target, wire)
        self.progress.calls.append(Call("decode", outcome, MILLISECONDS * (time.perf_counter() - start)))
        return outcome
