"""Wrong forms of a batch, each by one mistake: a reader that reads one of them as the batch has that mistake."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.blame.records.bytes import COVERED_FROM, CRC_AT, HEADER, crc_scopes, plain_number, zigzag_number
from conformance.generate.records.building import sealed
from reference import records_spans
from reference.records.checksums import crc32, crc32c

if TYPE_CHECKING:
    from collections.abc import Iterator


def wrong_forms(content: dict[str, Any], wire: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the rule of a mistake, and the bytes that a writer with it would write.

    Args:
        content: the value of a field; nothing is yielded unless it is one plain batch of magic 2.
        wire: its bytes.
    """
    if not wire or len(content["batches"]) != 1 or "records" not in content["batches"][0]:
        return
    if content["batches"][0]["compression"] != "none":
        return
    yield "batch.crc", _with_crc(wire, crc32(wire[COVERED_FROM:]))
    for scope in crc_scopes(wire):
        yield "batch.crc-scope", _with_crc(wire, crc32c(scope))
    for bits in (32, 64):
        yield "varint.zigzag", sealed(wire[:HEADER] + b"".join(_plain_records(wire, bits)))


def _with_crc(wire: bytes, crc: bytes) -> bytes:
    return wire[:CRC_AT] + crc + wire[COVERED_FROM:]


def _plain_records(wire: bytes, bits: int) -> Iterator[bytes]:
    """Yield the records of a batch with numbers that are not zig-zag; the lengths before them fit."""
    records: list[bytes] = []
    for span in records_spans(wire):
        if span.start < HEADER:
            continue
        piece = wire[span.start : span.end]
        if span.path.endswith("].length"):
            records.append(b"")
        elif span.form == "varint":
            records[-1] += plain_number(zigzag_number(piece), 64 if span.role == "varint" else bits)
        else:
            records[-1] += piece
    for record in records:
        yield plain_number(len(record), bits) + record
