"""Pairs of sound definitions, a drawn one and what became of it by a change or two: `sample_evolved`.

The changes are those that people make, sound or not for the peers of a released version: other types and names, fields
that come, go, move, or go into a struct, other versions, tags, defaults and encodings, and another dialect.
"""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.choices import Choices, SeededChoices, pick
from conformance.generate.definitions.changed import CHANGES
from conformance.generate.definitions.dialects import DIALECTS, KIP_625, in_dialect
from conformance.generate.definitions.fields import DEFAULTS
from conformance.generate.definitions.strategy import Features, Properties, make_definition
from conformance.generate.definitions.versions import any_range, starting
from reference.definitions.model import PRIMITIVES, Definition, VersionRange
from reference.proposals.kip625_encodings import ENCODINGS
from reference.protocols import loader_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FEATURES = Features(given_up=False)
"""A message without versions has no bytes."""

CROSSED_ONE_IN = 8
"""One pair in so many is of two dialects."""

MORE_ONE_IN = 4
"""One pair in so many has a second change."""

GENERAL_ONE_IN = 8
"""One change in so many is any change of a property, most of which break rules."""

ENCODED_ONE_IN = 2
GROWN = {"int16": "int32", "int32": "int64"}
NAME = "Sample.json"


class Evolved(NamedTuple):
    """A definition that changed."""

    old: Definition
    new: Definition


def sample_evolved(seed: str) -> Evolved:
    """Return the pair of definitions of `seed`, always the same; both are sound, and they are not equal."""
    for attempt in count():
        if evolved := _evolved(SeededChoices(f"evolved/{seed}/{attempt}")):
            return evolved
    raise AssertionError  # pragma: no cover  # attempts do not end


def _evolved(choices: Choices) -> Evolved | None:
    before = pick(choices, tuple(DIALECTS))
    after = pick(choices, tuple(DIALECTS)) if choices.below(CROSSED_ONE_IN) == 1 else before
    definition = make_definition(choices, FEATURES)
    if KIP_625 in (before, after):
        for field in list(_fields(definition)):
            _encode(choices, field)
    old = _sound(before, definition)
    if old is None:
        return None
    new = _sound(after, _changed(choices, json.loads(json.dumps(definition))))
    return None if new is None or old == new else Evolved(old, new)


def _sound(dialect: str, definition: Properties) -> Definition | None:
    parsed, problems = loader_of(dialect).read(json.dumps(in_dialect(dialect, definition)), NAME)
    return None if problems else parsed


def _changed(choices: Choices, definition: Properties) -> Properties:
    if choices.below(GENERAL_ONE_IN) == 1:
        return pick(choices, CHANGES)(choices, definition)
    for _ in range(1 + (choices.below(MORE_ONE_IN) == 1)):
        lists = [fields for fields in _lists(definition) if fields]
        fields = pick(choices, lists) if lists else definition.setdefault("fields", [])
        if fields and choices.below(2):
            pick(choices, OF_FIELD)(choices, pick(choices, fields))
        else:
            pick(choices, OF_LIST)(choices, fields)
    return definition


def _lists(part: Properties) -> Iterator[list[Properties]]:
    """Yield every list of fields."""
    for name in ("commonStructs", "fields"):
        if name == "fields" and name in part:
            yield part[name]
        for inner in part.get(name, ()):
            yield from _lists(inner)


def _fields(definition: Properties) -> Iterator[Properties]:
    return (field for fields in _lists(definition) for field in fields)


def _renamed(choices: Choices, field: Properties) -> None:
    field["name"] = f"{pick(choices, ('Other', 'One', 'Field'))}{choices.below(3)}"


def _retyped(choices: Choices, field: Properties) -> None:
    array = "[]" if field["type"].startswith("[]") else ""
    field["type"] = array + pick(choices, PRIMITIVES)
    for name in ("default", "entityType", "encoding", "nullableVersions", "fields"):
        if choices.below(2):
            field.pop(name, None)


def _grown(choices: Choices, field: Properties) -> None:
    """Let an integer grow that keeps its encoding; or bytes become records, which have the same layout, or back."""
    old = field["type"]
    field["type"] = {"bytes": "records", "records": "bytes", **GROWN}.get(old, old)
    if old in GROWN and choices.below(ENCODED_ONE_IN) == 0:
        field.setdefault("encoding", f"fixed{old.removeprefix('int')}")
    if old in GROWN and choices.below(ENCODED_ONE_IN) == 0:
        field.pop("entityType", None)
        _another_default(choices, field)


def _another_default(choices: Choices, field: Properties) -> None:
    if choices.below(4) == 0 or field.pop("default", None) is None:
        numbers = ("0", "-0", "1", "5", "0x5", "70000")
        field["default"] = pick(choices, DEFAULTS.get(field["type"], (*numbers, "null")))


def _another_range(choices: Choices, field: Properties) -> None:
    names = [name for name in ("versions", "nullableVersions", "taggedVersions", "flexibleVersions") if name in field]
    field[pick(choices, names)] = str(any_range(choices, VersionRange(0, 3)))


