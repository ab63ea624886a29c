"""Every message of a release, at each of its versions: out to bytes, and back to the same value.

One test for each message; what goes wrong names the version and the value's seed.
"""

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.generate.cases import populated, with_unknown_tags
from conformance.generate.values import sample
from reference import (
    MessageSchema,
    decode,
    decode_leniently,
    default,
    difference,
    encode,
    from_json,
    load_release,
    minimal,
    to_json,
)

RELEASE = load_release("4.3.0")
SAMPLES = 100

messages = pytest.mark.parametrize(
    "message", [message for message in RELEASE.messages if not RELEASE.definition(message).valid_versions.empty]
)


def schemas(message: str) -> Iterator[MessageSchema]:
    for version in RELEASE.definition(message).valid_versions:
        yield RELEASE.schema(message, version)


def assert_round_trip(schema: MessageSchema, value: dict[str, Any], what: str) -> None:
    """Encode and decode: the same value, all bytes used, and the same to a lenient reader."""
    wire = encode(schema, value)
    decoded = decode(schema, wire)
    found = difference(schema, value, decoded.value)
    assert found is None, f"{schema}, {what}: {found}"
    assert decoded.consumed == len(wire), f"{schema}, {what}"


@messages
def test_smallest_and_fullest_values_come_back(message: str) -> None:
    for schema in schemas(message):
        full = populated(schema)
        assert_round_trip(schema, minimal(schema), "minimal")
        assert_round_trip(schema, full, "populated")
        assert_round_trip(schema, with_unknown_tags(schema.body, full), "with unknown tags")


@messages
def test_default_comes_back(message: str) -> None:
    """A message that nobody touched can be written, in every version (MessageTest.defaultValueShouldBeWritable)."""
    for schema in schemas(message):
        if all(field.nullable or field.default is not None for field in schema.fields):
            assert_round_trip(schema, default(schema), "default")


@messages
def test_generated_values_come_back(message: str) -> None:
    for schema in schemas(message):
        for seed in range(SAMPLES):
            assert_round_trip(schema, sample(schema, str(seed)), f"seed {seed}")


@messages
def test_generated_values_come_back_from_json(message: str) -> None:
    for schema in schemas(message):
        for seed in range(5):
            value = sample(schema, str(seed))
            found = difference(schema, value, from_json(schema, to_json(schema, value)))
            assert found is None, f"{schema}, seed {seed}: {found}"


@messages
def test_values_with_fields_of_other_versions_come_back_without_them(message: str) -> None:
    for schema in schemas(message):
        for seed in range(10):
            assert_round_trip(schema, sample(schema, str(seed), absent=True), f"seed {seed} with absent fields")


@messages
def test_lenient_reader_agrees_on_what_is_valid(message: str) -> None:
    for schema in schemas(message):
        for seed in range(5):
            wire = encode(schema, sample(schema, str(seed)))
            value, consumed = decode_leniently(schema, wire)
            assert difference(schema, decode(schema, wire).value, value) is None, f"{schema}, seed {seed}"
            assert consumed == len(wire), f"{schema}, seed {seed}"
