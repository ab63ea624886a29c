"""Records compared with Apache Kafka's writer, consumer and broker.

Both sides write generated fields. Plain batches must have the same bytes, and the reference decompresses compressed
ones. Both of Apache Kafka's readers get all fields, damaged ones too. Each must do as `judge_records` predicts: accept
with that value, or refuse with that exception.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.campaign.proof.proof import ProofResult, Question, compare
from conformance.generate.drawn_records import sample_message_set, sample_records
from conformance.targets import DECODE, Ask, RecordsField, places, records_difference, shown
from conformance.targets.listed import hostile_message_set, hostile_records
from conformance.targets.outcome import REFUSALS, Kind
from conformance.targets.record_claims import RecordsClaims
from reference import (
    ApacheKafka,
    Malformed,
    Result,
    decode_records,
    judge_records,
    records_from_json,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
    from conformance.campaign.proof.proof import Check
    from reference import Observed, RecordsVerdict

    Reply = Mapping[str, Any]

FIELD = RecordsField()
DAMAGED_FOR_EACH = 3
MESSAGE_SETS_OF = 4
"""The number of generated fields of batches for one message set and one damaged message set."""
NAMED_BYTES = 1_500
BATCH = 500
BEYOND_MEMORY, BEYOND_BOUND = "records beyond the heap", "records beyond the bound"
TWO_FAULTS = "records with two faults"
"""Fields refused by both, each for another of their faults. They are among the cases of their kind."""
OF_STREAMS = frozenset(("codec.corrupt", "codec.trailing-bytes", "lz4.independent-blocks", "lz4.other-forms"))
OF_RECORDS = frozenset(("InvalidRecordException", "CorruptRecordException"))
SHOWN = RecordsClaims(wrapped_messages="delivered", log_append_deltas="hidden", hidden=frozenset(("unusedAttributes",)))
"""The parts of a value that Apache Kafka's classes show."""


def compare_records(kafka: ApacheKafkaJvm, release: str, count: int, comparison: ProofResult) -> Iterator[int]:
    """Compare `count` generated fields, with damaged ones and message sets, and yield the size of each batch."""
    for start in range(0, count, BATCH):
        indices = range(start, min(start + BATCH, count))
        compare(kafka, _questions(indices, release, comparison), comparison)
        yield len(indices)


def _questions(indices: range, release: str, comparison: ProofResult) -> Iterator[Question]:
    def asked(name: str, wire: bytes) -> Iterator[Question]:
        return ProvenBytes(name, wire, judge_records(wire, release=release), comparison).questions()

    for index in indices:
        yield from _written_and_read(sample_records(f"prove/{index}"), f"records generated/{index}", asked)
        for number in range(DAMAGED_FOR_EACH):
            yield from asked(f"records hostile/{index}/{number}", hostile_records(f"prove/{index}/{number}"))
        if index % MESSAGE_SETS_OF == 0:
            yield from _written_and_read(sample_message_set(f"prove/{index}"), f"records legacy/{index}", asked)
            yield from asked(f"records legacy damaged/{index}", hostile_message_set(f"prove/{index}"))


def _written_and_read(
    value: dict[str, Any], name: str, asked: Callable[[str, bytes], Iterator[Question]]
) -> Iterator[Question]:
    wire = FIELD.write(value)
    kind, _, index = name.partition("/")
    yield Question.to_write(f"{kind} written", name, FIELD, value, written_records(value, wire))
    # Every fourth field ends in a part of a batch.
    tail = b"" if int(index) % 4 else wire[: min(len(wire), 60 + int(index) % 7)][:-1]
    yield from asked(name, wire + tail)


def written_records(value: Mapping[str, Any], wire: bytes) -> Check:
    """Return a check for the same field as the reference's. Compressed streams may differ, but not their content."""
    compressed = any(batch["compression"] != "none" for batch in value["batches"])

    def check(reply: Reply) -> str | None:
        if reply["outcome"] == "unrepresentable":
            return None
        if reply["outcome"] != "bytes":
            return f"Apache Kafka does not write {wire.hex()[:NAMED_BYTES]}: {dict(reply)}"
        if not compressed:
            return None if reply["wire"] == wire.hex() else f"the reference writes {wire.hex()}, not {reply['wire']}"
        return _content_difference(value, bytes.fromhex(reply["wire"]))

    return check


