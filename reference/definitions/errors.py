"""What is said about a definition that cannot be used: where it breaks which rule, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass

from reference.errors import ConformanceError


class DefinitionError(ConformanceError):
    """The base of the errors about definitions and releases."""


class BadDefault(DefinitionError):
    """The text of a default that does not fit its field's type (section 4.1)."""


@dataclass(frozen=True)
class Place:
    """Where in a definition something is: the steps from the top, and the name of what is found there.

    `str(Place(("fields", 2, "fields", 0), "TopicName"))` is `fields[2].fields[0] (TopicName)`.
    """

    steps: tuple[str | int, ...] = ()
    name: str = ""

    def __str__(self) -> str:
        path = ""
        for step in self.steps:
            path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else step
        name = f"({self.name})" if self.name else ""
        return " ".join(part for part in (path, name) if part) or "the definition as a whole"

    def at(self, *steps: str | int, name: str = "") -> Place:
        """The place that is those steps further down."""
        return Place((*self.steps, *steps), name)


TOP = Place()
"""The definition itself."""


@dataclass(frozen=True)
class Problem:
    """One rule that a definition breaks, in one place."""

    rule: str
    """The rule's id, as `definition.tags-contiguous`."""
    number: str
    """The number of the statement in specs/protocol, as `6.24`."""
    place: Place
    what: str
    """What is wrong, in one sentence without a full stop."""
    advice: str
    """What to do about it, in one sentence without a full stop."""


@dataclass(frozen=True)
class Position:
    """A place in a text; both numbers count from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


class BrokenDefinition(DefinitionError):
    """A definition that breaks a rule.

    Attributes:
        source: the name of the file, or whatever the definition was read from.
        problem: the rule, the place, what is wrong there, and what to do.
        position: the line and column, where the text is known.
    """

    def __init__(self, source: str, problem: Problem, position: Position | None = None) -> None:
        super().__init__(source, problem, position)
        self.source = source
        self.problem = problem
        self.position = position

    def __str__(self) -> str:
        where = self.source if self.position is None else f"{self.source}, {self.position}"
        return (
            f"{where}: {self.problem.what}\n"
            f"  in:   {self.problem.place}\n"
            f"  rule: {self.problem.rule} ({self.problem.number})\n"
            f"  try:  {self.problem.advice}"
        )
