"""The errors about an unusable definition, with the place, the broken rule and advice.

The text of such an error has all of them:

    MyRequest.json, line 7, column 12: the tag -1 is negative
      in:   fields[0] (Name)
      rule: definition.tag-not-negative (6.37)
      try:  number the tags of a struct 0, 1, 2 and so on
"""

from __future__ import annotations

from dataclasses import dataclass

from reference.errors import ConformanceError


class DefinitionError(ConformanceError):
    """The base of the errors about definitions and releases."""


class BadDefault(DefinitionError):
    """A text of a default that does not fit its field's type (section 4.1)."""


@dataclass(frozen=True)
class Place:
    """A place in a definition, as the steps from the top and the name found there.

    >>> str(Place(("fields", 2, "fields", 0), "TopicName"))
    'fields[2].fields[0] (TopicName)'
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
        """Return the place further down by these steps."""
        return Place((*self.steps, *steps), name)


TOP = Place()
"""The definition itself."""


@dataclass(frozen=True)
class Problem:
    """One broken rule of a definition, in one place."""

    rule: str
    """The rule's id, as `definition.tags-contiguous`."""
    number: str
    """The number of the statement in specs/protocol, as `6.24`."""
    place: Place
    what: str
    """The fault, in one sentence without a full stop."""
    advice: str
    """The advice, in one sentence without a full stop."""


@dataclass(frozen=True)
class Position:
    """A place in a text, as line and column from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


class BrokenDefinition(DefinitionError):
    """A definition that breaks a rule.

    Attributes:
        source: the name of the file, or of another origin of the text.
        problem: the rule, the place, the fault and the advice.
        position: the line and column, if the text is known.
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
