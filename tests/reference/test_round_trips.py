"""Messages at their versions, written to bytes and read back to the same value.

An error names the message, the version and the value's seed.
"""

from typing import Any

from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import populated, with_unknown_tags
from reference import (
    MessageSchema,
    decode,
    decode_leniently,
    default,
    difference,
    encode,
    from_json,
    minimal,
    to_json,
)
from tests.helpers.releases import BASE
from tests.helpers.sweeps import swept

RELEASE = BASE
SAMPLES = 100


def assert_round_trip(schema: MessageSchema, value: dict[str, Any], what: str) -> None:
    """Check that a value is read back unchanged, with all bytes used, also by a lenient reader."""
    wire = encode(schema, value)
    decoded = decode(schema, wire)
    found = difference(schema, value, decoded.value)
    assert found is None, f"{schema}, {what}: {found}"
    assert decoded.consumed == len(wire), f"{schema}, {what}"


def test_smallest_and_fullest_values_come_back() -> None:
    for schema in swept(RELEASE):
        full = populated(schema)
        assert_round_trip(schema, minimal(schema), "minimal")
        assert_round_trip(schema, full, "populated")
        assert_round_trip(schema, with_unknown_tags(schema.body, full), "with unknown tags")


def test_default_comes_back() -> None:
    """A message without any field set can be written in every version (MessageTest.defaultValueShouldBeWritable)."""
    for schema in swept(RELEASE):
        if all(field.nullable or field.default is not None for field in schema.fields):
            assert_round_trip(schema, default(schema), "default")


def test_generated_values_come_back() -> None:
    for schema in swept(RELEASE):
        for seed in range(SAMPLES):
            assert_round_trip(schema, sample(schema, str(seed)), f"seed {seed}")


def test_generated_values_come_back_from_json() -> None:
    for schema in swept(RELEASE):
        for seed in range(5):
            value = sample(schema, str(seed))
            found = difference(schema, value, from_json(schema, to_json(schema, value)))
            assert found is None, f"{schema}, seed {seed}: {found}"


def test_values_with_fields_of_other_versions_come_back_without_them() -> None:
    for schema in swept(RELEASE):
        for seed in range(10):
            assert_round_trip(schema, sample(schema, str(seed), absent=True), f"seed {seed} with absent fields")


def test_lenient_reader_agrees_on_valid_bytes() -> None:
    for schema in swept(RELEASE):
        for seed in range(5):
            wire = encode(schema, sample(schema, str(seed)))
            value, consumed = decode_leniently(schema, wire)
            assert difference(schema, decode(schema, wire).value, value) is None, f"{schema}, seed {seed}"
            assert consumed == len(wire), f"{schema}, seed {seed}"
