"""The steps of the sound codec for bytes or a value, beyond which no fault makes a difference.

A step is a pair of its place and a context. An empty context stands for all.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fnmatch import filter as matching
from functools import cache
from typing import Any

from tests.mutants.single_faults.fault import Fault
from tests.mutants.single_faults.records.steps import Value
from tests.second_codec.records import read_field, write_field
from tests.second_codec.steps import Input, Output
from tests.second_codec.ways import BETWEEN, AnyWay, Misstep, NotTaken

Steps = frozenset[tuple[str, str]]


@dataclass(frozen=True)
class Recording(Misstep):
    """A sound codec's misstep, and a record of its steps."""

    asked: set[str] = field(default_factory=set)

    def at(self, place: str, sound: AnyWay) -> AnyWay:
        self.asked.add(place)
        return sound

    def has(self, place: str) -> bool:
        self.asked.add(place)
        return False

    def touches(self, _place: str) -> bool:
        return True


@cache
def steps_of_reading(wire: bytes) -> Steps:
    """Return the steps of the sound codec in reading bytes, up to the one that refuses them."""
    return _steps(lambda misstep: read_field(Input(wire, misstep)))


def steps_of_writing(value: Value) -> Steps:
    """Return the steps of the sound codec in writing a value, up to the one that refuses it."""
    return _steps(lambda misstep: write_field(Output(misstep), value))


def does(steps: Steps, step: Fault) -> bool:
    """Return whether a step is among others, always true for the sound codec without a place."""
    place = step.misstep.place
    if "*" in place:
        return any((name, step.context) in steps for name in matching({name for name, _ in steps}, place))
    return not place or (place, step.context) in steps


def _steps(function: Callable[[Misstep], Any]) -> Steps:
    misstep = Recording()
    with suppress(NotTaken, ArithmeticError, LookupError, TypeError, ValueError):
        function(misstep)
    asked = [place.split(BETWEEN) for place in misstep.asked]
    return frozenset((name, context) for name, *contexts in asked for context in ("", *contexts))
