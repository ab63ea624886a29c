"""Drawn definitions of proposals: those of the released protocol, said in the properties of another dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.definitions.model import RELEASED
from reference.proposals.kip482 import OPTIONAL_FIELDS
from reference.proposals.kip482_first_draft import NAME as FIRST
from reference.proposals.kip482_first_draft import VERSIONS
from reference.proposals.kip482_second_draft import NAME as SECOND
from reference.proposals.kip625 import PROPERTY, EncodingLoader

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.generate.definitions.strategy import Properties

KIP_625 = EncodingLoader.dialect


def in_dialect(dialect: str, definition: Properties) -> Properties:
    """Return the definition of a dialect that says the same as one of the released protocol, or of KIP-625.

    What the dialect cannot say is left out, or makes a definition that breaks a rule: encodings, fields with
    flexibleVersions of their own, and in the first draft of KIP-482 the versions of optional fields.
    """
    return DIALECTS[dialect](definition)


def _inner(definition: Properties, change: Callable[[Properties], Properties]) -> Properties:
    """Return a message or a struct with all lists of its fields and common structs changed."""
    names = [name for name in ("commonStructs", "fields", OPTIONAL_FIELDS) if name in definition]
    return {**definition, **{name: [change(part) for part in definition[name]] for name in names}}


def _without(*names: str) -> Callable[[Properties], Properties]:
    def reduced(part: Properties) -> Properties:
        return _inner({name: value for name, value in part.items() if name not in names}, reduced)

    return reduced


def _listed(part: Properties, optional: Callable[[Properties], Properties]) -> Properties:
    """Return a message or struct whose tagged fields are in a list of their own."""
    part = _inner(part, lambda inner: _listed(inner, optional))
    tagged = [optional(field) for field in part.get("fields", ()) if "tag" in field]
    if not tagged:
        return part
    return {**part, "fields": [field for field in part["fields"] if "tag" not in field], OPTIONAL_FIELDS: tagged}


def _second(definition: Properties) -> Properties:
    plain = _inner(definition, _without("flexibleVersions", PROPERTY))
    return _listed(plain, lambda field: {**field, "tag": field["tag"] + 1})


def _first(definition: Properties) -> Properties:
    listed = _listed(_without("flexibleVersions", PROPERTY)(definition), _first_optional)
    return {**listed, VERSIONS: definition.get("flexibleVersions")}


def _first_optional(field: Properties) -> Properties:
    kept = {name: field[name] for name in ("name", "type", "default", "fields", OPTIONAL_FIELDS) if name in field}
    return {**kept, "tag": f"0x{field['tag'] + 1:04x}", "nullable": "nullableVersions" in field}


DIALECTS: dict[str, Callable[[Properties], Properties]] = {
    RELEASED: _without(PROPERTY),
    KIP_625: lambda definition: definition,
    FIRST: _first,
    SECOND: _second,
}
"""By name: from the definition of the released protocol to that of the dialect."""
