import json
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.generate.record_building import batch, record, wire
from reference import records_to_json
from tests.helpers.runs import error_of, invoke

SMALLEST = wire(batch())
REFERENCE = ("replay", "--impl", "conformance.adapters.reference", "--message", "record-batches", "--version", "0")


def replayed(*options: str) -> str:
    result = invoke(*REFERENCE, *options)
    assert result.exit_code == 0, result.output
    return result.output


def value_option(value: dict[str, Any]) -> tuple[str, str]:
    return "--value", json.dumps(records_to_json(value))


def test_the_readers_of_apache_kafka_are_shown(snapshot: SnapshotAssertion) -> None:
    assert replayed("--wire", wire(batch(), batch()).hex()) == snapshot


def test_a_value_is_written_and_read() -> None:
    output = replayed(*value_option({"batches": [batch()], "partial": b""}))
    assert f"reference encodes   {SMALLEST.hex()}" in output


def test_unwritable_value_is_refused() -> None:
    output = replayed(*value_option({"batches": [batch(record(headers=[(None, b"v")]))], "partial": b""}))
    assert "   refuses to encode" in output


def test_missing_case_is_named() -> None:
    assert "no case 'nothing'" in error_of(invoke(*REFERENCE, "--case", "nothing"), 2)


@pytest.mark.parametrize("option", ["--frame", "--stored"])
def test_record_batches_have_no_other_forms(option: str) -> None:
    error = error_of(invoke(*REFERENCE, "--wire", SMALLEST.hex(), option), 2)
    assert error.startswith("record batches are ")
    assert all(other in error for other in ("--wire", "--value", "--case"))
