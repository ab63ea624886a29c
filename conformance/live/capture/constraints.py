"""Constraints on the values of a message version beyond its definition, by `specs/constraints.toml`.

Codecs accept and write values on both sides of a constraint. Clients and servers keep to it, so their frames are judged
by it.

    constraints_of(load_release("4.4.0").schema("ApiVersionsResponse", 3))   # features do not begin at 0, ...
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.value_paths import fields_at, items_along
from reference.definitions.model import VersionRange
from reference.definitions.properties import version_bounds
from reference.error_codes import error_name
from reference.inputs.toml_text import packaged_toml
from reference.paths import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from reference import FieldSchema, MessageSchema

Condition = tuple[str, Any]
"""The kind of a condition, as in the file, and its bound."""

CONDITIONS: Mapping[str, Callable[[Any, Any, FieldSchema], bool]] = {
    "at-least": lambda bound, value, _: value >= bound,
    "at-most": lambda bound, value, _: value <= bound,
    "among": lambda bound, value, _: value in bound,
    "errors": lambda bound, value, _: error_name(value) not in bound,
    "matches": lambda bound, value, _: re.fullmatch(bound, value) is not None,
    "set": lambda bound, value, field: (value != field.default) is bound,
}

TEXTS: Mapping[str, Callable[[Any], str]] = {
    "at-least": lambda bound: f"at least {bound}",
    "at-most": lambda bound: f"at most {bound}",
    "among": lambda bound: f"one of {', '.join(map(str, bound))}",
    "errors": lambda bound: f"no error {' or '.join(bound)}",
    "matches": lambda bound: f"a text that matches {bound}",
    "set": lambda bound: "another value than the default" if bound else "the default",
}


class LocatedField(NamedTuple):
    """A field in a value, or one element of an array of numbers."""

    path: str
    value: Any
    field: FieldSchema


@dataclass(frozen=True)
class Constraint:
    """A row of the table.

    Attributes:
        rule: the rule in the catalogue broken by a message outside of the constraint.
        path: the field, without indexes.
        condition: on its value.
        where: conditions on neighbouring fields, by name; the row applies only if all of them hold.
        sources: a comment of a definition (`NAME.json`), a KIP, an issue, or a class of Apache Kafka.
    """

    rule: str
    message: str
    versions: VersionRange
    path: str
    condition: Condition
    where: Mapping[str, Condition]
    sources: tuple[str, ...]

    @property
    def asked(self) -> str:
        """The condition, its versions and its sources, in words."""
        texts = [text_of(self.condition), *(f"if {name} is {text_of(each)}" for name, each in self.where.items())]
        return f"{', '.join(texts)}, in v{self.versions} ({', '.join(self.sources)})"

    def broken_in(self, schema: MessageSchema, value: Mapping[str, Any]) -> Iterator[LocatedField]:
        """Yield the fields of a message with values outside of the constraint."""
        *steps, last = self.path.split(".")
        named = {field.name: field for field in fields_at(schema, self.path)[-2].item.fields}
        for place, struct in items_along(value, steps):
            if all(_holds(each, struct[name], named[name]) for name, each in self.where.items()):
                whole = LocatedField(joined(place, last), struct[last], named[last])
                found = _leaves(whole, self.condition)
                yield from (each for each in found if not _holds(self.condition, each.value, each.field))

    def __str__(self) -> str:
        conditions = "".join(f", {name} {kind} {bound}" for name, (kind, bound) in self.where.items())
        return f"{self.message}-v{self.versions} {self.path}{conditions}"


def text_of(condition: Condition) -> str:
    """Return a condition in words."""
    kind, bound = condition
    return TEXTS[kind](bound)


def constraints_of(schema: MessageSchema) -> Sequence[Constraint]:
    """Return the rows about a version of a message."""
    rows = _by_message().get(schema.message, ())
    return [row for row in rows if schema.version in row.versions]


@cache
def constraints() -> tuple[Constraint, ...]:
    """Return all rows, in the order of the file."""
    return tuple(map(_row, packaged_toml("specs", "constraints.toml")["constraint"]))


@cache
def _by_message() -> Mapping[str, Sequence[Constraint]]:
    rows: defaultdict[str, list[Constraint]] = defaultdict(list)
    for row in constraints():
        rows[row.message].append(row)
    return rows


def _row(entry: Mapping[str, Any]) -> Constraint:
    where = {name: _condition(each) for name, each in entry.get("where", {}).items()}
    facts = {name: entry[name] for name in ("rule", "message", "path")}
    versions, sources = versions_of(entry["versions"]), tuple(entry["sources"])
    return Constraint(**facts, versions=versions, condition=_condition(entry), where=where, sources=sources)


def versions_of(text: str) -> VersionRange:
    """Return the versions of a row of a table, or raise ValueError if the text is no range."""
    bounds = version_bounds(text)
    if bounds is None:
        raise ValueError(f"{text!r} is no range of versions; write 3, 0-3 or 3+")
    return VersionRange(*bounds)


def _condition(entry: Mapping[str, Any]) -> Condition:
    [condition] = ((kind, entry[kind]) for kind in CONDITIONS if kind in entry)
    return condition


def _holds(condition: Condition, value: Any, field: FieldSchema) -> bool:
    kind, bound = condition
    return CONDITIONS[kind](bound, value, field)


def _leaves(found: LocatedField, condition: Condition) -> Iterator[LocatedField]:
    """Yield a field, or each element of an array."""
    # The condition `set` is about the array itself.
    if found.field.element is None or condition[0] == "set":
        yield found
        return
    for path, inner in items_along(found.value, (), found.path):
        yield LocatedField(path, inner, found.field.element)
