"""Realistic changes of drawn definitions.

They change a field, a list of fields, tags, or the message itself. Fields get other types, names, versions, defaults
and encodings. They come, go, move, and go into a struct. `change` makes one change, and the result may break rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.choices import Choices, pick
from conformance.generate.definitions.drawn_fields import DEFAULTS
from conformance.generate.definitions.versions import any_range, starting
from reference.definitions.model import PRIMITIVES, VersionRange
from reference.definitions.properties import FLAGS, VERSION_PROPERTIES
from reference.proposals.kip625 import ENCODINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.generate.definitions.versions import Properties

ENCODED_ONE_IN = 2
GROWN = {"int16": "int32", "int32": "int64"}


def change(choices: Choices, definition: Properties) -> None:
    """Change a part of a definition, in place.

    A definition without the part stays as it is.
    """
    pick(choices, PARTS)(choices, definition)


def _change_field(choices: Choices, definition: Properties) -> None:
    fields = list(fields_of(definition))
    if fields:
        pick(choices, OF_FIELD)(choices, pick(choices, fields))


def _change_integer(choices: Choices, definition: Properties) -> None:
    integers = [field for field in fields_of(definition) if field["type"] in ("int16", "int32", "int64")]
    if integers:
        pick(choices, (_grown, encode, _another_default))(choices, pick(choices, integers))


def _change_list(choices: Choices, definition: Properties) -> None:
    lists = [fields for fields in _lists(definition) if fields] or [definition.setdefault("fields", [])]
    pick(choices, OF_LIST)(choices, pick(choices, lists))


def _change_tags(choices: Choices, definition: Properties) -> None:
    lists = [fields for fields in _lists(definition) if any("tag" in field for field in fields)]
    if lists:
        fields = pick(choices, lists)
        pick(choices, OF_TAGS)(choices, fields, [field for field in fields if "tag" in field])


def _change_message(choices: Choices, definition: Properties) -> None:
    valid, first = VersionRange(choices.below(2), 1 + choices.below(3)), starting(choices.below(4))
    name, versions = pick(choices, (("validVersions", valid), ("flexibleVersions", first)))
    definition[name] = str(versions)


PARTS = (
    _change_field,
    _change_field,
    _change_integer,
    _change_list,
    _change_list,
    _change_tags,
    _change_tags,
    _change_message,
)
"""Changes of a part, one of those of the definition."""


def _lists(part: Properties) -> Iterator[list[Properties]]:
    """Yield every list of fields."""
    for name in ("commonStructs", "fields"):
        if name == "fields" and name in part:
            yield part[name]
        for inner in part.get(name, ()):
            yield from _lists(inner)


def fields_of(definition: Properties) -> Iterator[Properties]:
    """Yield every field of a definition, including those inside structs."""
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
    """Widen an integer, or turn bytes into records or back.

    The integer may keep its encoding. Bytes and records have the same layout.
    """
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
    names = [name for name in VERSION_PROPERTIES if name in field]
    field[pick(choices, names)] = str(any_range(choices, VersionRange(0, 3)))


def _nullable(_choices: Choices, field: Properties) -> None:
    if field.pop("nullableVersions", None) is None:
        field["nullableVersions"] = field.get("versions", "0+")
    elif field.get("default") == "null":
        del field["default"]


def _in_struct(choices: Choices, field: Properties) -> None:
    """Put the content of the field into a struct, or take it out of one."""
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


def encode(choices: Choices, field: Properties) -> None:
    """Give an integer one of the encodings of its bits (KIP-625), or none."""
    fitting = [name for name, encoding in ENCODINGS.items() if f"int{encoding.bits}" == field["type"]]
    if fitting and choices.below(ENCODED_ONE_IN) == 0:
        field["encoding"] = pick(choices, fitting)
    else:
        field.pop("encoding", None)


def _untagged(_choices: Choices, field: Properties) -> None:
    for name in ("tag", "taggedVersions"):
        field.pop(name, None)


def _another_fact(choices: Choices, field: Properties) -> None:
    flags = [each.name for each in FLAGS if not each.types]
    field[pick(choices, flags)] = bool(choices.below(2))


OF_FIELD: tuple[Callable[[Choices, Properties], None], ...] = (
    _renamed,
    _retyped,
    _grown,
    _grown,
    _another_default,
    _another_range,
    _nullable,
    _in_struct,
    encode,
    encode,
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
    """Insert a copy of a field under another name."""
    if fields:
        copy = {**pick(choices, fields), "name": f"Copy{choices.below(3)}"}
        fields.insert(choices.below(len(fields) + 1), copy)


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
    _exchanged_names,
    _regrouped,
)
"""Changes of the fields of a struct or of the message."""


def _new_tag(choices: Choices, fields: list[Properties], tagged: list[Properties]) -> None:
    like = pick(choices, tagged)
    tag = max(field["tag"] for field in tagged) + 1
    versions = {"versions": like["taggedVersions"], "taggedVersions": like["taggedVersions"], "tag": tag}
    fields.append(_new_field(choices) | versions)


def _dropped_tag(_choices: Choices, fields: list[Properties], tagged: list[Properties]) -> None:
    """Drop the field with the highest tag, since any other one would leave a gap."""
    fields.remove(max(tagged, key=lambda field: field["tag"]))


def _exchanged_tags(choices: Choices, _fields: list[Properties], tagged: list[Properties]) -> None:
    one, other = pick(choices, tagged), pick(choices, tagged)
    one["tag"], other["tag"] = other["tag"], one["tag"]


def _moved_tag(choices: Choices, fields: list[Properties], tagged: list[Properties]) -> None:
    """Give a field the next tag, and its own to a new field."""
    field = pick(choices, tagged)
    tag = field["tag"]
    _new_tag(choices, fields, tagged)
    field["tag"], fields[-1]["tag"] = fields[-1]["tag"], tag


def _renamed_tag(choices: Choices, _fields: list[Properties], tagged: list[Properties]) -> None:
    _renamed(choices, pick(choices, tagged))


def _later_tag(choices: Choices, _fields: list[Properties], tagged: list[Properties]) -> None:
    field = pick(choices, tagged)
    field["versions"] = field["taggedVersions"] = str(starting(choices.below(4)))


def _another_tagged_default(choices: Choices, _fields: list[Properties], tagged: list[Properties]) -> None:
    _another_default(choices, pick(choices, tagged))


OF_TAGS: tuple[Callable[[Choices, list[Properties], list[Properties]], None], ...] = (
    _new_tag,
    _dropped_tag,
    _exchanged_tags,
    _moved_tag,
    _renamed_tag,
    _later_tag,
    _another_tagged_default,
)
"""Changes of a list of fields and of its tagged fields, of which there is at least one."""
