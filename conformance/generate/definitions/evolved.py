"""Pairs of valid definitions, before and after a change or two.

`sample_evolved` returns them. Most changes are those of `evolutions`, compatible or not with the peers of a released
version. Some are any change of a property, and some pairs are of two dialects.
"""

from __future__ import annotations

import json
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.choices import Choices, SeededChoices, pick
from conformance.generate.definitions.changed import CHANGES
from conformance.generate.definitions.drawn_definitions import make_definition
from conformance.generate.definitions.evolutions import change, encode, fields_of
from conformance.generate.definitions.versions import Features
from reference.definitions.header_versions import PROPERTY as HEADERS
from reference.definitions.model import RELEASED
from reference.proposals.kip482 import OPTIONAL_FIELDS
from reference.proposals.kip482_first_draft import NAME as FIRST
from reference.proposals.kip482_first_draft import VERSIONS
from reference.proposals.kip482_second_draft import NAME as SECOND
from reference.proposals.kip625 import PROPERTY, EncodingLoader
from reference.protocols import loader_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.generate.definitions.versions import Properties
    from reference.definitions.model import Definition

FEATURES = Features(given_up=False, inflexible=False, header_versions=False)
"""A message without versions has no encoding, most changes are about tags, and bodies alone are tried."""

CROSSED_ONE_IN = 8
"""The share of pairs of two dialects: one in 8."""

MORE_ONE_IN = 4
"""The share of pairs with a second change: one in 4."""

GENERAL_ONE_IN = 8
"""The share of changes of any property, most of them against the rules: one in 8."""

NAME = "Sample.json"
KIP_625 = EncodingLoader.dialect


class Evolved(NamedTuple):
    """A definition before and after a change."""

    old: Definition
    new: Definition


def sample_evolved(seed: str) -> Evolved:
    """Return the pair of definitions of `seed`, always the same.

    Both are valid, and they are not equal.
    """
    attempts = (_evolved(SeededChoices(f"evolved/{seed}/{attempt}")) for attempt in count())
    return next(filter(None, attempts))


def _evolved(choices: Choices) -> Evolved | None:
    before = pick(choices, tuple(DIALECTS))
    after = pick(choices, tuple(DIALECTS)) if choices.below(CROSSED_ONE_IN) == 1 else before
    definition = make_definition(choices, FEATURES)
    if KIP_625 in (before, after):
        for field in fields_of(definition):
            encode(choices, field)
    old = _sound(before, definition)
    if old is None:
        return None
    # Changes work in place, so they get a copy.
    new = _sound(after, _changed(choices, json.loads(json.dumps(definition))))
    return None if new is None or old == new else Evolved(old, new)


def _sound(dialect: str, definition: Properties) -> Definition | None:
    parsed, problems = loader_of(dialect).read(json.dumps(in_dialect(dialect, definition)), NAME)
    return None if problems else parsed


def _changed(choices: Choices, definition: Properties) -> Properties:
    if choices.below(GENERAL_ONE_IN) == 1:
        return pick(choices, CHANGES)(choices, definition)
    for _ in range(1 + (choices.below(MORE_ONE_IN) == 1)):
        change(choices, definition)
    return definition


def in_dialect(dialect: str, definition: Properties) -> Properties:
    """Return the definition of a dialect equivalent to one of the released protocol, or of KIP-625.

    Properties unknown to the dialect are left out, or make a definition with a broken rule. They are encodings, fields
    with flexibleVersions of their own, and in the first draft of KIP-482 the versions of optional fields.
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
    """Return a message or struct with its tagged fields in a list of their own."""
    part = _inner(part, lambda inner: _listed(inner, optional))
    tagged = [optional(field) for field in part.get("fields", ()) if "tag" in field]
    if not tagged:
        return part
    return {**part, "fields": [field for field in part["fields"] if "tag" not in field], OPTIONAL_FIELDS: tagged}


def _second(definition: Properties) -> Properties:
    plain = _inner(_without(HEADERS)(definition), _without("flexibleVersions", PROPERTY))
    return _listed(plain, lambda field: {**field, "tag": field["tag"] + 1})


def _first(definition: Properties) -> Properties:
    listed = _listed(_without("flexibleVersions", HEADERS, PROPERTY)(definition), _first_optional)
    return {**listed, VERSIONS: definition.get("flexibleVersions")}


def _first_optional(field: Properties) -> Properties:
    kept = {name: field[name] for name in ("name", "type", "default", "fields", OPTIONAL_FIELDS) if name in field}
    # Tags of the drafts begin at 1.
    return {**kept, "tag": f"0x{field['tag'] + 1:04x}", "nullable": "nullableVersions" in field}


DIALECTS: dict[str, Callable[[Properties], Properties]] = {
    RELEASED: _without(PROPERTY),
    KIP_625: lambda definition: definition,
    FIRST: _first,
    SECOND: _second,
}
"""Functions from a definition of the released protocol to one of the dialect, by the name of the dialect."""
