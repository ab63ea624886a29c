"""The examples of the chapter on record batches, with a whole field as a subject, and the checks of its tables.

| record | result | rules |                          one record, in a batch of its own
| batches | result | rules | consumer | broker |     a whole field, with the reactions of Apache Kafka's readers
"""

from collections.abc import Callable, Mapping
from typing import Any

from conformance.definitions.book import TableRow, bytes_of
from conformance.generate.record_building import batch, holding, message
from reference import Observed, encode_records, judge_records, records_from_json, records_to_json
from reference.definitions.model import Definition
from tests.specs.subjects import Judgement

NONE = "-"
PLAIN = records_to_json({"batches": [batch(baseTimestamp=0, maxTimestamp=0)], "partial": b""})["batches"][0]
RECORD = PLAIN["records"][0]
MESSAGE = records_to_json({"batches": [message(timestamp=0)], "partial": b""})["batches"][0]


class Batches:
    """A whole field of record batches."""

    def value(self, form: Any) -> Any:
        """Return the value of a form, with its missing members 0, -1 or null."""
        return records_from_json({"batches": [_completed(each) for each in form["batches"]], "partial": ""})

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


def _completed(form: Any) -> Any:
    """A batch or a message with all of its members."""
    if "records" in form:
        return PLAIN | form | {"records": [RECORD | record for record in form["records"]]}
    messages = {"messages": [_completed(each) for each in form["messages"]]} if "messages" in form else {}
    plain = {name: item for name, item in MESSAGE.items() if name != "value" or not messages}
    return plain | form | messages


def check_record(row: TableRow, definitions: Mapping[str, Definition]) -> None:
    """The only record of a batch has this verdict."""
    assert not definitions
    verdict = judge_records(holding(bytes_of(row["record"])))
    assert (str(verdict.result), verdict.rules) == (row["result"], rules_of(row))


def check_batches(row: TableRow, definitions: Mapping[str, Definition]) -> None:
    """Check the verdict on the field, and the reactions of Apache Kafka's readers."""
    assert not definitions
    verdict = judge_records(bytes_of(row["batches"]))
    assert (str(verdict.result), verdict.rules) == (row["result"], rules_of(row))
    assert (observed(verdict.client), observed(verdict.broker)) == (row["consumer"], row["broker"])


def rules_of(row: TableRow) -> tuple[str, ...]:
    return () if row["rules"] == NONE else tuple(row["rules"].split())


def observed(reader: Observed | None) -> str:
    assert reader is not None
    return f"{reader.does}, {reader.exception}" if reader.exception else str(reader.does)


RECORD_CHECKS: dict[tuple[str, ...], Callable[[TableRow, Mapping[str, Definition]], None]] = {
    ("record", "result", "rules"): check_record,
    ("batches", "result", "rules", "consumer", "broker"): check_batches,
}
