"""The switch that each step of the codec asks: which step is done in another way, and in which context.

>>> switch = Switch(Step("number", "record.offset-delta", "cut-at-14", "read", "second-record"))
>>> switch.at("record.offset-delta")
''
>>> switch.here.add("second-record")
>>> switch.at("record.offset-delta")
'cut-at-14'
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

READ, WRITE = "read", "write"


class Refused(Exception):  # it is an answer, not an error
    """Bytes that the codec does not read, or a value that it does not write."""


@dataclass(frozen=True)
class Step:
    """A step, and how it is done instead of as the book says."""

    kind: str
    place: str
    deviation: str
    side: str
    context: str = ""
    """Where it is done so, as `second-batch`; empty: everywhere."""
    legal: bool = False

    @property
    def name(self) -> str:
        """Return what the fault is known by."""
        return "/".join(filter(None, (self.kind, self.side, self.place, self.deviation, self.context)))

    @property
    def about(self) -> str:
        """Return a sentence."""
        where = f" in the context {self.context}" if self.context else ""
        return f"{self.place}: {self.deviation.replace('-', ' ')}{where}"


SOUND = Step("", "", "", "")


class Switch:
    """The one step that is done in another way, and the contexts in which the codec stands."""

    def __init__(self, step: Step = SOUND) -> None:
        self.step = step
        self.here: set[str] = set()

    def at(self, place: str) -> str:
        """Return how this step is done; empty if it is done as the book says."""
        step = self.step
        if place != step.place or (step.context and step.context not in self.here):
            return ""
        return step.deviation

    @contextmanager
    def within(self, *contexts: str) -> Iterator[None]:
        """Stand in these contexts, too."""
        before = set(self.here)
        self.here.update(contexts)
        yield
        self.here = before
