"""The explanation of a whole `records` field: batches, message sets, and what comes out of compressed streams.

A wrong CRC ends the reading of a consumer. It does not end the explanation: what it covers is named as well.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from conformance.explaining.explanation import Conclusion, Explanation, Part, not_judged
from conformance.explaining.placing import (
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
from conformance.explaining.record_heads import end_of_entry, head_spans
from conformance.explaining.record_values import describe
from reference import MissingLibrary, Reason, Result, judge_records
from reference.records.codec import trace_records
from reference.records.reading import MalformedRecords
from reference.records.verdict import DESYNCHRONISING, HARMLESS
from reference.wire.signed_varints import MAXIMUM_LONG_BYTES

if TYPE_CHECKING:
    from reference import Layer, Malformed, Observed, RecordsVerdict

TITLE = "record batches"


def explain_records(wire: bytes) -> Explanation:
    """Return what the bytes of a whole `records` field are, without its length; any bytes have an explanation."""
    try:
        verdict = judge_records(wire)
        crc = verdict.rules[-1] if verdict.reason is Reason.CRC_MISMATCH else ""
        trace = trace_records(wire, check_crc=not crc)
    except MissingLibrary as error:
        part = Part(0, len(wire), "", "records", "payload", f"{len(wire)} bytes", "records.payload")
        return Explanation(TITLE, wire, (part,) if wire else (), not_judged(str(error)))
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
    """Return the explanation with the deviation at the CRC that ends the reading of a consumer."""
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
    """Return what came out of a compressed stream."""
    rules = tuple(deviation.rule for deviation in layer.deviations)
    result = Result.VALID if HARMLESS.issuperset(rules) else Result.UNSPECIFIED
    if fault is not None:
        result = Result.INVALID if fault.reason and DESYNCHRONISING.isdisjoint(rules) else Result.UNSPECIFIED
    verdict = Conclusion(str(result), rules, "", None, "", "", None, {})
    if fault is not None and result is Result.INVALID:
        where = str(fault.reason), fault.offset, fault.path, fault.detail
        verdict = Conclusion(str(result), (*rules, fault.rule), *where, None, {})
    parts = filled(_parts(layer, fault), layer.wire)
    return Explanation(f"decompressed {layer.path}", layer.wire, parts, verdict, path=layer.path, start=None)


def _parts(layer: Layer, fault: Malformed | None) -> list[Part]:
    """Return what the bytes of the field or of a stream are, up to the place where reading ends."""
    spans = list(layer.spans)
    if fault is not None and not any(span.start <= fault.offset < span.end for span in spans):
        spans += head_spans(layer.wire, spans, fault)
    overlooked = [each for each in layer.deviations if not is_of(fault, each)]
    parts = with_deviations(parts_of(layer.wire, spans, describe), layer.wire, overlooked)
    if fault is None:
        return parts
    return with_fault(parts, layer.wire[: end_of_entry(layer.wire, fault.path)], fault, _departing)


def _departing(wire: bytes, fault: Malformed) -> Departing:
    """Return the bytes at which reading stops, where they are no span: a varint, or the rest of the batch."""
    if fault.reason is Reason.VARINT_OVERFLOW:
        return Departing(varint_end(wire, fault.offset, MAXIMUM_LONG_BYTES), "varint", "varint")
    return Departing(len(wire), "", "payload")


def _deed(observed: Observed) -> str:
    """Return what a reader does, with the rule behind it: those of a broker go beyond the verdict's."""
    rule = f"(rule {observed.rule})" if observed.rule else ""
    return " ".join(filter(None, (str(observed.does), observed.exception, rule)))


def conclusion(verdict: RecordsVerdict) -> Conclusion:
    """Return the verdict on record batches."""
    observed = {"consumer": verdict.client, "broker": verdict.broker}
    readers = {f"Apache Kafka's {name}": _deed(each) for name, each in observed.items() if each is not None}
    reason = str(verdict.reason) if verdict.reason else ""
    what = verdict.offset, verdict.path, verdict.detail
    return Conclusion(str(verdict.result), verdict.rules, reason, *what, verdict.canonical, readers)