def _nullable(_choices: Choices, field: Properties) -> None:
    if field.pop("nullableVersions", None) is None:
        field["nullableVersions"] = field.get("versions", "0+")
    elif field.get("default") == "null":
        del field["default"]


def _in_struct(choices: Choices, field: Properties) -> None:
    """Put what the field holds into a struct, or take it out of it."""
    array = "[]" if field["type"].startswith("[]") else ""
    inner = field.pop("fields", [])
    if len(inner) == 1:
        field["type"] = array + inner[0]["type"].removeprefix("[]")
        field.update({name: inner[0][name] for name in ("default", "fields") if name in inner[0]})
    else:
        value = {"name": "Value", "type": field["type"].removeprefix("[]"), "versions": "0+"}
        value |= {name: field.pop(name) for name in ("default", "entityType") if name in field}
        field |= {"type": f"{array}Wrapped", "fields": [value | ({"fields": inner} if inner else {})]}
    if choices.below(2):
        field.pop("nullableVersions", None)


def _encode(choices: Choices, field: Properties) -> None:
    fitting = [name for name, encoding in ENCODINGS.items() if f"int{encoding.bits}" == field["type"]]
    if fitting and choices.below(ENCODED_ONE_IN) == 0:
        field["encoding"] = pick(choices, fitting)
    else:
        field.pop("encoding", None)


def _untagged(_choices: Choices, field: Properties) -> None:
    for name in ("tag", "taggedVersions"):
        field.pop(name, None)


def _another_fact(choices: Choices, field: Properties) -> None:
    field[pick(choices, ("ignorable", "mapKey"))] = bool(choices.below(2))


OF_FIELD: tuple[Callable[[Choices, Properties], None], ...] = (
    _renamed,
    _retyped,
    _grown,
    _grown,
    _another_default,
    _another_range,
    _nullable,
    _in_struct,
    _encode,
    _untagged,
    _another_fact,
)
"""Changes of one field."""


def _new_field(choices: Choices) -> Properties:
    versions = str(any_range(choices, VersionRange(0, 3)))
    return {"name": f"New{choices.below(3)}", "type": pick(choices, PRIMITIVES), "versions": versions}


def _inserted(choices: Choices, fields: list[Properties]) -> None:
    fields.insert(choices.below(len(fields) + 1), _new_field(choices))


def _dropped(choices: Choices, fields: list[Properties]) -> None:
    if fields:
        del fields[choices.below(len(fields))]


def _moved(choices: Choices, fields: list[Properties]) -> None:
    if fields:
        fields.insert(choices.below(len(fields)), fields.pop(choices.below(len(fields))))


def _copied(choices: Choices, fields: list[Properties]) -> None:
    """Insert a field that is like another one but for its name."""
    if fields:
        copy = {**pick(choices, fields), "name": f"Copy{choices.below(3)}"}
        fields.insert(choices.below(len(fields) + 1), copy)


def _new_tag(choices: Choices, fields: list[Properties]) -> None:
    tags = [field["tag"] for field in fields if "tag" in field]
    tagged = str(starting(choices.below(4)))
    fields.append(
        {**_new_field(choices), "versions": tagged, "taggedVersions": tagged, "tag": max(tags, default=-1) + 1}
    )


def _dropped_tag(_choices: Choices, fields: list[Properties]) -> None:
    """Drop the field with the highest tag, the only one that leaves no gap."""
    tagged = [field for field in fields if "tag" in field]
    if tagged:
        fields.remove(max(tagged, key=lambda field: field["tag"]))


def _exchanged_tags(choices: Choices, fields: list[Properties]) -> None:
    tagged = [field for field in fields if "tag" in field]
    if tagged:
        one, other = pick(choices, tagged), pick(choices, tagged)
        one["tag"], other["tag"] = other["tag"], one["tag"]


def _exchanged_names(choices: Choices, fields: list[Properties]) -> None:
    if fields:
        one, other = pick(choices, fields), pick(choices, fields)
        one["name"], other["name"] = other["name"], one["name"]


def _regrouped(choices: Choices, fields: list[Properties]) -> None:
    """Put some fields into a struct of their own, or the fields of a struct in its place."""
    at = choices.below(len(fields) + 1)
    structs = [field for field in fields if "fields" in field]
    if structs and choices.below(2):
        struct = pick(choices, structs)
        where = fields.index(struct)
        fields[where : where + 1] = struct["fields"]
        return
    inner = fields[at : at + 1 + choices.below(3)]
    fields[at : at + len(inner)] = [{"name": "Group", "type": "Grouped", "versions": "0+", "fields": inner}]


OF_LIST: tuple[Callable[[Choices, list[Properties]], None], ...] = (
    _inserted,
    _dropped,
    _moved,
    _copied,
    _new_tag,
    _new_tag,
    _dropped_tag,
    _dropped_tag,
    _exchanged_tags,
    _exchanged_names,
    _regrouped,
)
"""Changes of the fields of a struct or of the message."""
