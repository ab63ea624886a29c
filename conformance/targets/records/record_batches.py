"""The contents of a `records` field, record batches and message sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.targets.plain_values import copy_of
from conformance.targets.records.shown_records import comparable, records_difference, shown
from conformance.targets.target import Json, Target
from reference import (
    Difference,
    Verdict,
    decode_records,
    encode_records,
    judge_records,
    newest_release,
    records_from_json,
    records_spans,
    records_to_json,
)
from reference.records.compression import CODECS as COMPRESSIONS

if TYPE_CHECKING:
    from conformance.targets.claims import Claims
    from reference import RecordsVerdict, Span

RECORD_BATCHES = "record-batches"
"""The name of the target in options, reports and known failures."""
RECORD_GROUPS = ("batches", *COMPRESSIONS, "message-sets")
"""The groups of its cases."""


@dataclass(frozen=True)
class RecordsField(Target):
    """A whole `records` field, without its length."""

    release: str = ""
    """The release of Apache Kafka for the readers in verdicts; empty for the newest."""

    message = RECORD_BATCHES
    version = 0
    folder = "records"

    def function(self, what: str) -> str:
        return f"{what}_records"

    def arguments(self, what: str, content: Any) -> tuple[Any, ...]:  # noqa: ARG002  # they are the same for both
        return (copy_of(content),)

    def write(self, content: Any) -> bytes:
        return encode_records(content)

    def read(self, wire: bytes) -> Any:
        return decode_records(wire)

    def spans(self, wire: bytes) -> tuple[Span, ...]:
        return records_spans(wire)

    def observe(self, wire: bytes, *, check_crc: bool = True) -> RecordsVerdict:
        """Return the verdict with both of Apache Kafka's readers."""
        return judge_records(wire, check_crc=check_crc, release=self.release or newest_release())

    def judge(self, wire: bytes) -> Verdict:
        verdict = self.observe(wire)
        consumer = None if verdict.client is None else verdict.client.does
        error = verdict.reason, verdict.offset, verdict.path
        return Verdict(verdict.result, verdict.rules, consumer, *error, value=verdict.value)

    def expected(self, claims: Claims, content: Any) -> Any:
        return shown(claims.records, content)

    def difference(self, claims: Claims, expected: Any, actual: Any) -> Difference | None:
        return records_difference(expected, comparable(claims.records, actual))

    def to_json(self, content: Any) -> Any:
        return records_to_json(content)

    def from_json(self, form: Any) -> Any:
        return records_from_json(form)

    def identity(self, what: str) -> Json:  # noqa: ARG002  # they are the same for both
        return {}
