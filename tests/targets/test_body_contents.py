"""Messages with real record batches in them."""

from typing import Any

import pytest

from conformance.generate.drawn_values import sample
from conformance.generate.value_paths import item_at
from conformance.targets.body.body_contents import SUFFIX, holds_records, real_records, real_records_cases
from reference import Result, decode_records, encode, judge_records, load_release
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)
FETCH = RELEASE.schema("FetchResponse", 17)
PRODUCE = RELEASE.schema("ProduceRequest", 11)
RECORDS = {
    "FetchResponse": "Responses.Partitions.Records",
    "ProduceRequest": "TopicData.PartitionData.Records",
    "FetchSnapshotResponse": "Topics.Partitions.UnalignedRecords",
}


@pytest.mark.parametrize(("message", "path"), RECORDS.items())
def test_the_cases_of_a_message_have_valid_records(message: str, path: str) -> None:
    schema = RELEASE.schema(message, 11 if message == "ProduceRequest" else 1 if "Snapshot" in message else 17)
    cases = list(real_records_cases(schema))
    assert cases
    for case in cases:
        assert case.what.endswith(SUFFIX)
        assert judge_records(item_at(case.value, path)).result is Result.VALID
        assert encode(schema, case.value)


def test_a_producer_sends_one_batch() -> None:
    assert {case.what for case in real_records_cases(PRODUCE)} == {"plain-real-records", "gzip-real-records"}
    assert {case.what for case in real_records_cases(FETCH)} == {name + SUFFIX for name in real_records()}


def test_path_of_a_case_is_the_path_of_its_field() -> None:
    assert {case.path for case in real_records_cases(FETCH)} == {"Responses[0].Partitions[0].Records"}


def test_other_messages_have_no_such_cases() -> None:
    assert not list(real_records_cases(RELEASE.schema("HeartbeatRequest", 4)))
    assert not holds_records(RELEASE.schema("HeartbeatRequest", 4))


def records_in(value: Any) -> list[bytes]:
    if isinstance(value, list):
        return [found for item in value for found in records_in(item)]
    if not isinstance(value, dict):
        return []
    own = [value["Records"]] if isinstance(value.get("Records"), bytes) else []
    return own + [found for item in value.values() for found in records_in(item)]


def test_the_profile_real_fills_records_fields_with_batches() -> None:
    """Every one can be read, and some are not empty."""
    drawn = [found for number in range(40) for found in records_in(sample(FETCH, str(number), records="real"))]
    assert any(decode_records(wire)["batches"] for wire in drawn)


def test_the_profile_opaque_is_the_default() -> None:
    assert sample(FETCH, "seed") == sample(FETCH, "seed", records="opaque")
