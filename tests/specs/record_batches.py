"""The examples of the chapter on record batches: a whole field as a subject, and the checks of its tables.

| record | result | rules |                          one record, in a batch of its own
| batches | result | rules | consumer | broker |     a whole field, and what Apache Kafka's readers do with it
"""

import struct
from collections.abc import Callable, Mapping
from typing import Any

from reference import Observed, encode_records, judge_records, records_from_json
from reference.definitions.model import Definition
from reference.records.checksums import crc32c
from tests.specs.book import Row
from tests.specs.subjects import Judgement, bytes_of

NONE = "-"
HEADER = bytes.fromhex(
    "0000000000000000 00000000 ffffffff 02 00000000 0000 00000000 0000000000000000 0000000000000000"
    "ffffffffffffffff ffff ffffffff 00000001"
)
BATCH = {
    "magic": 2,
    "baseOffset": "0",
    "partitionLeaderEpoch": -1,
    "compression": "none",
    "timestampType": "create",
    "transactional": False,
    "control": False,
    "deleteHorizon": False,
    "unusedAttributes": 0,
    "lastOffsetDelta": 0,
    "baseTimestamp": "0",
    "maxTimestamp": "0",
    "producerId": "-1",
    "producerEpoch": -1,
    "baseSequence": -1,
}
RECORD = {"attributes": 0, "timestampDelta": "0", "offsetDelta": 0, "key": None, "value": None, "headers": []}


class Batches:
    """A whole field of record batches."""

    def value(self, form: Any) -> Any:
        """The value behind a form that leaves out what is 0, -1 or null."""
        batches = [
            {**BATCH, **batch, "records": [RECORD | record for record in batch["records"]]} for batch in form["batches"]
        ]
        return records_from_json({"batches": batches, "partial": ""})

    def encode(self, value: Any) -> bytes:
        return encode_records(value)

    def judge(self, wire: bytes) -> Judgement:
        verdict = judge_records(wire)
        accepted = verdict.value is not None
        return Judgement(
            verdict.result, verdict.rules, verdict.reason, verdict.offset, accepted=accepted, value=verdict.value
        )

    def equal(self, first: Any, second: Any) -> bool:
        return bool(first == second)


def check_record(row: Row, definitions: Mapping[str, Definition]) -> None:
    """The only record of a batch has this verdict."""
    assert not definitions
    verdict = judge_records(batch_of(bytes_of(row["record"])))
    assert (str(verdict.result), verdict.rules) == (row["result"], rules_of(row))


def check_batches(row: Row, definitions: Mapping[str, Definition]) -> None:
    """The field has this verdict, and Apache Kafka's readers do with it what the row says."""
    assert not definitions
    verdict = judge_records(bytes_of(row["batches"]))
    assert (str(verdict.result), verdict.rules) == (row["result"], rules_of(row))
    assert (observed(verdict.client), observed(verdict.broker)) == (row["consumer"], row["broker"])


def rules_of(row: Row) -> tuple[str, ...]:
    return () if row["rules"] == NONE else tuple(row["rules"].split())


def observed(reader: Observed | None) -> str:
    assert reader is not None
    return f"{reader.does}, {reader.exception}" if reader.exception else str(reader.does)


def batch_of(record: bytes) -> bytes:
    """A batch of one record that is these bytes."""
    wire = HEADER[:8] + struct.pack(">i", len(HEADER) - 12 + len(record)) + HEADER[12:] + record
    return wire[:17] + crc32c(wire[21:]) + wire[21:]


RECORD_CHECKS: dict[tuple[str, ...], Callable[[Row, Mapping[str, Definition]], None]] = {
    ("record", "result", "rules"): check_record,
    ("batches", "result", "rules", "consumer", "broker"): check_batches,
}
