"""The properties of definitions, and their reader for one JSON object.

`specs/definition.schema.json` lists the properties in their canonical order. Beside their JSON Schema it has

    x-change      the rule about a change of a property that has no part in the bytes of released versions (8.7)
    x-types       the types of fields with it; any, if absent
    x-tagged      false if fields with a tag cannot have it
    x-top-level   false if the fields of the message itself cannot have it

The reader coerces as upstream's does (rules 8.1 and 8.3). Numbers and booleans stand for texts, texts for booleans and
numbers, one value for an array of one, and null for an absent value. It notes unreadable values, and continues.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reference.definitions.errors import Place, Problem
from reference.definitions.json_flavour import BLANKS, Number, Tree
from reference.definitions.model import HIGHEST_VERSION, INTEGER_RANGES, NO_VERSIONS, SCHEMA, VersionRange

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_WRONG_KIND = ("definition.property-type", "8.3")
_BOOLEANS = {
    **dict.fromkeys(("true", "True", "TRUE", "1"), True),
    **dict.fromkeys(("false", "False", "FALSE", "0"), False),
}


@dataclass(frozen=True)
class Property:
    """A property of a message, a common struct or a field, see above."""

    name: str
    form: str
    """The name of its form among the `$defs` of the JSON Schema; empty if it has one of its own."""
    required: bool
    change: str = ""
    types: Sequence[str] = ()
    tagged: bool = True
    top_level: bool = True

    @cached_property
    def attribute(self) -> str:
        """The name of its attribute in the classes of `reference.definitions.model`."""
        return "kind" if self.form == "kind" else re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", self.name)

    def fits(self, type_name: str, *, tagged: bool = False, top_level: bool = False) -> bool:
        """Return whether a field of a type can have the property."""
        can_be_there = (self.tagged or not tagged) and (self.top_level or not top_level)
        return can_be_there and (not self.types or type_name in self.types)


def _properties(schema: dict[str, Any]) -> dict[str, Property]:
    return {
        name: _property(name, row, required=name in schema["required"]) for name, row in schema["properties"].items()
    }


def _property(name: str, row: Mapping[str, Any], *, required: bool) -> Property:
    facts = {key.removeprefix("x-").replace("-", "_"): value for key, value in row.items() if key.startswith("x-")}
    return Property(name, row.get("$ref", "").rpartition("/")[2], required=required, **facts)


OF_MESSAGES = _properties(SCHEMA)
OF_STRUCTS = _properties(SCHEMA["$defs"]["struct"])
OF_FIELDS = _properties(SCHEMA["$defs"]["field"])
FLAGS = tuple(each for each in OF_FIELDS.values() if each.form == "flag")
"""The properties of fields with the values true and absent."""


def _known(properties: Mapping[str, Property], *unkept: str) -> tuple[str, ...]:
    *names, last = properties
    return (*names, *unkept, last)


MESSAGE_PROPERTIES = _known(OF_MESSAGES)
STRUCT_PROPERTIES = _known(OF_STRUCTS, "deprecatedVersions")
FIELD_PROPERTIES = _known(OF_FIELDS, "about")
VERSION_PROPERTIES = tuple(name for name in OF_FIELDS if name.lower().endswith("versions"))


class Properties:
    """One JSON object of a definition, as a message, a struct or a field.

    Args:
        values: the object.
        place: its place in the definition.
        problems: the list for problems of unreadable values.
    """

    def __init__(self, values: dict[str, Tree], place: Place, problems: list[Problem]) -> None:
        self._values = values
        self._problems = problems
        name = values.get("name")
        self.place = Place(place.steps, name if isinstance(name, str) else "")

    def problem(self, rule: str, number: str, what: str, advice: str, *steps: str) -> None:
        """Note a problem of this object, or of a place below it by these steps."""
        place = self.place.at(*steps, name=self.place.name)
        self._problems.append(Problem(rule, number, place, what, advice))

    def refuse_all_but(self, known: tuple[str, ...]) -> None:
        """Note every property with an unknown name, and do not read it."""
        for name in [name for name in self._values if name not in known]:
            self.problem(
                "definition.known-properties",
                "6.16",
                f"{name!r} is not a property that a definition can have here",
                f"remove it; the properties known here are {', '.join(known)}",
                name,
            )
        self._values = {name: value for name, value in self._values.items() if name in known}

    def value(self, name: str) -> Tree:
        """Return the value of a property as it is, or None if it is absent."""
        return self._values.get(name)

    def text(self, name: str) -> str | None:
        """Return a text, a number as it is written, or None if it is absent."""
        value = self._values.get(name)
        if isinstance(value, bool):
            return "true" if value else "false"
        if value is None or isinstance(value, str):
            return None if value is None else str(value)
        self._wrong_kind(name, "a text")
        return None

    def flag(self, name: str) -> bool:
        """Return a boolean, or False if it is absent."""
        value = self._values.get(name)
        if value is None or isinstance(value, bool):
            return bool(value)
        if isinstance(value, str) and value.strip(BLANKS) in _BOOLEANS:
            return _BOOLEANS[value.strip(BLANKS)]
        self._wrong_kind(name, "true or false")
        return False

    def integer(
        self, name: str, rule: tuple[str, str] = _WRONG_KIND, within: tuple[int, int] = INTEGER_RANGES["int32"]
    ) -> int | None:
        """Return a whole number within a range, or None if it is absent."""
        value = self._values.get(name)
        if value is None:
            return None
        lowest, highest = within
        if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]{1,18}(\.0+)?", value.strip(BLANKS)):
            number = int(value.strip(BLANKS).partition(".")[0])
            if lowest <= number <= highest:
                return number
        what = f"{name} is a whole number between {lowest} and {highest}, not {_shown(value)}"
        self.problem(*rule, what, "write such a number", name)
        return None

    def texts(self, name: str) -> tuple[str, ...]:
        """Return an array of texts, of one if the value is a text."""
        items = self._items(name)
        if all(isinstance(item, str) and not isinstance(item, Number) for item in items):
            return tuple(str(item) for item in items)
        self._wrong_kind(name, "an array of texts")
        return ()

    def objects(self, name: str) -> Iterator[Properties]:
        """Yield the objects of an array, or one if the value is an object."""
        for index, item in enumerate(self._items(name)):
            place = self.place.at(name, index)
            if isinstance(item, dict):
                yield Properties(item, place, self._problems)
            else:
                what = f"an object is wanted here, not {_shown(item)}"
                self._problems.append(Problem(*_WRONG_KIND, place, what, "write its properties in braces"))

    def _items(self, name: str) -> list[Tree]:
        value = self._values.get(name)
        if value is None:
            return []
        return value if isinstance(value, list) else [value]

    def versions(self, name: str) -> VersionRange | None:
        """Return a range of versions, or None for an absent one or for blanks (rules 6.1 to 6.4)."""
        text = (self.text(name) or "").strip(BLANKS)
        return None if text == "" else self.range_of(text, name) or NO_VERSIONS

    def range_of(self, text: str, *steps: str) -> VersionRange | None:
        """Return the versions of a text, or None with a problem at the place below by these steps if it is no range."""
        text = text.strip(BLANKS)
        if text == "none":
            return NO_VERSIONS
        bounds = version_bounds(text)
        if bounds is not None and min(bounds) >= 0:
            return NO_VERSIONS if bounds[0] > bounds[1] else VersionRange(*bounds)
        rule = ("definition.versions-syntax", "6.1") if bounds is None else ("definition.versions-not-negative", "6.3")
        advice = f"write none, 3, 3+ or 3-5, with numbers from 0 to {HIGHEST_VERSION}"
        self.problem(*rule, f"{text!r} is not a range of versions", advice, *steps)
        return None

    def _wrong_kind(self, name: str, expected: str) -> None:
        what = f"{name} is {expected}, not {_shown(self._values[name])}"
        self.problem(*_WRONG_KIND, what, f"write {expected}", name)


_VERSIONS = re.compile(r"(?P<lowest>[+-]?[0-9]{1,9})(?:(?P<open>\+)|-(?P<highest>[+-]?[0-9]{1,9}))?")


def version_bounds(text: str) -> tuple[int, int] | None:
    """Return the lowest and the highest version of a range as written, or None for `none` and other texts."""
    found = _VERSIONS.fullmatch(text)
    if found is None:
        return None
    lowest = int(found["lowest"])
    highest = HIGHEST_VERSION if found["open"] else int(found["highest"] or lowest)
    return None if max(lowest, highest) > HIGHEST_VERSION else (lowest, highest)


def _shown(tree: Tree) -> str:
    if isinstance(tree, list | dict):
        return "an array" if isinstance(tree, list) else "an object"
    if tree is None or isinstance(tree, bool):
        return "null" if tree is None else str(tree).lower()
    return str(tree) if isinstance(tree, Number) else repr(tree)
