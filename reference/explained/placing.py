"""The way from the spans of a reader to parts and a verdict.

A reader has spans up to the place where it stops. Bytes without a meaning get parts as well.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from reference import oracle
from reference.definitions.model import RELEASED
from reference.explained.explanation import (
    CUT,
    MISSING,
    NOT_READ,
    TRAILING,
    BytesVerdict,
    WirePart,
    type_name,
    width_of_length,
)
from reference.oracle import LIMITS, ApacheKafka, result_of
from reference.records import verdict
from reference.wire.signed_varints import MAXIMUM_LONG_BYTES
from reference.wire.varints import CONTINUES, MAXIMUM_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from reference.codec import Trace
    from reference.errors import Malformed
    from reference.explained.shown_values import Caption
    from reference.schema import FieldSchema
    from reference.wire.stream import Deviation, Span

TRAILING_BYTES = "input.trailing-bytes"
TRUNCATED = "input.truncated"
HARMLESS = oracle.HARMLESS | verdict.HARMLESS
"""The rules for bytes that every reader must accept and no writer should write."""

AFTER_A_RECORD = "record.trailing-bytes"


class Departing(NamedTuple):
    """The bytes at a fault outside of all spans, with the index after the last one, their type and their role."""

    end: int
    type: str
    role: str


def parts_of(wire: bytes, spans: Iterable[Span], describe: Callable[[Span, bytes], Caption]) -> list[WirePart]:
    """Return a part for each span with bytes, in order."""
    parts = []
    for span in sorted(spans, key=lambda span: span.start):
        if span.end > span.start:
            caption = describe(span, wire[span.start : span.end])
            parts.append(WirePart(span.start, span.end, span.path, caption.type, span.role, caption.value, span.rule))
    return parts


def with_deviations(parts: Sequence[WirePart], wire: bytes, deviations: Iterable[Deviation]) -> list[WirePart]:
    """Return ordered parts with the deviations overlooked by a lenient reader. Bytes after the message are a part."""
    placed, starts = list(parts), [part.start for part in parts]
    for deviation in deviations:
        at, text = deviation.offset, overlooked(deviation.rule)
        index = bisect_right(starts, at) - 1
        if deviation.rule == TRAILING_BYTES:
            placed.append(WirePart(at, len(wire), "", "", TRAILING, rule=TRAILING_BYTES, deviation=text))
        elif index >= 0 and at < placed[index].end:
            placed[index] = replace(placed[index], deviation=_added(placed[index].deviation, text))
        else:
            placed.append(WirePart(at, at, deviation.path, "", MISSING, deviation=text))
    return placed


def is_of(fault: Malformed | None, deviation: Deviation) -> bool:
    """Return whether a deviation is the fault, which has its own text at this place already."""
    return fault is not None and (fault.rule, fault.offset) == (deviation.rule, deviation.offset)


def overlooked(rule: str) -> str:
    """Return the text of a deviation accepted by a lenient reader."""
    return f"{rule}: " + ("read, though no writer writes it" if rule in HARMLESS else "unspecified by the protocol")


def stopped(fault: Malformed) -> str:
    """Return the text of a fault."""
    what = str(fault.reason) if fault.reason else "unspecified by the protocol, and refused by Apache Kafka"
    return f"{fault.rule}: {what}" + (f", {fault.detail}" if fault.detail else "")


def marked(parts: Sequence[WirePart], offset: int, text: str) -> list[WirePart]:
    """Return the parts, with a text added to the deviations of the part at an offset."""
    return [
        replace(part, deviation=_added(part.deviation, text)) if part.start <= offset < part.end else part
        for part in parts
    ]


def _added(before: str, text: str) -> str:
    if text in before:
        return before
    return f"{before}; {text}" if before else text


def with_fault(
    parts: Sequence[WirePart], wire: bytes, fault: Malformed, departing: Callable[[bytes, Malformed], Departing]
) -> list[WirePart]:
    """Return the parts with a fault at its place, with a function for the bytes at a fault outside of all spans."""
    text, at = stopped(fault), max((part.end for part in parts if part.end <= fault.offset), default=0)
    if any(part.start <= fault.offset < part.end for part in parts):
        return marked(parts, fault.offset, text)
    if fault.offset >= len(wire):
        role = CUT if at < len(wire) else MISSING
        cut = departing(wire, fault)
        return [*parts, WirePart(at, len(wire), fault.path, cut.type, role, deviation=text)]
    end, type_, role = departing(wire, fault)
    following = min((part.start for part in parts if part.start > fault.offset), default=len(wire))
    end = max(fault.offset + 1, min(end, following, len(wire)))
    return [*parts, WirePart(fault.offset, end, fault.path, type_, role, rule=fault.rule, deviation=text)]


def varint_end(wire: bytes, start: int, longest: int) -> int:
    """Return the end of a varint, as an index, after the longest possible number of bytes if it has none."""
    for at in range(start, min(len(wire), start + longest)):
        if wire[at] < CONTINUES:
            return at + 1
    return min(len(wire), start + longest)


def filled(parts: Iterable[WirePart], wire: bytes) -> tuple[WirePart, ...]:
    """Return the parts in order, with the bytes between and after them as parts that were not read."""
    found = sorted(parts, key=lambda part: (part.start, part.end))
    ends = [0, *(part.end for part in found)]
    starts = [*(part.start for part in found), len(wire)]
    gaps = [WirePart(end, start, "", "", NOT_READ) for end, start in zip(ends, starts, strict=True) if end < start]
    whole = tuple(sorted((*found, *gaps), key=lambda part: (part.start, part.end)))
    for before, after in pairwise(whole):
        assert before.end == after.start, f"{before} and {after} do not follow one another"  # noqa: S101  # a fault here
    return whole


def body_parts(
    field_of: Callable[[str], FieldSchema | None], wire: bytes, trace: Trace, describe: Callable[[Span, bytes], Caption]
) -> tuple[WirePart, ...]:
    """Return the parts of a message, from the trace of a lenient reader, with the field and caption of each span."""
    overlooked = [each for each in trace.deviations if not is_of(trace.fault, each)]
    parts = with_deviations(parts_of(wire, trace.spans, describe), wire, overlooked)
    if trace.fault is not None:
        parts = with_fault(parts, wire, trace.fault, partial(departing, field_of))
    return filled(parts, wire)


def departing(field_of: Callable[[str], FieldSchema | None], wire: bytes, fault: Malformed) -> Departing:
    """Return the bytes at a fault outside of all spans, a varint, a length, a count, or the bytes after a record."""
    field = field_of(fault.path)
    if fault.rule == AFTER_A_RECORD:
        return Departing(len(wire), "", TRAILING)
    if field is not None and fault.rule in {"null.not-allowed", "length.negative"} and not field.compact:
        role = "count" if field.type == "array" else "length"
        return Departing(fault.offset + width_of_length(field), type_name(field), role)
    longest = MAXIMUM_BYTES if fault.rule == "varint.too-long" else MAXIMUM_LONG_BYTES
    return Departing(varint_end(wire, fault.offset, longest), type_name(field), "varint")


def conclusion_of(trace: Trace, canonical: bytes | None, dialect: str) -> BytesVerdict:
    """Return the verdict on the trace of a lenient reader, the same as that of `reference.judge`.

    The value has `canonical` bytes, or None. Apache Kafka has no reader of another `dialect` than the released one.
    """
    rules = [each.rule for each in trace.deviations]
    # A refusal is that of Apache Kafka's readers alone: it decides what they do, and not the result.
    stop = trace.fault or trace.refusal
    if trace.fault is not None:
        rules = [rule for rule in rules if rule not in LIMITS]
    result = result_of(rules, trace.fault)
    does = ApacheKafka.ACCEPTS if stop is None else ApacheKafka.REJECTS
    readers = {"Apache Kafka": str(does)} if dialect == RELEASED else {}
    fault = trace.fault
    if fault is None or result != "invalid":
        return BytesVerdict(str(result), tuple(rules), "", None, "", "", canonical, readers)
    where = fault.offset, fault.path, fault.detail
    return BytesVerdict(str(result), (*rules, fault.rule), str(fault.reason), *where, canonical, readers)
