"""The verdict on a `records` field: what the format asks of a reader, and what Apache Kafka's two readers do.

The consumer reads what a broker sends, the broker what a producer sends; they disagree in both directions. Every
invalid field is refused by the consumer. The broker takes some of them: it does not look at the lengths of records that
are compressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from reference.errors import Malformed, Reason, Unencodable
from reference.oracle import ApacheKafka, Result
from reference.records.broker import Rejected, append
from reference.records.reading import BoundReached, MalformedRecords, Reading, default_limit, reader_bounds
from reference.records.records_field import PARTIAL, read_field, write_field
from reference.release import newest_release
from reference.wire.stream import LenientReader

HARMLESS = frozenset(("batch.attributes-unused", "record.attributes-unused", "field.partial-tail"))
"""What every reader must take, though no writer writes it."""

DESYNCHRONISING = frozenset(("varint.excess-bits", "lz4.end-mark", "lz4.one-frame", "message.inner-magic"))
"""After these, sound readers go on from different places: whatever follows, the result is open."""

INVALID_RECORD = "InvalidRecordException"
EXCEPTIONS = {
    "batch.length": "CorruptRecordException",
    "batch.magic": "CorruptRecordException",
    "batch.crc": "CorruptRecordException",
    "batch.length-overflow": "IllegalArgumentException",
    "batch.codec": "IllegalArgumentException",
    "message.crc": "CorruptRecordException",
}
"""The class that the consumer throws, by rule; `INVALID_RECORD` for all others."""


@dataclass(frozen=True)
class Observed:
    """The behaviour of one of Apache Kafka's readers on a field."""

    does: ApacheKafka
    exception: str = ""
    """The class of what stops it, without its package. With several faults it may be that of another one: records are
    read while they are decompressed, in pieces whose size is not part of the format."""
    rule: str = ""
    """The id of the rule behind that."""


ACCEPTS = Observed(ApacheKafka.ACCEPTS)


@dataclass(frozen=True)
class RecordsVerdict:
    """Three independent facts about some bytes: the result, and what each of Apache Kafka's readers does."""

    result: Result
    rules: tuple[str, ...]
    """The ids of the rules that the bytes depart from, in order; the last one says why they are invalid."""
    client: Observed | None
    """Apache Kafka's consumer; None if the bound of decompression was reached."""
    broker: Observed | None
    """Apache Kafka's broker, to which the field is sent in a Produce request; None as above."""
    reason: Reason | None = None
    offset: int | None = None
    """Of invalid bytes: the first wrong one; inside of a compressed stream, where the stream begins."""
    within: int | None = None
    """Index of the first wrong byte in the decompressed records, if it is there."""
    path: str = ""
    detail: str = ""
    value: dict[str, Any] | None = None
    """What the consumer reads, if it accepts."""
    bound_reached: bool = False
    """Whether more comes out of the compressed streams than the bound allows."""
    declared: int = 0
    """The largest size in bytes that a compressed stream says, of its content or of what a reader has to keep of it."""

    @cached_property
    def canonical(self) -> bytes | None:
        """The bytes of the value's batches; None if nobody writes them. What is compressed may have other bytes."""
        if self.value is None:
            return None
        try:
            return write_field({**self.value, PARTIAL: b""})
        except Unencodable:
            return None


def judge_records(
    wire: bytes, *, limit: int | None = None, check_crc: bool = True, release: str | None = None
) -> RecordsVerdict:
    """Return the verdict on a whole `records` field; never refuses bytes.

    Args:
        wire: the field, without its length.
        limit: how many bytes may come out of its compressed streams; None: 16 MiB, and 64 for each byte of `wire`.
        check_crc: whether the reader is asked to check CRCs, as a consumer is by `check.crcs`. A broker always does.
        release: of Apache Kafka, whose readers are observed; None: the newest.
    """
    limit = default_limit(wire) if limit is None else limit
    reader = LenientReader(wire)
    reading = Reading(reader, limit, check_crc, reader_bounds(release or newest_release()))
    try:
        value = read_field(reading)
    except BoundReached as error:
        rules = _rules(reader)
        return RecordsVerdict(
            Result.UNSPECIFIED, rules, None, None, detail=error.detail, bound_reached=True, declared=reading.declared
        )
    except Malformed as error:
        return _rejected(reading, error)
    rules = _rules(reader)
    result = Result.VALID if HARMLESS.issuperset(rules) else Result.UNSPECIFIED
    return RecordsVerdict(result, rules, ACCEPTS, _broker(reading, value), value=value, declared=reading.declared)


def _rules(reader: LenientReader) -> tuple[str, ...]:
    return tuple(deviation.rule for deviation in reader.deviations)


def _rejected(reading: Reading, error: Malformed) -> RecordsVerdict:
    reader = reading.reader
    rules = _rules(reader) if isinstance(reader, LenientReader) else ()
    client = Observed(ApacheKafka.REJECTS, exception_of(error), error.rule)
    broker = _broker(reading, None)
    if error.reason is None or not DESYNCHRONISING.isdisjoint(rules):
        return RecordsVerdict(Result.UNSPECIFIED, rules, client, broker, detail=error.detail, declared=reading.declared)
    return RecordsVerdict(
        Result.INVALID,
        (*rules, error.rule),
        client,
        broker,
        reason=error.reason,
        offset=error.offset,
        within=error.within if isinstance(error, MalformedRecords) else None,
        path=error.path,
        detail=error.detail,
        declared=reading.declared,
    )


def exception_of(error: Malformed) -> str:
    """Return the class that Apache Kafka's consumer throws where reading stops."""
    if isinstance(error, MalformedRecords):
        if error.exception:
            return error.exception
        if error.rule == "varint.too-long" and error.path.endswith("].length") and error.within is None:
            return "IllegalArgumentException"
    return EXCEPTIONS.get(error.rule, INVALID_RECORD)


def _broker(reading: Reading, value: dict[str, Any] | None) -> Observed:
    try:
        append(reading, value)
    except Rejected as error:
        return Observed(ApacheKafka.REJECTS, error.exception, error.rule)
    return ACCEPTS
