"""Valid `records` fields tampered with at every place of their structure, from a fixed list.

Each number, length, count and marker is replaced, outside and inside of a compressed stream. Lengths around it and CRCs
are made right again, and left stale once for each place. Streams are cut and damaged; fields are cut at every byte.

Checksums of batches and messages are wrong in one bit, or made of other bytes, or by another function.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.origin import CaseOrigin, CasePart
from conformance.generate.record_building import (
    MAGIC,
    entry_sealed,
    holding,
    is_computed,
    is_valid,
    record,
    records_of,
    sealed,
    wire,
    with_content,
    with_length,
    with_stream,
    wrapper,
)
from conformance.targets.records.lz4_streams import block_beyond_its_size
from conformance.targets.records.replacements import (
    mistaken,
    near_replacements,
    replaced,
    replacements,
    without_content,
)
from conformance.targets.records.streams import stream_forms
from reference import records_layers
from reference.records.checksums import crc32, crc32c
from reference.records.compression import CODECS as COMPRESSIONS
from reference.records.compression import lz4
from reference.records.layouts import BATCH_HEADER, COVERED_FROM, CRC, HEADER_SIZE, MAGIC_AT, MESSAGE_CRC, OVERHEAD
from reference.wire.signed_varints import VARINT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.targets.records.record_bases import RecordsBase
    from conformance.targets.records.replacements import Replacement
    from reference import Layer, Span

    Others = Callable[[bytes, Sequence[Span], int], Iterator[Replacement]]

CODEC_AT = BATCH_HEADER.at("attributes").stop - 1
"""The byte of a batch with its codec."""
BITS = (0, 8, 16, 31)
"""One bit of each byte."""
ONES = b"\xff" * 4


def wrong_checksums(data: bytes, *, one: bool = False) -> Iterator[tuple[CaseOrigin, bytes]]:
    """Yield one batch or message with wrong checksums.

    With `one` it is only the checksum with a wrong lowest bit.
    """
    is_batch = data[MAGIC_AT] == MAGIC
    at = (CRC if is_batch else MESSAGE_CRC).start
    sound, after = data[at : at + 4], data[at + 4 :]
    right, others = int.from_bytes(sound, "big"), _of_batch(data) if is_batch else _of_message(data)
    flipped = ((f"wrong-in-bit-{bit}", (right ^ 1 << bit).to_bytes(4, "big")) for bit in (BITS[:1] if one else BITS))
    for name, checksum in flipped if one else chain(flipped, others):
        if checksum != sound:
            yield CaseOrigin.of_part(CasePart.CHECKSUM, name), data[:at] + checksum + after


def _of_no_bytes(right: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield checksums made from the right one, or from nothing."""
    inverted = bytes(byte ^ 0xFF for byte in right)
    yield from (("zero", bytes(4)), ("ones", ONES), ("little-endian", right[::-1]), ("inverted", inverted))


def _of_batch(data: bytes) -> Iterator[tuple[str, bytes]]:
    yield from _of_no_bytes(crc32c(data[COVERED_FROM:]))
    yield "by-crc-32", crc32(data[COVERED_FROM:])
    yield "of-the-header", crc32c(data[COVERED_FROM:HEADER_SIZE])
    yield "of-the-records", crc32c(data[HEADER_SIZE:])
    yield "without-attributes", crc32c(data[CODEC_AT + 1 :])
    yield "without-the-last-byte", crc32c(data[COVERED_FROM:-1])
    yield "from-the-magic", crc32c(data[MAGIC_AT : CRC.start] + data[COVERED_FROM:])
    yield "from-the-leader-epoch", crc32c(data[OVERHEAD : CRC.start] + data[COVERED_FROM:])


def _of_message(data: bytes) -> Iterator[tuple[str, bytes]]:
    yield from _of_no_bytes(crc32(data[MAGIC_AT:]))
    yield "by-crc-32c", crc32c(data[MAGIC_AT:])
    yield "without-the-magic", crc32(data[MAGIC_AT + 1 :])
    yield "without-the-attributes", crc32(data[MAGIC_AT + 2 :])
    yield "without-the-last-byte", crc32(data[MAGIC_AT:-1])


TAILS = (b"\0", bytes(4), b"\xff" * 4)
ZERO_COUNTS = (1, 11, 12, 13, 17, 19)
"""Numbers of zeros at the end of a field. Up to 11 are an incomplete batch."""
UNKNOWN_CODECS = (5, 6, 7)


