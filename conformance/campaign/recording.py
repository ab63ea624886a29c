"""A session that survives a writer that ends its process.

A Python codec writes in the process of the session. If that ends, the part is run again, and the fatal call is answered
in its place: the journal says which call it was.
"""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.implementation.outcome import Kind, Outcome
from conformance.implementation.session import Session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.implementation.targets import Target

_STATE = struct.Struct("!??ii")
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


@dataclass
class Progress:
    """Where a part is."""

    journal: Journal
    fatal: Mapping[Place, str]
    """Cases whose writing ended the process: their outcome."""
    place: Place = BEFORE_ALL

    def begin_block(self, number: int) -> None:
        """Go on to a block."""
        self.place = Place(number, 0)

    @property
    def ended(self) -> Outcome | None:
        """How the case that the part is at has ended the process; None: it has not."""
        kind = self.fatal.get(self.place)
        return None if kind is None else Outcome(Kind(kind), text=ENDED_PROCESS)


@dataclass(frozen=True)
class RecordingSession(Session):
    """A session that writes down, before a call that may end its process, which case it is for."""

    progress: Progress = field(kw_only=True)

    def begin(self, case: object) -> Outcome | None:
        """Go on to a case, or to what is asked for none."""
        self.progress.place = self.progress.place._replace(case=self.progress.place.case + 1)
        return None if case is None else self.progress.ended

    def encode(self, target: Target, content: Any) -> Outcome:
        """Have the implementation write a content, with a note before and after."""
        progress = self.progress
        ended = progress.ended
        if ended is not None:
            return ended
        if self.implementation.is_over_bridge:
            return super().encode(target, content)
        progress.journal.note(progress.place, is_writing=True)
        outcome = super().encode(target, content)
        progress.journal.note(progress.place, is_writing=False)
        return outcome
