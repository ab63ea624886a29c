"""The error of all readers of inputs."""

from __future__ import annotations

from reference.errors import ConformanceError


class BadInput(ConformanceError):
    """An input that cannot be read.

    Attributes:
        source: the name of the file or of another input.
        problem: the fault, and advice if there is some; without a full stop.
        line: the line, from 1; 0 if the parser does not know it.
        path: the place in the document, as `$.a[3].b`; empty if it is not known.
    """

    def __init__(self, source: str, problem: str, *, line: int = 0, path: str = "") -> None:
        super().__init__(source, problem, line, path)
        self.source = source
        self.problem = problem
        self.line = line
        self.path = path

    @property
    def within(self) -> str:
        """The line, path and problem, for errors with a source of their own."""
        place = ", ".join(filter(None, (f"line {self.line}" if self.line else "", self.path)))
        return f"{place}: {self.problem}" if place else self.problem

    def __str__(self) -> str:
        return f"{self.source}{', ' if self.line or self.path else ': '}{self.within}"
