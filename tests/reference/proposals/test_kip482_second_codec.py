"""The reference of both drafts of KIP-482 against a second codec, written from the layouts alone.

No Apache Kafka speaks the drafts. The evidence is the agreement of two codecs on every byte and every verdict.
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.generate.drawn_values import sample, values
from conformance.generate.edge_values import edge_cases
from conformance.generate.hostile_bodies import hostile_cases, many_hostile_bytes
from conformance.generate.mutations import mutated
from reference import MessageSchema, Result, difference, encode, judge
from tests.helpers.sweeps import swept
from tests.second_codec.dialects import verdict, write

SCHEMAS = swept("kip-482-first-draft", "kip-482-second-draft")
FLEXIBLE = tuple(schema for schema in SCHEMAS if schema.flexible)
EXAMPLES = 200
DAMAGED = 300
THOROUGH = settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)


def name_of(schema: MessageSchema) -> str:
    """Return a name such as `first-draft-FooResponse-v9`."""
    return f"{schema.dialect.removeprefix('kip-482-')}-{schema}"


every_schema = pytest.mark.parametrize("schema", SCHEMAS, ids=name_of)
every_flexible_schema = pytest.mark.parametrize("schema", FLEXIBLE, ids=name_of)


def assert_same_bytes(schema: MessageSchema, value: dict[str, Any]) -> None:
    wire = encode(schema, value)
    assert write(schema.struct, value) == wire
    plain = verdict(schema, wire)
    assert plain.result == "valid"
    assert difference(schema, value, plain.value) is None


def assert_same_verdict(schema: MessageSchema, wire: bytes) -> Result:
    """Check that both codecs agree on result, value, reason and place of some bytes."""
    expected, plain = judge(schema, wire), verdict(schema, wire)
    assert plain.result == expected.result, wire.hex()
    if expected.result is Result.INVALID:
        assert (plain.reason, plain.offset) == (expected.reason, expected.offset), wire.hex()
    if expected.result is Result.VALID:
        assert difference(schema, expected.value, plain.value) is None, wire.hex()
    return expected.result


@every_schema
def test_edge_values_have_the_same_bytes(schema: MessageSchema) -> None:
    for variation in edge_cases(schema):
        assert_same_bytes(schema, variation.value)


@every_flexible_schema
@given(data=st.data())
@THOROUGH
def test_generated_values_have_the_same_bytes(schema: MessageSchema, data: st.DataObject) -> None:
    assert_same_bytes(schema, data.draw(values(schema)))


@every_schema
def test_hostile_bytes_have_the_same_verdict(schema: MessageSchema) -> None:
    for case in hostile_cases(schema):
        assert_same_verdict(schema, case.wire)


@every_flexible_schema
@given(data=st.data())
@THOROUGH
def test_generated_hostile_bytes_have_the_same_verdict(schema: MessageSchema, data: st.DataObject) -> None:
    [wire] = data.draw(many_hostile_bytes(schema, 1))
    assert_same_verdict(schema, wire)


@every_flexible_schema
def test_mutated_bytes_have_the_same_verdict(schema: MessageSchema) -> None:
    results = [
        assert_same_verdict(schema, mutated(encode(schema, sample(schema, str(index))), f"{schema}/{index}"))
        for index in range(DAMAGED)
    ]
    assert set(results) >= {Result.INVALID, Result.VALID}


@every_flexible_schema
@given(wire=st.binary(max_size=40))
@THOROUGH
def test_any_bytes_have_the_same_verdict(schema: MessageSchema, wire: bytes) -> None:
    assert_same_verdict(schema, wire)
