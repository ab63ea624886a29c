"""Batches and messages made by hand.

Values are made from a few given fields. Bytes are changed, and sealed again with a right length and CRC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference import Result, Span, encode_records, judge_records
from reference.records.checksums import crc32, crc32c
from reference.records.compression import CODECS, lz4
from reference.records.layouts import BATCH_HEADER, COVERED_FROM, CRC, HEADER_SIZE, LENGTH, MAGIC_AT, OVERHEAD
from reference.records.record import RECORD
from reference.wire.numbers import INT32

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TIME = 1_700_000_000_000
MAGIC = 2
COMPUTED = frozenset(("length", "size", "crc"))
"""Members computed from the bytes of others, which `sealed` makes right."""
SMALLEST = bytes.fromhex(
    "0000000000000000 00000038 ffffffff 02 c428857f 0000 00000000 0000018bcfe56800 0000018bcfe56800"
    "ffffffffffffffff ffff ffffffff 00000001 0c000000010100"
)


def record(offset: int = 0, **changes: Any) -> dict[str, Any]:
    """Return a record without key, value and headers, with these changes."""
    fields: dict[str, Any] = {
        "attributes": 0,
        "timestampDelta": 0,
        "offsetDelta": offset,
        "key": None,
        "value": None,
        "headers": [],
    }
    return fields | changes


def batch(*records: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a batch of these records, or of a plain one, with the other fields fitting to them."""
    held = list(records) or [record()]
    return {
        "magic": 2,
        "baseOffset": 0,
        "partitionLeaderEpoch": -1,
        "compression": "none",
        "timestampType": "create",
        "transactional": False,
        "control": False,
        "deleteHorizon": False,
        "unusedAttributes": 0,
        "lastOffsetDelta": held[-1]["offsetDelta"],
        "baseTimestamp": TIME,
        "maxTimestamp": TIME + max(each["timestampDelta"] for each in held),
        "producerId": -1,
        "producerEpoch": -1,
        "baseSequence": -1,
        "records": held,
    } | changes


def message(offset: int = 0, *, magic: int = 1, **changes: Any) -> dict[str, Any]:
    """Return a message without a key, with these changes."""
    times = {"timestampType": "create", "timestamp": TIME} if magic else {}
    fields = {"magic": magic, "offset": offset, "compression": "none", **times, "unusedAttributes": 0}
    return fields | {"key": None, "value": b"v"} | changes


def wrapper(*messages: dict[str, Any], codec: str = "gzip", **changes: Any) -> dict[str, Any]:
    """Return the wrapper of these messages, with the fitting magic and offset."""
    fields = message(messages[-1]["offset"], magic=messages[0]["magic"], compression=codec, messages=list(messages))
    del fields["value"]
    return fields | changes


def wire(*batches: dict[str, Any]) -> bytes:
    """Return the bytes of a field of these batches and messages, in the form of a wrapper's stream as well."""
    return encode_records({"batches": list(batches)})


def sealed(data: bytes) -> bytes:
    """Return one batch or message with its length and CRC made right."""
    data = with_length(data, len(data) - OVERHEAD)
    if data[MAGIC_AT] == MAGIC:
        return _with_crc(data)
    return sealed_message(data)


def sealed_message(data: bytes) -> bytes:
    """Return one message of any magic with its size and CRC made right."""
    return with_length(data, len(data) - OVERHEAD)[:OVERHEAD] + crc32(data[MAGIC_AT:]) + data[MAGIC_AT:]


def with_length(data: bytes, length: int) -> bytes:
    """Return one batch or message with another length."""
    return data[: LENGTH.start] + INT32.write(length) + data[OVERHEAD:]


def _with_crc(data: bytes) -> bytes:
    return data[: CRC.start] + crc32c(data[COVERED_FROM:]) + data[COVERED_FROM:]


def entry_sealed(data: bytes, span: Span, spans: Sequence[Span], growth: int) -> bytes:
    """Return a message set with a right size and CRC of the message around a changed place."""
    prefix = span.path.rpartition(".")[0] + "."
    own = [other for other in spans if other.path.startswith(prefix)]
    start, end = own[0].start, own[-1].end + growth
    return data[:start] + sealed_message(data[start:end]) + data[end:]


def with_stream(data: bytes, stream: bytes, seal: Callable[[bytes], bytes] = sealed) -> bytes:
    """Return one batch or message with another stream, sealed; in a message, the length before it is made right."""
    if data[MAGIC_AT] == MAGIC:
        return seal(data[:HEADER_SIZE] + stream)
    key_at = MAGIC_AT + 2 + 8 * data[MAGIC_AT]
    value_at = key_at + 4 + max(INT32.parse(data[key_at : key_at + 4]), 0)
    return seal(data[:value_at] + INT32.write(len(stream)) + stream)


def with_content(data: bytes, codec: str, content: bytes, seal: Callable[[bytes], bytes] = sealed) -> bytes:
    """Return one batch or message with other bytes in its compressed stream, sealed."""
    is_legacy = codec == "lz4" and not data[MAGIC_AT]
    return with_stream(data, lz4.compress(content, legacy=True) if is_legacy else CODECS[codec].compress(content), seal)


def changed(data: bytes, field: str, value: int, *, seal: bool = True) -> bytes:
    """Return one batch with another number in a field of its header.

    Its CRC is made right if `seal` is given, but not for the fields `length` and `crc`.
    """
    place = BATCH_HEADER.at(field)
    data = data[: place.start] + BATCH_HEADER.part(field).wire_type.write(value) + data[place.stop :]
    return _with_crc(data) if seal and field not in {"length", "crc"} else data


def holding(payload: bytes, *, count: int = 1, codec: str = "none", **fields: int) -> bytes:
    """Return a batch with these bytes as its records or its compressed stream."""
    data = sealed(SMALLEST[:HEADER_SIZE] + payload)
    number = 0 if codec == "none" else CODECS[codec].number
    for field, value in {"attributes": number, "recordCount": count, "lastOffsetDelta": count - 1, **fields}.items():
        data = changed(data, field, value)
    return data


def compressed(payload: bytes, codec: str, **fields: Any) -> bytes:
    """Return a batch with these bytes as its records, compressed."""
    return holding(CODECS[codec].compress(payload), codec=codec, **fields)


def compressed_message(stream: bytes, *, magic: int, offset: int, codec: str) -> bytes:
    """Return a wrapper without a key, with these bytes as its compressed stream."""
    data = wire(message(offset, magic=magic, key=None, value=stream))
    at = MAGIC_AT + 1
    return sealed_message(data[:at] + bytes([data[at] | CODECS[codec].number]) + data[at + 1 :])


def records_of(*records: dict[str, Any]) -> bytes:
    """Return the bytes of these records."""
    return b"".join(RECORD.write(each) for each in records)


def is_computed(span: Span) -> bool:
    """Return whether a span is one of `COMPUTED`."""
    return span.path.rpartition(".")[2] in COMPUTED


def is_valid(wire: bytes) -> bool:
    """Return whether the oracle accepts the bytes of a field for every reader."""
    return judge_records(wire).result is Result.VALID
