"""Headers of batches, written or read wrong."""

from copy import deepcopy
from functools import partial
from typing import Any

from conformance.codec.record_claims import RecordsClaims
from conformance.codec.targets.shown_records import shown
from reference import encode_records
from reference.records.checksums import crc32, crc32c
from reference.records.layouts import COVERED_FROM, CRC, HEADER_SIZE, MAGIC_AT, OVERHEAD
from tests.mutants.records_forms import (
    BATCH,
    Read,
    RecordsMutant,
    Tamper,
    Value,
    each,
    header,
    is_batch,
    is_whole,
    parts,
    read_after,
    read_leniently,
    refusing,
    refusing_values,
    taking,
    then,
    written,
)

TRANSACTIONAL, CONTROL, LOG_APPEND = 0x10, 0x20, 0x08
FLATTENED = RecordsClaims(batches="flattened")


def crc(sum_of: Any, start: int = COVERED_FROM, end: int | None = None) -> Tamper:
    """Another checksum of a batch, or one of other bytes."""
    return each(lambda part: part[: CRC.start] + sum_of(part, start, end) + part[COVERED_FROM:])


def crc_32(part: bytes, start: int, _end: int | None) -> bytes:
    return crc32(part[start:])


def crc_32c(part: bytes, start: int, end: int | None) -> bytes:
    """The CRC-32C of everything from `start` on, save the CRC itself."""
    return crc32c(part[start : CRC.start] + part[COVERED_FROM:end])


def right_crc(tamper: Tamper) -> Tamper:
    """The sound CRC, where this other one is right; any other CRC is left wrong."""

    def fixed(part: bytes) -> bytes:
        sound = part[: CRC.start] + crc32c(part[COVERED_FROM:]) + part[COVERED_FROM:]
        return sound if tamper(sound) == part else part[: CRC.start] + bytes(4) + part[COVERED_FROM:]

    return each(fixed)


def bits_swapped(one: int, other: int) -> Tamper:
    def swapped(fields: Value) -> Value:
        bits = fields["attributes"]
        both = (one if bits & other else 0) | (other if bits & one else 0)
        return {"attributes": bits & ~(one | other) | both}

    return header(swapped)


def without_bits(bits: int) -> Tamper:
    return header(lambda fields: {"attributes": fields["attributes"] & ~bits})


def little_endian(start: int, end: int) -> Tamper:
    """A number of the header with its bytes reversed, under a right CRC."""

    def reversed_bytes(part: bytes) -> bytes:
        if not is_batch(part):
            return part
        part = part[:start] + part[start:end][::-1] + part[end:]
        return part[: CRC.start] + crc32c(part[COVERED_FROM:]) + part[COVERED_FROM:]

    return each(reversed_bytes)


def swapped(one: str, other: str) -> Tamper:
    return header(lambda fields: {one: fields[other], other: fields[one]})


def length_more_by(count: int) -> Tamper:
    def more(part: bytes) -> bytes:
        return part[:8] + (len(part) - OVERHEAD + count).to_bytes(4, "big") + part[OVERHEAD:]

    return each(more)


def short_batch_ends_the_field(wire: bytes) -> bytes:
    """A batch that is shorter than its header is taken for an incomplete one."""
    kept = b""
    for part in parts(wire):
        if is_whole(part) and part[MAGIC_AT] == BATCH and len(part) < HEADER_SIZE:
            break
        kept += part
    return kept


def magic_3_as_2(part: bytes) -> bytes:
    return part[:MAGIC_AT] + b"\2" + part[MAGIC_AT + 1 :]


def max_timestamp_of_the_last(value: Value) -> bytes:
    """The maximum timestamp is that of the last record, where that is not the time of the append."""
    encode_records(value)
    wire = b""
    for batch in value["batches"]:
        last = batch["records"][-1]["timestampDelta"] if batch.get("records") else None
        sound = encode_records({"batches": [batch]})
        if last is not None and batch["timestampType"] == "create":
            sound = header(partial(_with_last, last))(sound)
        wire += sound
    return wire


