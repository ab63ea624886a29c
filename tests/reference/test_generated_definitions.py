"""The reference on random definitions, in every version, with round trips of values and with random bytes.

tests/adapters/harnesses/test_kafka_generator.py tries Apache Kafka's own classes for such definitions.
"""

import json
from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from conformance.campaign.proof.left_out import NO_BYTES, left_out
from conformance.campaign.proof.proven_definitions import generated_definitions, schemas_of
from conformance.generate.definitions.drawn_definitions import definitions
from conformance.generate.drawn_values import values
from conformance.generate.hostile_bodies import many_hostile_bytes
from reference import MessageSchema, Result, decode, difference, encode, from_json, judge, minimal, to_json
from reference.definitions.canonical import canonical_json
from reference.definitions.parse import parse_definition

COUNT = 300


@cache
def schemas() -> list[MessageSchema]:
    return list(schemas_of(generated_definitions(COUNT)))


@cache
def readable() -> list[MessageSchema]:
    return [each for each in schemas() if left_out(each) != NO_BYTES]


@given(definitions())
def test_canonical_form_of_a_definition_has_the_same_meaning(definition: dict[str, Any]) -> None:
    sound = parse_definition(json.dumps(definition), "drawn")
    canonical = canonical_json(sound)
    assert parse_definition(canonical, "canonical") == sound
    assert canonical_json(parse_definition(canonical, "canonical")) == canonical


def test_the_smallest_value_of_every_version_comes_back() -> None:
    for schema in schemas():
        value = minimal(schema)
        wire = encode(schema, value)
        verdict = judge(schema, wire)
        assert difference(schema, value, decode(schema, wire).value) is None, str(schema)
        assert (verdict.result, verdict.canonical, verdict.consumed) == (Result.VALID, wire, len(wire)), str(schema)


@given(st.data())
def test_every_value_comes_back(data: st.DataObject) -> None:
    schema = data.draw(st.sampled_from(readable()))
    value = data.draw(values(schema))
    wire = encode(schema, value)
    verdict = judge(schema, wire)
    assert difference(schema, value, decode(schema, wire).value) is None
    assert difference(schema, value, from_json(schema, to_json(schema, value))) is None
    assert (verdict.result, verdict.consumed) == (Result.VALID, len(wire))


@given(st.data())
def test_a_verdict_is_reached_on_hostile_bytes(data: st.DataObject) -> None:
    schema = data.draw(st.sampled_from(readable()))
    [wire] = data.draw(many_hostile_bytes(schema, 1))
    verdict = judge(schema, wire)
    if verdict.result is Result.VALID:
        assert decode(schema, wire).consumed == verdict.consumed


@given(st.data())
def test_a_verdict_is_reached_on_any_bytes_at_all(data: st.DataObject) -> None:
    schema = data.draw(st.sampled_from(schemas()))
    judge(schema, data.draw(st.binary(max_size=64)))


def test_messages_have_fields_of_no_release() -> None:
    """Without such fields these tests would show little."""
    structs = [each for schema in schemas() if schema.flexible for each in schema.fields if each.type == "struct"]
    assert any(each.nullable and each.tag is None for each in structs)
    assert any(each.nullable and each.tag is not None for each in structs)
    assert any(not each.flexible for each in structs)
