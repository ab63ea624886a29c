"""The explanation of a whole `records` field.

A consumer stops at a wrong CRC. The explanation does not, and names the bytes covered by it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from reference.errors import Malformed, Reason
from reference.explained.explanation import BytesVerdict, Explanation, WirePart
from reference.explained.placing import (
    Departing,
    filled,
    is_of,
    marked,
    parts_of,
    stopped,
    varint_end,
    with_deviations,
    with_fault,
)
from reference.explained.shown_values import NULL, Caption, payload_text, quoted, timestamp_text
from reference.oracle import Result
from reference.paths import keys_of
from reference.records import attributes as bits
from reference.records.codec import trace_records
from reference.records.compression import NONE
from reference.records.layouts import BATCH_HEADER, MAGIC_AT, MESSAGE_ENTRY, MESSAGE_V0, MESSAGE_V1
from reference.records.numbers import read_varint, read_varlong
from reference.records.reading import MalformedRecords
from reference.records.records_field import entry_ends
from reference.records.verdict import DESYNCHRONISING, HARMLESS, judge_records
from reference.wire.signed_varints import MAXIMUM_LONG_BYTES
from reference.wire.stream import LenientReader, Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference.layouts import Layout
    from reference.records.reading import Layer
    from reference.records.verdict import Observed, RecordsVerdict

TITLE = "record batches"

INTEGERS = {1: "int8", 2: "int16", 4: "int32", 8: "int64"}
"""The types of integers of a fixed width, by their number of bytes."""

RECORDS = ".records"
STREAMS = (RECORDS, ".messages")
"""The last steps of the paths of compressed streams."""


def explain_records(wire: bytes) -> Explanation:
    """Return the explanation of a whole `records` field, without its length, for any bytes."""
    verdict = judge_records(wire)
    crc = verdict.rules[-1] if verdict.reason is Reason.CRC_MISMATCH else ""
    # With a wrong CRC the bytes are read again without the check, so that those covered by it get their names.
    trace = trace_records(wire, check_crc=not crc)
    field, *streams = trace.layers
    fault = trace.fault
    is_inside = isinstance(fault, MalformedRecords) and fault.within is not None
    parts = _parts(field, None if is_inside else fault)
    if fault is not None and is_inside:
        parts = marked(parts, fault.offset, stopped(fault))
    inside = [_stream(layer, None) for layer in streams]
    if isinstance(fault, MalformedRecords) and fault.within is not None:
        there = MalformedRecords(fault.rule, fault.reason, fault.within, fault.path, fault.detail)
        inside[-1] = _stream(streams[-1], there)
    explanation = Explanation(TITLE, wire, filled(parts, wire), conclusion(verdict), tuple(inside))
    return _with_crc(explanation, verdict) if crc else explanation


def _with_crc(explanation: Explanation, verdict: RecordsVerdict) -> Explanation:
    """Return the explanation with the wrong CRC marked, at which a consumer stops."""
    text = f"{verdict.rules[-1]}: {verdict.reason}" + (f", {verdict.detail}" if verdict.detail else "")
    marks = tuple(marked(explanation.parts, verdict.offset or 0, text))
    inside = tuple(
        replace(each, parts=tuple(marked(each.parts, verdict.within, text)))
        if verdict.within is not None and verdict.path.startswith(each.path)
        else each
        for each in explanation.inside
    )
    return replace(explanation, parts=marks, inside=inside)


def _stream(layer: Layer, fault: Malformed | None) -> Explanation:
    rules = tuple(deviation.rule for deviation in layer.deviations)
    result = Result.VALID if HARMLESS.issuperset(rules) else Result.UNSPECIFIED
    if fault is not None:
        result = Result.INVALID if fault.reason and DESYNCHRONISING.isdisjoint(rules) else Result.UNSPECIFIED
    verdict = BytesVerdict(str(result), rules, "", None, "", "", None, {})
    if fault is not None and result is Result.INVALID:
        where = str(fault.reason), fault.offset, fault.path, fault.detail
        verdict = BytesVerdict(str(result), (*rules, fault.rule), *where, None, {})
    parts = filled(_parts(layer, fault), layer.wire)
    return Explanation(f"decompressed {layer.path}", layer.wire, parts, verdict, path=layer.path, start=None)


def _parts(layer: Layer, fault: Malformed | None) -> list[WirePart]:
    spans = list(layer.spans)
    if fault is not None and not any(span.start <= fault.offset < span.end for span in spans):
        spans += head_spans(layer.wire, spans, fault)
    overlooked = [each for each in layer.deviations if not is_of(fault, each)]
    parts = with_deviations(parts_of(layer.wire, spans, describe), layer.wire, overlooked)
    if fault is None:
        return parts
    return with_fault(parts, layer.wire[: end_of_entry(layer, fault.path)], fault, _departing)


def _departing(wire: bytes, fault: Malformed) -> Departing:
    """Return the bytes at a fault outside of all spans, a varint, or the rest of the batch."""
    if fault.reason is Reason.VARINT_OVERFLOW:
        return Departing(varint_end(wire, fault.offset, MAXIMUM_LONG_BYTES), "varint", "varint")
    return Departing(len(wire), "", "payload")


def _deed(observed: Observed) -> str:
    """Return the action of a reader, with its rule, as a broker checks more rules than the verdict has."""
    rule = f"(rule {observed.rule})" if observed.rule else ""
    return " ".join(filter(None, (str(observed.does), observed.exception, rule)))


def conclusion(verdict: RecordsVerdict) -> BytesVerdict:
    """Return the verdict on record batches."""
    observed = {"consumer": verdict.client, "broker": verdict.broker}
    readers = {f"Apache Kafka's {name}": _deed(each) for name, each in observed.items() if each is not None}
    reason = str(verdict.reason) if verdict.reason else ""
    what = verdict.offset, verdict.path, verdict.detail
    return BytesVerdict(str(verdict.result), verdict.rules, reason, *what, verdict.canonical, readers)


def head_spans(wire: bytes, spans: Sequence[Span], fault: Malformed) -> list[Span]:
    """Return the spans of the header of a batch or message, up to the fault, or none if the header was read already."""
    start = max((span.end for span in spans), default=0)
    path = fault.path.rpartition(".")[0]
    if not path or any(span.path.startswith(f"{path}.") for span in spans):
        return []
    reader = LenientReader(wire[start:], trace=True)
    with suppress(Malformed):
        for layout in _layouts(wire[start + MAGIC_AT : start + MAGIC_AT + 1]):
            layout.read(reader)
    whole = [
        span._replace(start=start + span.start, end=start + span.end, path=f"{path}.{span.path}")
        for span in reader.spans or ()
    ]
    return [span for span in whole if span.start <= fault.offset]


def _layouts(magic: bytes) -> Sequence[Layout]:
    """Return the layouts at the beginning of a batch or message, those of a batch for an unknown magic byte."""
    if magic == b"\0":
        return MESSAGE_ENTRY, MESSAGE_V0
    return (MESSAGE_ENTRY, MESSAGE_V1) if magic == b"\1" else (BATCH_HEADER,)


def end_of_entry(layer: Layer, path: str) -> int:
    """Return the end of the batch or message of a path, as an index in the bytes of a layer.

    It is the end of the bytes if it is unknown, and for a stream of records, since records have no header.
    """
    if layer.path.endswith(RECORDS):
        return len(layer.wire)
    index = next((key for key in keys_of(path.removeprefix(layer.path)) if isinstance(key, int)), None)
    if index is None:
        return len(layer.wire)
    return min(next(islice(entry_ends(layer.wire), index, None), len(layer.wire)), len(layer.wire))


def describe(span: Span, piece: bytes) -> Caption:
    """Return the caption of a span."""
    name = span.path.rpartition(".")[2]
    if span.path.endswith(STREAMS):
        return Caption("compressed-stream", payload_text(piece, is_text=False))
    if span.role == "payload":
        return Caption("bytes", _content(piece) if name != "partial" else payload_text(piece, is_text=False))
    if span.form == "varint":
        return _varint(span, piece, name)
    return _fixed(span, piece, name)


def _varint(span: Span, piece: bytes, name: str) -> Caption:
    reader = LenientReader(piece)
    if span.role == "varint" and name == "timestampDelta":
        return Caption("varlong", str(read_varlong(reader, "", span.rule)))
    number = read_varint(reader, "", span.role, span.rule)
    is_null = number < 0 and span.role == "length" and name in {"key", "value"}
    return Caption("varint", NULL if is_null else str(number))


def _fixed(span: Span, piece: bytes, name: str) -> Caption:
    if name == "crc":
        return Caption("uint32", piece.hex())
    type_, number = INTEGERS.get(len(piece), "bytes"), int.from_bytes(piece, "big", signed=True)
    if span.role == "length":
        return Caption(type_, NULL if number < 0 else str(number))
    if name == "attributes":
        return Caption(type_, _attributes(span, number))
    return Caption(type_, timestamp_text(number) if "timestamp" in name.lower() else str(number))


def _attributes(span: Span, number: int) -> str:
    """Return codec, type of timestamp and flags of attributes, or the unused attributes of a record as a number."""
    if span.rule == "record.attributes-unused":
        return str(number)
    flags = [name for name, bit in bits.FLAGS.items() if span.rule == "batch.attributes" and number & bit]
    codec = bits.codec_name(number) or f"codec {number & bits.CODEC_BITS}"
    codec = "no compression" if codec == NONE else codec
    return ", ".join((f"{number}: {codec}", f"{bits.timestamp_type(number)} time", *flags))


def _content(piece: bytes) -> str:
    """Return a key or a value as a text, or as its number of bytes if it is no printable text."""
    try:
        text = piece.decode()
    except UnicodeDecodeError:
        return payload_text(piece, is_text=False)
    return quoted(text) if text.isprintable() else payload_text(piece, is_text=False)
