from typing import Any

import pytest

from conformance.generate.drawn_records import sample_records
from conformance.generate.record_building import batch, message, record, wrapper
from conformance.judge.checks.generated_records import reduced_records, rule_of_remainder
from reference import Unencodable, encode_records


def field(*batches: dict[str, Any]) -> dict[str, Any]:
    return {"batches": list(batches), "partial": b""}


def has_header(value: dict[str, Any]) -> bool:
    try:
        encode_records(value)
    except Unencodable:
        return False
    return any(record["headers"] for batch in value["batches"] for record in batch["records"])


def test_value_is_reduced_to_its_failing_part() -> None:
    value = next(value for value in map(sample_records, map(str, range(100))) if has_header(value))
    [only] = reduced_records(value, has_header)["batches"]
    [held] = only["records"]
    assert only == batch(held, lastOffsetDelta=only["lastOffsetDelta"])
    assert held == record(held["offsetDelta"], headers=held["headers"][:1])


def test_smallest_value_stays() -> None:
    value = field(batch())
    assert reduced_records(value, lambda tried: tried == value) == value


@pytest.mark.parametrize(("value", "rule"), [
    (field(), "field.empty"),
    (field(batch(), batch()), "field.batches"),
    (field(message(), batch()), "field.mixed-magic"),
    (field(batch(transactional=True)), "batch.attributes"),
    (field(batch(record(attributes=1))), "record.attributes-unused"),
    (field(wrapper(message(0), message(1))), "message.wrapper"),
    (field(message(timestampType="log-append")), "message.timestamps"),
    (field(batch(producerId=1, producerEpoch=1)), "batch.producer"),
    (field(batch(record(attributes=1, key=b"k"))), "record.attributes-unused"),
])  # fmt: skip
def test_the_only_departure_names_the_rule(value: dict[str, Any], rule: str) -> None:
    assert rule_of_remainder(value) == rule


@pytest.mark.parametrize("value", [
    field(batch()),
    field(batch(record(key=b"k"), transactional=True)),
])  # fmt: skip
def test_no_departure_and_several_name_none(value: dict[str, Any]) -> None:
    assert not rule_of_remainder(value)