class TamperedRecords(NamedTuple):
    """The bytes of a field, and their origin."""

    origin: CaseOrigin
    path: str
    wire: bytes
    rule: str = ""
    """The rule broken by a reader if it refuses valid bytes; empty if the place does not decide it."""
    is_stale: bool = False
    """Whether the CRC is the one of the unchanged bytes."""

    @property
    def name(self) -> str:
        """The name of the case, like `plain/batches[0].magic=1`."""
        return self.origin.name

    @property
    def base(self) -> str:
        """The name of the valid field from which they are made."""
        return self.origin.base


def tampered_records(base: RecordsBase, *, in_every_codec: bool = False) -> Iterator[TamperedRecords]:
    """Yield everything made from one base, the base itself first.

    Every codec has the same reader for the decompressed records. So everything inside is changed with gzip alone, and a
    few lengths with other codecs. `in_every_codec` changes everything in each.
    """
    yield TamperedRecords(CaseOrigin(base=base.name), "", base.before + base.wire)
    layers = records_layers(base.wire)
    rules = {span.path: span.rule for layer in layers for span in reversed(layer.spans)}
    done = _in_context(base, layers) if base.context_of else _everything(base, layers, in_every_codec=in_every_codec)
    for each in done:
        origin, path = each.origin._replace(base=base.name), each.path
        where = path.replace("batches[0]", "batches[1]") if base.before else path
        rule = "" if path.endswith(".attributes") else rules.get(path, base.rule)
        yield each._replace(origin=origin, path=where, wire=base.before + each.wire, rule=rule)


def _everything(base: RecordsBase, layers: Sequence[Layer], *, in_every_codec: bool) -> Iterator[TamperedRecords]:
    sound = base.wire
    field, *streams = layers
    yield from _outside(base, sound, field.spans)
    yield from _of_stream(sound, field.spans) if streams else ()
    for stream in streams:
        yield from _other_streams(base, sound, field.spans, stream.wire)
        others = _others if in_every_codec or base.value["compression"] == "gzip" else _few_others
        yield from _inside(base, sound, stream, others)
    for origin, data in (*_whole(base, sound), *wrong_checksums(sound), *_of_one_kind(base, sound)):
        yield TamperedRecords(origin, "", data)


def _in_context(base: RecordsBase, layers: Sequence[Layer]) -> Iterator[TamperedRecords]:
    """Yield a field with a wrong checksum, wrong lengths and counts, and a byte after the records."""
    sound = base.wire
    spans = layers[0].spans
    for origin, data in wrong_checksums(sound, one=True):
        yield TamperedRecords(origin, "", data)
    for span in spans:
        for other in near_replacements(sound, span):
            if span.start > MAGIC_AT:
                yield _at(span, other, sealed(replaced(sound, spans, span.path, other)))
    yield TamperedRecords(CaseOrigin("00", CasePart.INSIDE, sign="+"), "", sealed(sound + b"\0"))


def _at(span: Span, other: Replacement, data: bytes, *, is_stale: bool = False) -> TamperedRecords:
    """Return bytes with another piece at a span."""
    way = f"{other.way}-stale" if is_stale else other.way
    return TamperedRecords(CaseOrigin(way, span.path, sign=other.sign), span.path, data, is_stale=is_stale)


def _outside(base: RecordsBase, sound: bytes, spans: Sequence[Span]) -> Iterator[TamperedRecords]:
    """Yield a field with other numbers in header and records.

    The first one of each place occurs with a stale CRC as well.
    """
    for index, span in enumerate(spans):
        if base.value["compression"] != "none" and span.form == "raw":
            continue
        for number, other in enumerate(_others(sound, spans, index)):
            changed = replaced(sound, spans, span.path, other)
            if is_computed(span):
                yield _at(span, other, changed)
                continue
            yield _at(span, other, sealed(changed))
            if not number:
                yield _at(span, other, with_length(changed, len(changed) - OVERHEAD), is_stale=True)


def _others(data: bytes, spans: Sequence[Span], index: int) -> Iterator[Replacement]:
    yield from replacements(data, spans[index])
    yield from mistaken(data, spans, index)
    yield from without_content(data, spans, index)


def _few_others(data: bytes, spans: Sequence[Span], index: int) -> Iterator[Replacement]:
    yield from near_replacements(data, spans[index])