def _with_last(delta: int, fields: Value) -> Value:
    return {"maxTimestamp": fields["baseTimestamp"] + delta}


def last_offset_of_the_count(batch: Value) -> None:
    if "records" in batch:
        batch["lastOffsetDelta"] = len(batch["records"]) - 1


def flattened(change: Any) -> Read:
    """A reader that adds offsets and timestamps up, of batches that it takes for other ones."""

    def read(wire: bytes) -> Value:
        value = read_leniently(wire)
        return shown(FLATTENED, value | {"batches": [change(deepcopy(batch)) for batch in value["batches"]]}) or {}

    return read


def as_created(batch: Value) -> Value:
    return batch | {"timestampType": "create"}


def at_the_horizon(batch: Value) -> Value:
    """Deltas count from the maximum timestamp where the base timestamp is the horizon."""
    return batch | {"baseTimestamp": batch["maxTimestamp"]} if batch.get("deleteHorizon") else batch


def horizon_refused(batch: Value) -> bool:
    return bool(batch.get("deleteHorizon"))


def _control_key(batch: Value, at: int) -> int:
    """The version, at 0, or the type, at 2, of the first record of a control batch; else 0."""
    key = batch["records"][0]["key"] if batch.get("control") and batch["records"] else None
    return int.from_bytes((key or bytes(4))[at : at + 2], "big")


def _both(name: str, rule: str, tamper: Tamper, back: Tamper | None = None) -> RecordsMutant:
    return RecordsMutant(name, rule, written(tamper), read_after(back or tamper))


def _writer(name: str, rule: str, tamper: Tamper) -> RecordsMutant:
    return RecordsMutant(name, rule, written(tamper))


HEADERS = (
    _both("base-offset-little-endian", "batch.header-layout", little_endian(0, 8)),
    _both("base-timestamp-little-endian", "batch.header-layout", little_endian(27, 35)),
    _writer("timestamps-in-another-order", "batch.header-layout", swapped("baseTimestamp", "maxTimestamp")),
    _writer("base-offset-not-written", "batch.header-layout", header(lambda _: {"baseOffset": 0})),
    _both("flags-swapped", "batch.attributes", bits_swapped(TRANSACTIONAL, CONTROL)),
    _writer("transactional-flag-not-written", "batch.attributes", without_bits(TRANSACTIONAL)),
    _writer("timestamp-type-not-written", "batch.attributes", without_bits(LOG_APPEND)),
    RecordsMutant(
        "timestamp-type-not-read", "batch.attributes", reads=then(lambda batch: batch.update(timestampType="create"))
    ),
    RecordsMutant(
        "unused-bits-of-a-batch-refused", "batch.attributes-unused", reads=refusing("batch.attributes-unused")
    ),
    _both("crc-32-of-a-batch", "batch.crc", crc(crc_32), right_crc(crc(crc_32))),
    _writer("crc-not-written", "batch.crc", crc(lambda *_: bytes(4))),
    _both("crc-from-the-magic", "batch.crc-scope", crc(crc_32c, MAGIC_AT), right_crc(crc(crc_32c, MAGIC_AT))),
    _writer("crc-from-the-leader-epoch", "batch.crc-scope", crc(crc_32c, OVERHEAD)),
    _writer("crc-from-the-base-offset", "batch.crc-scope", crc(crc_32c, 0)),
    _writer("crc-of-the-header-alone", "batch.crc-scope", crc(crc_32c, COVERED_FROM, HEADER_SIZE)),
    _writer("length-counts-the-overhead", "batch.length", length_more_by(OVERHEAD)),
    RecordsMutant("short-batch-taken-for-a-part", "batch.length", reads=read_after(short_batch_ends_the_field)),
    RecordsMutant("magic-3-read-as-2", "batch.magic", reads=read_after(each(magic_3_as_2, 3))),
    RecordsMutant("max-timestamp-of-the-last-record", "batch.max-timestamp", max_timestamp_of_the_last),
    _writer("max-timestamp-is-the-base", "batch.max-timestamp", header(lambda f: {"maxTimestamp": f["baseTimestamp"]})),
    _both(
        "last-offset-one-more",
        "batch.last-offset-delta",
        header(lambda f: {"lastOffsetDelta": f["lastOffsetDelta"] + 1}),
        header(lambda f: {"lastOffsetDelta": f["lastOffsetDelta"] - 1}),
    ),
    RecordsMutant("last-offset-of-the-count", "batch.last-offset-delta", reads=then(last_offset_of_the_count)),
    RecordsMutant(
        "last-offset-beyond-refused",
        "batch.last-offset-delta",
        reads=refusing_values(
            lambda batch: (
                "records" in batch
                and bool(batch["records"])
                and batch["lastOffsetDelta"] > batch["records"][-1]["offsetDelta"]
            ),
            "batch.last-offset-delta",
        ),
    ),
    _writer("producer-id-not-written", "batch.producer", header(lambda _: {"producerId": -1})),
    _both(
        "producer-fields-swapped",
        "batch.producer",
        header(
            lambda f: {
                "producerEpoch": f["baseSequence"] & 0x7FFF if f["baseSequence"] >= 0 else -1,
                "baseSequence": f["producerEpoch"],
            }
        ),
    ),
    RecordsMutant(
        "sequence-read-as-0",
        "batch.producer",
        reads=then(
            lambda batch: (
                batch.update(baseSequence=max(batch.get("baseSequence", 0), 0)) if "records" in batch else None
            )
        ),
    ),
)

