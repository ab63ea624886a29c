"""Released definitions restated in the drafts of KIP-482, as real messages with sections at their heads.

Tags are one higher, as the drafts' begin at 1. In the first draft an optional field is in all versions with optional
fields, for any taggedVersions; arrays of structs cannot be optional, and are left out. Neither draft has flexible
versions of single fields.
"""

import json
from typing import Any, NamedTuple

from reference.definitions.canonical import canonical_json
from reference.definitions.model import Definition
from reference.proposals import PROPOSALS
from tests.reference.proposals.kip482 import FIRST, VERSIONS

Json = dict[str, Any]
KEPT = ("name", "type", "fields", "optionalFields")
"""The properties copied to an optional field of the first draft."""


class Restated(NamedTuple):
    """A definition in a draft, and the fields forbidden by the draft."""

    definition: Definition
    left_out: tuple[str, ...]


def restated(definition: Definition, dialect: str) -> Restated:
    left_out: list[str] = []
    message = json.loads(canonical_json(definition))
    message = _struct(message, dialect, left_out)
    message["commonStructs"] = [_struct(each, dialect, left_out) for each in message.get("commonStructs", ())]
    if "flexibleVersions" in message:
        message[VERSIONS[dialect]] = message.pop("flexibleVersions")
    text = json.dumps(message)
    return Restated(PROPOSALS[dialect].loader.parse(text, f"{definition.name}.json"), tuple(left_out))


def _struct(struct: Json, dialect: str, left_out: list[str]) -> Json:
    fields = [_struct(each, dialect, left_out) for each in struct.get("fields", ())]
    fields = [{name: each[name] for name in each if name != "flexibleVersions"} for each in fields]
    tagged = [each for each in fields if "tag" in each]
    if dialect == FIRST:
        left_out += [each["name"] for each in tagged if _is_array_of_structs(each)]
        optional = [_first(each) for each in tagged if not _is_array_of_structs(each)]
    else:
        optional = [{**each, "tag": each["tag"] + 1} for each in tagged]
    others = [each for each in fields if "tag" not in each]
    return {**struct, "fields": others, "optionalFields": optional}


def _first(field: Json) -> Json:
    kept = {name: field[name] for name in KEPT if name in field}
    default = {"default": field.get("default", "")} if "nullableVersions" in field or "default" in field else {}
    return {**kept, **default, "nullable": "nullableVersions" in field, "tag": f"0x{field['tag'] + 1:04x}"}


def _is_array_of_structs(field: Json) -> bool:
    type_name: str = field["type"]
    return type_name.startswith("[]") and type_name[2:3].isupper()
