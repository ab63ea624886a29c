"""What the families of frames, stored messages and wire types share: each fault is a wrong step of a small codec."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from tests.mutants.single_faults.fault import Fault, Seen
from tests.mutants.single_faults.inputs import Made, first_difference
from tests.mutants.single_faults.judging import UNSEEN
from tests.mutants.single_faults.wrong import Wrong

Codec = TypeVar("Codec")
Given = TypeVar("Given")


@dataclass(frozen=True)
class CodecFaults(Generic[Codec, Given]):
    """The faults of small codecs, one of whose steps is wrong."""

    name: str
    wrongs: Callable[[], Iterator[Wrong]]
    """Every wrong step, and every legal one."""
    codec: Callable[[Wrong], Codec]
    """The codec with one of them."""
    sound: Callable[[Wrong], Sequence[tuple[Given, Made]]]
    """Inputs among which a fault is looked for, each with what a sound codec makes of it."""
    made: Callable[[Codec, Wrong, Given], Made]
    """What a codec makes of an input."""
    judged: Callable[[Codec, Wrong], Seen]
    """What the suite and the vectors show of a codec."""
    begins: Callable[[Wrong], str] = lambda _wrong: ""
    """How the name of a fault begins."""

    @cached_property
    def steps(self) -> Mapping[Fault, Wrong]:
        """The wrong step of each fault."""
        return {self._fault(wrong): wrong for wrong in self.wrongs()}

    def _fault(self, wrong: Wrong) -> Fault:
        return Fault(self.name, f"{self.begins(wrong)}{wrong.name}", wrong.side, wrong.about, wrong.legal)

    def faults(self) -> Sequence[Fault]:
        """Return every fault, and the legal variants, those of one place behind one another."""
        return tuple(self.steps)

    def witness(self, fault: Fault) -> Given | None:
        """Return an input of which the codec makes something else than a sound one."""
        wrong = self.steps[fault]
        codec = self.codec(wrong)
        return first_difference(self.sound(wrong), lambda given: self.made(codec, wrong, given), legal=fault.legal)

    def seen(self, fault: Fault) -> Seen:
        """Return what shows a fault; what differs on no input is not tried."""
        if self.witness(fault) is None:
            return UNSEEN
        wrong = self.steps[fault]
        return self.judged(self.codec(wrong), wrong)