def _content_difference(value: Mapping[str, Any], wire: bytes) -> str | None:
    try:
        read = decode_records(wire)
    except Malformed as error:
        if error.rule.startswith("control."):
            return None
        return f"the reference does not read what Apache Kafka writes, {wire.hex()[:NAMED_BYTES]}: {error}"
    return None if read == value else f"Apache Kafka writes {wire.hex()[:NAMED_BYTES]}, which is {read}"


@dataclass(frozen=True)
class ProvenBytes:
    """Bytes for both of Apache Kafka's readers."""

    name: str
    """Its kind is the part before the first slash."""
    wire: bytes
    verdict: RecordsVerdict
    comparison: ProofResult

    def questions(self, kind: str = "") -> Iterator[Question]:
        """Yield a question for each reader, counted under a kind or that of the name."""
        kind = kind or self.name.partition("/")[0]
        name = f"{self.name} {self.wire.hex()[:NAMED_BYTES]}"
        request = Ask(DECODE, FIELD, self.wire).request
        readers = {"client": ("consumed", self.client_difference), "broker": ("appended", self.broker_difference)}
        for path, (what, check) in readers.items():
            yield Question(f"{kind} {what}", f"{name} {path}", {**request, "path": path}, check)

    def client_difference(self, reply: Reply) -> str | None:
        """Return the difference of the consumer from the verdict, or None."""
        difference = self._difference(self.verdict.client, reply)
        if difference is not None or reply["outcome"] != "value" or self.verdict.value is None:
            return difference
        found = records_difference(shown(SHOWN, with_text_keys(self.verdict.value)), records_from_json(reply["value"]))
        if found is not None:
            return f"the consumer reads {found.actual} at {found.path}, expected {found.expected}"
        expected = absolute_places(self.verdict.value)
        return None if expected == reply["absolute"] else f"the places are {reply['absolute']}, expected {expected}"

    def broker_difference(self, reply: Reply) -> str | None:
        """Return the difference of the broker from the verdict, or None."""
        return self._difference(self.verdict.broker, reply)

    def _difference(self, observed: Observed | None, reply: Reply) -> str | None:
        if observed is None:
            self.comparison.cases[BEYOND_BOUND] += 1
            return None
        if reply["outcome"] == Kind.EXHAUSTED_MEMORY:
            self.comparison.cases[BEYOND_MEMORY] += 1
            return "valid bytes exhaust the memory" if self.verdict.result is Result.VALID else None
        if _has_two_faults(self.verdict, observed, reply):
            self.comparison.cases[TWO_FAULTS] += 1
            return None
        return _outcome_difference(observed, reply)


def _has_two_faults(verdict: RecordsVerdict, observed: Observed, reply: Reply) -> bool:
    """Return whether one side met a fault of the stream, and the other a wrong record, as Kafka reads both at once."""
    if OF_STREAMS.isdisjoint(verdict.rules) or observed.does is ApacheKafka.ACCEPTS:
        return False
    if reply["outcome"] not in REFUSALS:
        return False
    exceptions = {observed.exception, reply["class"].rpartition(".")[2]}
    return len(exceptions) > 1 and not OF_RECORDS.isdisjoint(exceptions)


def _outcome_difference(observed: Observed, reply: Reply) -> str | None:
    accepted = reply["outcome"] == "value"
    answer = {name: reply[name] for name in ("outcome", "class", "during", "text") if name in reply}
    if accepted != (observed.does is ApacheKafka.ACCEPTS) or not (accepted or reply["outcome"] in REFUSALS):
        return f"expected {observed}, Apache Kafka says {answer}"
    if accepted or reply["class"].rpartition(".")[2] == observed.exception:
        return None
    return f"expected {observed.exception} by {observed.rule}, Apache Kafka throws {answer}"


def absolute_places(value: Mapping[str, Any]) -> list[list[list[str]]]:
    """Return offset and timestamp of each record, in the form of the harness's replies."""
    return [[[str(offset), str(timestamp)] for offset, timestamp in places(batch)] for batch in value["batches"]]


def with_text_keys(value: dict[str, Any]) -> dict[str, Any]:
    """Return a value with header keys as the text shown by Apache Kafka. Bytes outside of UTF-8 become U+FFFD."""
    return {**value, "batches": [_with_text_keys(batch) for batch in value["batches"]]}


def _with_text_keys(batch: dict[str, Any]) -> dict[str, Any]:
    records = [
        {**record, "headers": [(_text(key), data) for key, data in record["headers"]]}
        for record in batch.get("records", ())
    ]
    return batch | ({"records": records} if "records" in batch else {})


def _text(key: str | bytes) -> str:
    return key if isinstance(key, str) else key.decode(errors="replace")