TIMES = (
    RecordsMutant(
        "log-append-time-not-applied", "batch.log-append-time", reads=flattened(as_created), claims=FLATTENED
    ),
    RecordsMutant(
        "delete-horizon-not-looked-at", "batch.delete-horizon", reads=flattened(at_the_horizon), claims=FLATTENED
    ),
    RecordsMutant(
        "delete-horizon-refused", "batch.delete-horizon", reads=refusing_values(horizon_refused, "batch.attributes")
    ),
)

CONTROL_BATCHES = (
    RecordsMutant(
        "later-control-key-refused",
        "control.key-later-version",
        reads=refusing_values(lambda batch: _control_key(batch, 0) > 0, "control.key"),
    ),
    RecordsMutant(
        "unknown-control-type-refused",
        "control.unknown-type",
        reads=refusing_values(lambda batch: _control_key(batch, 2) > 6, "control.key"),
    ),
)


REFUSED = (
    RecordsMutant("numbers-below-none-written", "batch.negative-field", taking("batch.negative-field")),
    RecordsMutant("any-max-timestamp-written", "batch.max-timestamp", taking("batch.max-timestamp")),
    RecordsMutant(
        "last-offset-below-the-records-written", "batch.last-offset-delta", taking("batch.last-offset-delta")
    ),
    RecordsMutant("timestamps-beyond-64-bits-written", "record.timestamp-wrap", taking("record.timestamp-wrap")),
    RecordsMutant("no-records-compressed", "batch.empty-with-bytes", taking("batch.empty-with-bytes")),
    RecordsMutant("offset-deltas-in-any-order-written", "record.offset-delta", taking("record.offset-delta")),
    RecordsMutant("null-header-key-written", "header.key-null", taking("header.key-null")),
    RecordsMutant("wrapper-without-messages-written", "message.wrapper", taking("message.wrapper")),
    RecordsMutant("wrapper-of-mixed-magics-written", "message.inner-magic", taking("message.inner-magic")),
    RecordsMutant("wrapper-below-its-last-offset-written", "message.offsets", taking("message.offsets")),
)

MUTANTS = (*HEADERS, *TIMES, *CONTROL_BATCHES, *REFUSED)
