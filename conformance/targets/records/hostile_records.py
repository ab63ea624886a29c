"""Damaged `records` fields.

They are valid fields, changed at structural places, with stale and with repaired CRCs. A change is made outside of a
compressed stream, to the stream itself, or to the records inside, which are then compressed again. Some streams have
forms not written by this project's compressors.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.choices import SeededChoices, pick
from conformance.generate.drawn_records import message_set_value, records_value
from conformance.generate.mutations import mutate
from conformance.generate.record_building import (
    MAGIC,
    entry_sealed,
    is_computed,
    sealed,
    with_content,
    with_length,
    with_stream,
)
from conformance.targets.records.drawn_streams import other_stream
from conformance.targets.records.replacements import replacements
from reference import encode_records, records_layers
from reference.records.compression import CODECS
from reference.records.layouts import COVERED_FROM, HEADER_SIZE, MAGIC_AT, OVERHEAD

if TYPE_CHECKING:
    from typing import Any

    from conformance.generate.choices import Choices
    from reference import Layer, Span


class RecordsPart(NamedTuple):
    """One batch or entry of a field, its codec, and the layers of its bytes: a second one is its compressed stream."""

    wire: bytes
    codec: str
    layers: tuple[Layer, ...]


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
    part = RecordsPart(wires[index], value["batches"][index]["compression"], records_layers(wires[index]))
    if damage in {_inside, _stream} and not any(layer.spans for layer in part.layers[1:]):
        damage = _outside
    wires[index] = damage(choices, part)
    return b"".join(wires) + bytes(pick(choices, (0,) * 9 + (1, 11, 12, 17)))


def _outside(choices: Choices, part: RecordsPart) -> bytes:
    """Change a field of the header, of a plain record, or a piece of the compressed stream."""
    span = pick(choices, part.layers[0].spans)
    wire = _changed(choices, part.wire, span)
    return wire if is_computed(span) else _sealed(choices, wire)


def _anywhere(choices: Choices, part: RecordsPart) -> bytes:
    """Change some bytes, regardless of their meaning."""
    wire = mutate(part.wire, choices)
    return _sealed(choices, wire) if len(wire) > HEADER_SIZE else wire


def _inside(choices: Choices, part: RecordsPart) -> bytes:
    """Change the records inside of the compressed stream, and compress them again."""
    data = _changed_inside(choices, part)
    if not choices.below(4):
        data = mutate(data, choices)
    if not choices.below(8):
        data += bytes(1 + choices.below(12))
    return with_content(part.wire, part.codec, data, partial(_sealed, choices))


def _changed_inside(choices: Choices, part: RecordsPart) -> bytes:
    span = pick(choices, part.layers[1].spans)
    changed = _changed(choices, part.layers[1].wire, span)
    if part.wire[MAGIC_AT] == MAGIC or is_computed(span) or not choices.below(4):
        return changed
    return entry_sealed(changed, span, part.layers[1].spans, len(changed) - len(part.layers[1].wire))


def _stream(choices: Choices, part: RecordsPart) -> bytes:
    """Put another stream of the same records in place of the stream, or a damaged one."""
    legacy = not part.wire[MAGIC_AT]
    stream = other_stream(choices, pick(choices, (part.codec,) * 9 + tuple(CODECS)), part.layers[1].wire, legacy=legacy)
    for _ in range(pick(choices, (0, 0, 0, 1))):
        stream = mutate(stream, choices)
    return with_stream(part.wire, stream, partial(_sealed, choices))


def _sealed(choices: Choices, wire: bytes) -> bytes:
    """Return the bytes with length and CRC made right, or with the length alone in one of eight times."""
    if len(wire) <= COVERED_FROM:
        return wire
    return sealed(wire) if choices.below(8) else with_length(wire, len(wire) - OVERHEAD)


def _changed(choices: Choices, wire: bytes, span: Span) -> bytes:
    """Return the bytes with another number at a span, or with other bytes in a text."""
    others = () if span.form == "raw" else tuple(replacements(wire, span))
    if others:
        return pick(choices, others).within(wire)
    return wire[: span.start] + mutate(wire[span.start : span.end], choices) + wire[span.end :]
