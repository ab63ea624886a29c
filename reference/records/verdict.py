"""The verdict on a `records` field, by the format and by Apache Kafka's two readers.

The consumer reads fields of a broker, and refuses every invalid one. The broker reads those of a producer. It refuses
some that the consumer accepts, and accepts some invalid ones, since it does not check lengths of compressed records.

>>> judge_records(b"").result, judge_records(b"").client.does, judge_records(b"").broker.rule
(<Result.VALID: 'valid'>, <ApacheKafka.ACCEPTS: 'accepts'>, 'produce.one-batch')
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
"""Deviations that every reader must accept, though no writer makes them."""

DESYNCHRONISING = frozenset(("varint.excess-bits", "lz4.end-mark", "lz4.one-frame", "message.inner-magic"))
"""Deviations after which correct readers continue from different places, so that the result is open."""

INVALID_RECORD = "InvalidRecordException"
EXCEPTIONS = {
    "batch.length": "CorruptRecordException",
    "batch.magic": "CorruptRecordException",
    "batch.crc": "CorruptRecordException",
    "batch.length-overflow": "IllegalArgumentException",
    "batch.codec": "IllegalArgumentException",
    "message.crc": "CorruptRecordException",
}
"""The class thrown by the consumer, by rule; `INVALID_RECORD` for all others."""


@dataclass(frozen=True)
class Observed:
    """The behaviour of one of Apache Kafka's readers on a field."""

    does: ApacheKafka
    exception: str = ""
    """The class of the exception that stops the reader, without its package.

    With several faults it may be that of another one: Apache Kafka reads records while it decompresses them.
    """
    rule: str = ""
    """The id of the rule that leads to the exception."""


ACCEPTS = Observed(ApacheKafka.ACCEPTS)


@dataclass(frozen=True)
class RecordsVerdict:
    """The verdict on some bytes, the demand of the format and the independent behaviour of Apache Kafka's readers."""

    result: Result
    rules: tuple[str, ...]
    """The ids of the violated rules, in order of place. Of invalid bytes the last one is the reason for it."""
    client: Observed | None
    """Apache Kafka's consumer; None if the bound of decompression was reached."""
    broker: Observed | None
    """Apache Kafka's broker, as a reader of the field in a Produce request; None as above."""
    reason: Reason | None = None
    offset: int | None = None
    """Of invalid bytes: the index of the first wrong one; in a compressed stream, the offset of the stream."""
    within: int | None = None
    """The index of the first wrong byte in the decompressed records, if it is there."""
    path: str = ""
    detail: str = ""
    value: dict[str, Any] | None = None
    """The value read by the consumer, if it accepts."""
    bound_reached: bool = False
    """Whether the compressed streams have more content than the bound allows."""
    declared: int = 0
    """The largest size in bytes declared in a compressed stream, of its content or of the memory for reading it."""

    @cached_property
    def canonical(self) -> bytes | None:
        """The bytes of the value's batches, perhaps other ones if compressed, or None if no writer writes them."""
        if self.value is None:
            return None
        try:
            return write_field({**self.value, PARTIAL: b""})
        except Unencodable:
            return None


def judge_records(
    wire: bytes, *, limit: int | None = None, check_crc: bool = True, release: str | None = None
) -> RecordsVerdict:
    """Return the verdict on a whole `records` field, for any bytes.

    Args:
        wire: the field, without its length.
        limit: the highest number of bytes from its compressed streams, by default 16 MiB and 64 for each byte of
            `wire`.
        check_crc: whether the consumer checks CRCs, as by its option `check.crcs`. A broker always does.
        release: the release of Apache Kafka with the observed readers, by default the newest.
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
    """Return the class thrown by Apache Kafka's consumer for an error."""
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
