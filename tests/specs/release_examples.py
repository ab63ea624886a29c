"""The checks of tables with counts of messages, versions, types, changes and properties."""

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Any

from conformance.definitions.book import TableRow
from conformance.definitions.named import definition_set
from reference import load_release
from reference.definitions.model import Definition, FieldDefinition
from reference.definitions.properties import FIELD_PROPERTIES, MESSAGE_PROPERTIES, STRUCT_PROPERTIES
from reference.definitions.rules import all_fields
from reference.evolution import Effect, release_changes

Check = Callable[[TableRow, Mapping[str, Definition]], None]

COUNTED, BEFORE = "4.3.0", "3.9.1"


@lru_cache(maxsize=1)
def modules() -> dict[str, tuple[str, ...]]:
    """Return definitions, versions and flexible versions of each module of the release."""
    manifest: Any = json.loads((load_release(COUNTED).folder / "release.json").read_text(encoding="utf-8"))
    counted = ("definitions", "pairs", "flexiblePairs")
    return {source["source"]: tuple(str(source[name]) for name in counted) for source in manifest["sources"]}


@lru_cache(maxsize=1)
def types() -> Mapping[str, int]:
    """How many fields have each type, in all definitions of the release."""
    release = load_release(COUNTED)
    fields = (use.field for message in release.messages for use in all_fields(release.definition(message)))
    return Counter(map(_type, fields))


def _type(field: FieldDefinition) -> str:
    return field.type if field.struct_name is None else "[]struct" if field.is_array else "struct"


@lru_cache(maxsize=1)
def effects() -> Mapping[str, int]:
    """How many changes there are between the two releases, by their effect."""
    before, after = map(definition_set, (BEFORE, COUNTED))
    return Counter(change.effect.value for change in release_changes(before, after))


MODULE_COLUMNS = (f"module of {COUNTED}", "definitions", "versions", "flexible versions")
TYPE_COLUMNS = (f"type in {COUNTED}", "fields")
EFFECT_COLUMNS = ("effect", f"changes from {BEFORE} to {COUNTED}")
PROPERTIES: dict[tuple[str, ...], tuple[str, ...]] = {
    ("message property", "meaning"): MESSAGE_PROPERTIES,
    ("struct property", "meaning"): STRUCT_PROPERTIES,
    ("field property", "meaning"): FIELD_PROPERTIES,
}
"""The properties that each table lists, in any order."""


def first_columns() -> dict[tuple[str, ...], set[str]]:
    """Return the first column of each of these tables, over all its rows."""
    counted: dict[tuple[str, ...], Collection[str]] = {MODULE_COLUMNS: modules(), TYPE_COLUMNS: types()}
    named = {EFFECT_COLUMNS: [effect.value for effect in Effect], **PROPERTIES}
    return {columns: set(names) for columns, names in (counted | named).items()}


def _check_module(row: TableRow, _definitions: Mapping[str, Definition]) -> None:
    assert row.cells[1:] == modules()[row.cells[0]]


def _check_type(row: TableRow, _definitions: Mapping[str, Definition]) -> None:
    assert int(row.cells[1]) == types()[row.cells[0]]


def _check_effect(row: TableRow, _definitions: Mapping[str, Definition]) -> None:
    assert int(row.cells[1]) == effects()[row.cells[0]]


def _check_property(row: TableRow, _definitions: Mapping[str, Definition]) -> None:
    assert row.cells[0] in PROPERTIES[row.columns]


RELEASE_CHECKS: dict[tuple[str, ...], Check] = {
    MODULE_COLUMNS: _check_module,
    TYPE_COLUMNS: _check_type,
    EFFECT_COLUMNS: _check_effect,
    **dict.fromkeys(PROPERTIES, _check_property),
}