def _inside(base: RecordsBase, sound: bytes, stream: Layer, others: Others) -> Iterator[TamperedRecords]:
    """Yield a field with other numbers in its compressed records."""
    data, spans, codec = stream.wire, stream.spans, base.value["compression"]
    for index, span in enumerate(spans):
        for other in others(data, spans, index):
            changed = replaced(data, spans, span.path, other)
            if base.value["magic"] < MAGIC and not is_computed(span):
                changed = entry_sealed(changed, span, spans, len(changed) - len(data))
            yield _at(span, other, with_content(sound, codec, changed))
    contents = [(CaseOrigin(tail.hex(), CasePart.INSIDE, sign="+"), data + tail) for tail in TAILS]
    sizes = (0, 1, len(data) // 2, len(data) - 1)
    contents += [(CaseOrigin.of_part(CasePart.INSIDE, f"cut-{size}"), data[:size]) for size in sizes]
    for origin, content in contents:
        yield TamperedRecords(origin, "", with_content(sound, codec, content))


def _of_stream(sound: bytes, spans: Sequence[Span]) -> Iterator[TamperedRecords]:
    """Yield a field with a damaged compressed stream."""
    parts = [span for span in spans if span.form == "raw"]
    start, path, stream = parts[0].start, parts[0].path, sound[parts[0].start : parts[-1].end]

    def changed(sign: str, way: str, other: bytes) -> TamperedRecords:
        return TamperedRecords(CaseOrigin(way, CasePart.STREAM, sign=sign), path, with_stream(sound, other))

    for at in sorted({0, 1, 2, *(span.start - start for span in parts), len(stream) // 2, len(stream) - 1}):
        for bit in (0, 7):
            yield changed("^", f"{at}.{bit}", stream[:at] + bytes([stream[at] ^ 1 << bit]) + stream[at + 1 :])
        yield changed("-", f"cut-{at}", stream[:at])
    for tail in TAILS:
        yield changed("+", tail.hex(), stream + tail)
    for codec in range(8):
        yield TamperedRecords(CaseOrigin(str(codec), CasePart.CODEC), path, sealed(_with_codec(sound, codec)))


def _with_codec(data: bytes, number: int) -> bytes:
    """Return a batch or message with another codec, which is in three bits of the attributes."""
    at = MAGIC_AT + 1 if data[MAGIC_AT] < MAGIC else CODEC_AT
    return data[:at] + bytes([data[at] & ~7 | number]) + data[at + 1 :]


def _other_streams(base: RecordsBase, sound: bytes, spans: Sequence[Span], data: bytes) -> Iterator[TamperedRecords]:
    """Yield a field with a stream refused by some readers.

    A message also gets a stream of zstd, a codec newer than messages.
    """
    path = next(span.path for span in spans if span.form == "raw")
    for name, stream in stream_forms(base.value["compression"], data):
        changed = with_stream(sound, stream)
        if not is_valid(changed):
            yield TamperedRecords(CaseOrigin.of_part(CasePart.STREAM, name), path, changed)
    if base.value["magic"] < MAGIC:
        zstd = COMPRESSIONS["zstd"]
        changed = with_stream(_with_codec(sound, zstd.number), zstd.compress(data))
        yield TamperedRecords(CaseOrigin.of_part(CasePart.STREAM, "of-zstd"), path, changed)


def _of_one_kind(base: RecordsBase, sound: bytes) -> Iterator[tuple[CaseOrigin, bytes]]:
    """Yield changes made to one base only, or to bases of one kind."""
    is_batch, codec = base.value["magic"] == MAGIC, base.value["compression"]
    if base.name == "plain":
        for number in (-1, -2, 0):
            yield CaseOrigin(str(number), "record-of-length"), holding(VARINT.write(number))
    if base.name == "in-lz4":
        large = records_of(record(value=bytes(lz4.SIZES[4])))
        origin = CaseOrigin.of_part(CasePart.STREAM, "block-beyond-its-size")
        yield origin, holding(block_beyond_its_size(large), codec="lz4")
    if codec == "none":
        for number in UNKNOWN_CODECS:
            yield CaseOrigin(str(number), CasePart.CODEC), sealed(_with_codec(sound, number))
    elif not is_batch:
        inner = wire(wrapper(*base.value["messages"], codec=codec))
        yield CaseOrigin("wrapper-inside"), with_content(sound, codec, inner)


def _whole(base: RecordsBase, sound: bytes) -> Iterator[tuple[CaseOrigin, bytes]]:
    """Yield the field cut, with zeros after it, twice, and with a damaged batch after a valid one."""
    if base.name in {"plain", "message-1"}:
        yield from ((CaseOrigin.of_part(CasePart.CUT, str(size)), sound[:size]) for size in range(len(sound)))
    yield from ((CaseOrigin.of_part(CasePart.ZEROS, str(size)), sound + bytes(size)) for size in ZERO_COUNTS)
    yield CaseOrigin(path=CasePart.TWICE), sound + sound
    yield CaseOrigin.of_part(CasePart.TWICE, "second-damaged"), sound + sound[:-1] + bytes([sound[-1] ^ 0xFF])
    yield CaseOrigin.of_part(CasePart.TWICE, "second-cut"), sound + sound[:-1]
