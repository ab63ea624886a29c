"""Kills of mutants by each statement of a vector, for each reader and for the writer."""

from __future__ import annotations

import pytest

from reference import NotJsonForm, load_release
from tests.helpers.releases import BASE, OLDEST
from tests.mutants.definitions import vectors
from tests.mutants.definitions.mutants import DefinitionMutant, mutants_of
from tests.mutants.definitions.vectors import (
    Kills,
    ReadStatement,
    SchemaCodec,
    Statements,
    WriteStatement,
    kills_of,
    source_of,
    statements_of,
)

SCHEMA = load_release(BASE).schema("JoinGroupRequest", 0)
MUTANTS = {
    (each.place.path, each.kind.property, each.kind.change): each for each in mutants_of(BASE, "JoinGroupRequest", 0)
}
STATEMENTS = statements_of(SCHEMA, BASE)
NULLABLE = MUTANTS["GroupId", "nullable", "string gained"]
SMALLEST = next(each for each in STATEMENTS.readings if each.id == "default")
CLEAN_NULL = ReadStatement("null", b"\xff\xff" + SMALLEST.wire[2:], None)


def kills_by(mutant: DefinitionMutant, *readings: ReadStatement, writings: tuple[WriteStatement, ...] = ()) -> Kills:
    return kills_of(SCHEMA, SchemaCodec.of(mutant.changed), Statements(readings, writings))


def test_the_unchanged_codec_keeps_every_statement() -> None:
    """No vector kills it, by either reader."""
    assert kills_of(SCHEMA, SchemaCodec.of(SCHEMA), STATEMENTS) == Kills(None, None, None)
    assert STATEMENTS.readings
    assert STATEMENTS.writings


def test_refused_bytes_kill_a_reader_of_all_of_them() -> None:
    """A reader with this one fault takes a null without its payload whole."""
    assert kills_by(NULLABLE, CLEAN_NULL) == Kills("null", "null", None)


def test_bytes_behind_a_message_hide_a_fault_from_strict_readers_alone() -> None:
    """A reader of a stream takes the bytes before them."""
    behind = ReadStatement("behind", CLEAN_NULL.wire + b"\0", None)
    assert kills_by(NULLABLE, behind) == Kills(None, "behind", None)


def test_refused_value_kills_its_writer() -> None:
    """The value is null in a field made nullable."""
    assert SMALLEST.value is not None
    unwritable = WriteStatement("unwritable", {**SMALLEST.value, "GroupId": None}, None)
    assert kills_by(NULLABLE, writings=(unwritable,)).writing == "unwritable"


@pytest.mark.parametrize(
    ("path", "changed", "how"),
    [
        ("SessionTimeoutMs", "type", "int32 to int64"),
        ("SessionTimeoutMs", "presence", "missing"),
        ("RebalanceTimeoutMs", "presence", "present"),
        ("GroupId", "compact", "gained"),
        ("MemberId", "order", "with the next"),
        ("Protocols", "type", "[]struct to struct"),
    ],
)
def test_another_layout_is_killed_on_each_side(path: str, changed: str, how: str) -> None:
    """It is killed by a strict reader, by one of a stream, and by the writer."""
    found = kills_of(SCHEMA, SchemaCodec.of(MUTANTS[path, changed, how].changed), STATEMENTS)
    assert all(found)


def test_values_are_compared_with_their_types() -> None:
    """A bool read as a number is another value, though True equals 1."""
    mutants = mutants_of(BASE, "MetadataRequest", 4)
    mutant = next(each for each in mutants if each.kind.change == "bool to int8")
    statements = statements_of(mutant.schema, source_of(mutant.schema, BASE))
    assert kills_of(mutant.schema, SchemaCodec.of(mutant.changed), statements).strict is not None


def test_a_given_value_of_another_release_states_nothing() -> None:
    """The definitions of the release have no such field."""
    older = load_release(OLDEST).schema("ApiVersionsRequest", 0)
    assert source_of(older, OLDEST) == BASE
    assert kills_of(older, SchemaCodec.of(older), statements_of(older, BASE)) == Kills(None, None, None)


def test_a_value_of_the_own_release_is_read_or_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """No statement is left out unseen."""
    vector = {"id": "broken", "result": "unwritable", "value": {"Unheard": 1}}
    monkeypatch.setattr(vectors, "_vectors", lambda *_: {0: [vector]})
    with pytest.raises(NotJsonForm):
        statements_of(SCHEMA, BASE)


def test_unwritable_vector_states_the_refusal_of_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no bytes to read."""
    vector = {"id": "null", "result": "unwritable", "value": {"GroupId": None}}
    monkeypatch.setattr(vectors, "_vectors", lambda *_: {0: [vector]})
    assert statements_of(SCHEMA, BASE) == Statements((), (WriteStatement("null", {"GroupId": None}, None),))
