"""Damaged `records` fields.

They are valid fields, changed at structural places, with stale and with repaired CRCs. A change is made outside of a
compressed stream, to the stream itself, or to the records inside, which are then compressed again. Some streams have
forms not written by this project's compressors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.choices import SeededChoices, pick
from conformance.generate.records.building import is_computed, sealed_message, with_length
from conformance.generate.records.drawn_records import message_set_value, records_value
from conformance.generate.records.drawn_streams import other_stream
from reference import encode_records, records_layers
from reference.records.checksums import crc32c
from reference.records.compression import CODECS
from reference.records.compression import lz4 as legacy_lz4
from reference.records.layouts import COVERED_FROM, CRC, HEADER_SIZE, OVERHEAD
from reference.wire.signed_varints import VARINT, VARLONG

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from conformance.generate.choices import Choices
    from reference import Span

MAGIC = 16
NUMBERS = (0, 1, -1, -2, 2, 6, 7, 63, 64, -64, -65, 255, 8191, 1 << 24, 2**31 - 1, -(2**31))
LONG_NUMBERS = (*NUMBERS, 2**63 - 1, -(2**63), 1 << 40)


class RecordsPart(NamedTuple):
    """One batch or entry of a field, with the known structure of its bytes."""

    wire: bytes
    codec: str
    spans: Sequence[Span]
    inside: bytes
    """The content of its compressed stream; empty without one."""
    inner_spans: Sequence[Span]


def hostile_records(seed: str) -> bytes:
    """Return the bytes of a damaged field of batches, always the same for the same seed."""
    choices = SeededChoices(seed)
    return damaged_records(choices, records_value(choices))


def hostile_message_set(seed: str) -> bytes:
    """Return the bytes of a damaged field of messages of magic 0 and 1, always the same for the same seed."""
    choices = SeededChoices(seed)
    return damaged_records(choices, message_set_value(choices))


def damaged_records(choices: Choices, value: dict[str, Any]) -> bytes:
    """Return the bytes of a field with one of its batches damaged, or random bytes for a field without batches."""
    wires = [encode_records({"batches": [batch]}) for batch in value["batches"]]
    if not wires:
        return bytes(choices.below(256) for _ in range(choices.below(80)))
    index = choices.below(len(wires))
    damage = pick(choices, (_outside, _outside, _outside, _inside, _inside, _stream, _anywhere))
    part = _part(wires[index], value["batches"][index]["compression"])
    wires[index] = damage(choices, part)
    return b"".join(wires) + bytes(pick(choices, (0,) * 9 + (1, 11, 12, 17)))


def _part(wire: bytes, codec: str) -> RecordsPart:
    field, *streams = records_layers(wire)
    inside = streams[0] if streams else None
    return RecordsPart(wire, codec, field.spans, inside.wire if inside else b"", inside.spans if inside else ())


def _outside(choices: Choices, part: RecordsPart) -> bytes:
    """Change a field of the header, of a plain record, or a piece of the compressed stream."""
    span = pick(choices, part.spans)
    wire = _changed(choices, part.wire, span)
    return wire if is_computed(span) else _sealed(choices, wire)


def _anywhere(choices: Choices, part: RecordsPart) -> bytes:
    """Change some bytes, regardless of their meaning."""
    wire = part.wire
    for _ in range(1 + choices.below(3)):
        wire = _raw(choices, wire)
    return _sealed(choices, wire) if len(wire) > HEADER_SIZE else wire


def _inside(choices: Choices, part: RecordsPart) -> bytes:
    """Change the records inside of the compressed stream, and compress them again."""
    if not part.inner_spans:
        return _outside(choices, part)
    data = part.inside
    for _ in range(pick(choices, (1, 1, 1, 2))):
        data = _changed_inside(choices, part, data)
    if not choices.below(8):
        data += bytes(1 + choices.below(12))
    compress: Callable[[bytes], bytes] = CODECS[part.codec].compress
    if part.codec == "lz4" and not part.wire[MAGIC]:
        return _with_stream(choices, part, legacy_lz4.compress(data, legacy=True))
    return _with_stream(choices, part, compress(data))


def _changed_inside(choices: Choices, part: RecordsPart, data: bytes) -> bytes:
    span = pick(choices, part.inner_spans)
    if span.end > len(data):
        return _raw(choices, data)
    changed = _changed(choices, data, span)
    if part.wire[MAGIC] > 1 or is_computed(span) or not choices.below(4):
        return changed
    prefix = span.path[: span.path.rindex(".")]
    own = [other for other in part.inner_spans if other.path.startswith(f"{prefix}.")]
    start, end = own[0].start, own[-1].end + len(changed) - len(data)
    return changed[:start] + sealed_message(changed[start:end]) + changed[end:]


def _stream(choices: Choices, part: RecordsPart) -> bytes:
    """Put another stream of the same records in place of the stream, or a damaged one."""
    if not part.inner_spans:
        return _outside(choices, part)
    legacy = not part.wire[MAGIC]
    stream = other_stream(choices, pick(choices, (part.codec,) * 9 + tuple(CODECS)), part.inside, legacy=legacy)
    for _ in range(pick(choices, (0, 0, 0, 1))):
        stream = _raw(choices, stream)
    return _with_stream(choices, part, stream)


def _with_stream(choices: Choices, part: RecordsPart, stream: bytes) -> bytes:
    if part.wire[MAGIC] > 1:
        return _sealed(choices, part.wire[:HEADER_SIZE] + stream)
    length = next(span for span in part.spans if span.role == "length" and span.path.endswith(".value"))
    wire = part.wire[: length.start] + len(stream).to_bytes(4, "big") + stream
    return _sealed(choices, wire)


def _sealed(choices: Choices, wire: bytes) -> bytes:
    """Return the bytes with length and CRC made right, or with the length alone in one of eight times."""
    if len(wire) <= COVERED_FROM:
        return wire
    kind = choices.below(8)
    wire = with_length(wire, len(wire) - OVERHEAD)
    if not kind:
        return wire
    if wire[MAGIC] < 2:  # noqa: PLR2004  # the magic of batches
        return sealed_message(wire)
    return wire[: CRC.start] + crc32c(wire[COVERED_FROM:]) + wire[COVERED_FROM:]


def _changed(choices: Choices, wire: bytes, span: Span) -> bytes:
    piece = wire[span.start : span.end]
    if span.form == "varint":
        other = _varint(choices, piece, long=span.role == "varint")
    elif span.form == "fixed":
        other = _fixed(choices, piece)
    else:
        other = _raw(choices, piece)
    return wire[: span.start] + other + wire[span.end :]


def _varint(choices: Choices, piece: bytes, *, long: bool) -> bytes:
    kind = choices.below(10)
    if kind < 6:  # noqa: PLR2004  # mostly another number
        return (VARLONG if long else VARINT).write(pick(choices, LONG_NUMBERS if long else NUMBERS))
    if kind < 8:  # noqa: PLR2004
        number = int.from_bytes(piece, "little")
        return (number ^ 1 << choices.below(8 * len(piece))).to_bytes(len(piece), "little")
    unfinished = piece[:-1] + bytes([piece[-1] | 0x80])
    width = 10 if long else 5
    if kind == 8:  # noqa: PLR2004
        return unfinished + bytes(max(0, width - 1 - len(piece) - choices.below(2))) + b"\0"
    longest = unfinished.ljust(width - 1, b"\x80")[: width - 1]
    return longest + pick(choices, (b"\x10", b"\x7f", b"\x80\0", b"\xff\x01"))


def _fixed(choices: Choices, piece: bytes) -> bytes:
    width, now = len(piece), int.from_bytes(piece, "big")
    kind = choices.below(4)
    if not kind:
        return (now ^ 1 << choices.below(8 * width)).to_bytes(width, "big")
    mask = (1 << 8 * width) - 1
    top = 1 << 8 * width - 1
    numbers = (0, 1, -1, -2, 2, 3, 5, top, top - 1, top - 12, top - 13, now + 1, now - 1, now + 12, choices.below(300))
    return (pick(choices, numbers) & mask).to_bytes(width, "big")


def _raw(choices: Choices, piece: bytes) -> bytes:
    """Return bytes with one changed, some inserted or removed, or the rest cut off."""
    at = choices.below(len(piece) + 1)
    kind = choices.below(6)
    if kind == 0 or not piece:
        return piece[:at] + bytes(choices.below(256) for _ in range(1 + choices.below(8))) + piece[at:]
    if kind == 1:
        return piece[:at]
    if kind == 2:  # noqa: PLR2004
        return piece[:at] + piece[at + 1 + choices.below(4) :]
    at = min(at, len(piece) - 1)
    return piece[:at] + bytes([piece[at] ^ 1 << choices.below(8)]) + piece[at + 1 :]
