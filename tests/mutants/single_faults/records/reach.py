"""The steps that the sound codec does for bytes or a value: done wrong, any other one makes no difference there.

A step is a pair: its place, and a context in which the codec stands then; an empty one stands for all contexts.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from tests.mutants.single_faults.records.changes import Value
from tests.mutants.single_faults.records.reading import read_field
from tests.mutants.single_faults.records.switch import Refused, Step, Switch
from tests.mutants.single_faults.records.writing import write_field

Steps = frozenset[tuple[str, str]]


class _Recording(Switch):
    """A switch that keeps what it is asked, and has nothing done otherwise."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: set[tuple[str, str]] = set()

    def at(self, place: str) -> str:
        self.asked.update((place, context) for context in ("", *self.here))
        return ""


@cache
def steps_of_reading(wire: bytes) -> Steps:
    """Return the steps in which the sound codec reads bytes, up to the one that refuses them."""
    return _steps(read_field, wire)


def steps_of_writing(value: Value) -> Steps:
    """Return the steps in which the sound codec writes a value, up to the one that refuses it."""
    return _steps(write_field, value)


def does(steps: Steps, step: Step) -> bool:
    """Return whether a step is among others; that of the sound codec, which has no place, always is."""
    return not step.place or (step.place, step.context) in steps


def _steps(function: Callable[[Any, Switch], Any], given: Any) -> Steps:
    switch = _Recording()
    with suppress(Refused, ArithmeticError, LookupError, TypeError, ValueError):
        function(given, switch)
    return frozenset(switch.asked)
