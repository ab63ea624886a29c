"""Writing batches of magic 2. Plain ones have one form only; length, CRC and count follow from the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.errors import Refusal
from reference.records import attributes as bits
from reference.records.batch import FIELDS, MAGIC, NUMBERS, OVERHEAD, UNUSED_FROM, UNUSED_WIDTH
from reference.records.batch_rules import check_written
from reference.records.checksums import crc32c
from reference.records.compression import CODECS
from reference.records.layouts import BATCH_HEADER, COVERED_FROM, CRC_AT, HEADER_SIZE
from reference.records.quick import quick_bytes
from reference.records.record import RECORD
from reference.wire.lengths import HIGHEST_INT32
from reference.wire.stream import refuse, wrong_type

if TYPE_CHECKING:
    from reference.paths import Path


def write_batch(batch: dict[str, Any], path: Path) -> bytes:
    """Return the bytes of a batch; of one that is compressed, those of this project's compressors.

    Raises:
        Unencodable: it has none.
        MissingLibrary: the codec needs a library that is not installed.
    """
    _check_fields(batch, path)
    number = bits.codec_number(batch["compression"], (path, "compression"))
    attributes = number | bits.timestamp_type_bit(batch["timestampType"], (path, "timestampType"))
    attributes |= bits.flag_bits(batch, path)
    attributes |= bits.unused_bits(batch["unusedAttributes"], UNUSED_FROM, UNUSED_WIDTH, (path, "unusedAttributes"))
    payload = _payload(batch["records"], (path, "records"))
    check_written(batch, path)
    if number:
        payload = CODECS[batch["compression"]].compress(payload)
    return _sealed(batch, attributes - (attributes >> 15 << 16), payload, path)


def _payload(records: Any, path: Path) -> bytes:
    if not isinstance(records, list | tuple):
        wrong_type("a list of records", records, path)
    quick = quick_bytes(records)
    if quick is not None:
        return quick
    return b"".join(RECORD.write(record, (path, index)) for index, record in enumerate(records))


def _sealed(batch: dict[str, Any], attributes: int, payload: bytes, path: Path) -> bytes:
    """Return header and payload, with length and CRC."""
    length = HEADER_SIZE - OVERHEAD + len(payload)
    if length > HIGHEST_INT32 - OVERHEAD:
        refuse(Refusal.OUT_OF_RANGE, path, f"{length} bytes")
    header = {name: batch[name] for name in NUMBERS}
    derived = {"magic": MAGIC, "length": length, "crc": 0, "attributes": attributes}
    wire = BATCH_HEADER.write(header | derived | {"recordCount": len(batch["records"])}, path)
    crc = crc32c(wire[COVERED_FROM:] + payload)
    return wire[:CRC_AT] + crc + wire[COVERED_FROM:] + payload


def _check_fields(batch: dict[str, Any], path: Path) -> None:
    for name in FIELDS:
        if name not in batch:
            refuse(Refusal.MISSING_FIELD, (path, name))
    for name in batch:
        if name not in FIELDS:
            refuse(Refusal.UNKNOWN_FIELD, (path, name), "a batch has no such field")
