import json
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.codec.bridge.loading import load_codec
from conformance.generate.choices import Choices, SeededChoices, pick
from conformance.generate.definitions.drawn_definitions import definitions, sample_definition
from conformance.generate.drawn_values import sample, values
from conformance.judge.case import Violation
from conformance.judge.checks.check_list import BODIES, run_message
from reference import MessageSchema, Result, decode, encode, equal, judge
from reference.definitions.canonical import canonical_json
from reference.definitions.model import Definition, FieldDefinition, VersionRange
from reference.definitions.parse import parse_definition
from reference.definitions.rules import all_fields
from reference.proposals.kip625 import ENCODINGS, KIP_625, TYPES
from reference.resolution import resolve
from tests.helpers.sessions import session_of
from tests.helpers.sweeps import swept, swept_numbers

COUNT = 400

NONE_ONE_IN = 4
CUTS = 3
"""One more than the greatest number of cuts between the ranges of a field; they are among the first versions."""

SPAN = 4


@cache
def sampled() -> tuple[Definition, ...]:
    found = []
    for number in swept_numbers(COUNT):
        definition = parse_definition(json.dumps(sample_definition(str(number))), "sampled")
        found.append(with_encodings(definition, SeededChoices(f"encodings/{number}")))
    return tuple(found)


def test_every_definition_is_sound_and_read_as_it_is() -> None:
    for definition in sampled():
        text = canonical_json(definition)
        assert KIP_625.loader.broken_rules(text, "sampled") == []
        assert KIP_625.loader.parse(text, "sampled") == definition


def test_every_encoding_appears_on_every_type_and_in_several_ranges() -> None:
    fields = [use.field for definition in sampled() for use in all_fields(definition) if use.field.encodings]
    assert {(field.type, name) for field in fields for _, name in field.encodings} >= {
        (type_name, name)
        for type_name, bits in (("int16", 16), ("int32", 32), ("int64", 64))
        for name, encoding in ENCODINGS.items()
        if encoding.bits <= bits
    }
    assert any(len(field.encodings) > 2 for field in fields)
    assert any(field.tag is not None for field in fields)


EMPTY_ELEMENTS = "count.empty-elements"
"""The rule that leaves elements without bytes open, as in some random definitions."""


def check_round_trip(schema: MessageSchema, value: dict[str, Any]) -> Result:
    """Check that a value is written, judged valid and canonical, and read unchanged.

    It returns the verdict on the bytes.
    """
    wire = encode(schema, value)
    verdict = judge(schema, wire)
    if verdict.rules != (EMPTY_ELEMENTS,):
        assert (verdict.result, verdict.canonical) == (Result.VALID, wire)
        assert equal(schema, decode(schema, wire).value, value)
    return verdict.result


def test_every_version_carries_a_value() -> None:
    schemas = [resolve(definition, version) for definition in sampled() for version in definition.valid_versions]
    results = Counter(check_round_trip(schema, sample(schema, "some")) for schema in schemas)
    assert results[Result.VALID] > 0.9 * len(schemas)


@given(st.data())
def test_any_definition_carries_any_value(data: st.DataObject) -> None:
    drawn = parse_definition(json.dumps(data.draw(definitions())), "drawn")
    definition = with_encodings(drawn, SeededChoices(data.draw(st.text(max_size=3))))
    for version in definition.valid_versions:
        schema = resolve(definition, version)
        check_round_trip(schema, data.draw(values(schema)))


@pytest.mark.parametrize("schema", swept("kip-625"), ids=str)
def test_the_suite_finds_nothing_wrong_with_the_reference(schema: MessageSchema) -> None:
    implementation = load_codec("conformance.adapters.reference")
    events = run_message(session_of(implementation), schema, frozenset({BODIES}))
    assert [event for event in events if isinstance(event, Violation)] == []


def with_encodings(definition: Definition, choices: Choices) -> Definition:
    """Return the definition with random encodings on its integer fields, those of its structs included."""
    common = tuple(replace(each, fields=_fields(each.fields, choices)) for each in definition.common_structs)
    fields = _fields(definition.fields, choices)
    return replace(definition, fields=fields, common_structs=common, dialect=KIP_625.name)


def _fields(fields: tuple[FieldDefinition, ...], choices: Choices) -> tuple[FieldDefinition, ...]:
    return tuple(
        replace(field, fields=_fields(field.fields, choices), encodings=_encodings(field, choices)) for field in fields
    )


def _encodings(field: FieldDefinition, choices: Choices) -> tuple[tuple[VersionRange, str], ...]:
    if field.type not in TYPES or field.versions.empty or choices.below(NONE_ONE_IN) == 0:
        return ()
    bits = int(field.type.removeprefix("int"))
    names = [name for name, encoding in ENCODINGS.items() if encoding.bits <= bits]
    ranges = [(each, pick(choices, names)) for each in _ranges(field.versions, choices)]
    return tuple(ranges if choices.below(2) else ranges[::-1])


def _ranges(versions: VersionRange, choices: Choices) -> list[VersionRange]:
    last = min(versions.highest, versions.lowest + SPAN)
    begins = {versions.lowest, *(choices.integer(versions.lowest, last) for _ in range(choices.below(CUTS)))}
    ordered = sorted(begins)
    ends = [*(begin - 1 for begin in ordered[1:]), versions.highest]
    return [VersionRange(begin, end) for begin, end in zip(ordered, ends, strict=True)]
