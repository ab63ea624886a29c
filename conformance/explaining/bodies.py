"""The parts of a message's body, or of a header and a body, and the verdict on them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from conformance.explaining.explanation import TRAILING, Conclusion
from conformance.explaining.fields import type_name, width_of_length
from conformance.explaining.placing import Departing, filled, is_of, parts_of, varint_end, with_deviations, with_fault
from reference import ApacheKafka
from reference.definitions.model import RELEASED
from reference.oracle import LIMITS, result_of
from reference.wire.signed_varints import MAXIMUM_LONG_BYTES
from reference.wire.varints import MAXIMUM_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.explaining.explanation import Part
    from conformance.explaining.values import Said
    from reference import FieldSchema, Malformed, Span
    from reference.codec import Trace

BEHIND_A_RECORD = "record.trailing-bytes"


def body_parts(
    field_of: Callable[[str], FieldSchema | None], wire: bytes, trace: Trace, describe: Callable[[Span, bytes], Said]
) -> tuple[Part, ...]:
    """Return what each byte of a message is, by what a lenient reader met in it.

    Args:
        field_of: the field at a path.
        wire: the bytes.
        trace: what the reader met.
        describe: what the bytes of a span say.
    """
    overlooked = [each for each in trace.deviations if not is_of(trace.fault, each)]
    parts = with_deviations(parts_of(wire, trace.spans, describe), wire, overlooked)
    if trace.fault is not None:
        parts = with_fault(parts, wire, trace.fault, partial(departing, field_of))
    return filled(parts, wire)


def departing(field_of: Callable[[str], FieldSchema | None], wire: bytes, fault: Malformed) -> Departing:
    """Return the bytes at which a reader of a message stops, where they are no span: a varint or a length."""
    field = field_of(fault.path)
    if fault.rule == BEHIND_A_RECORD:
        return Departing(len(wire), "", TRAILING)
    if field is not None and fault.rule in {"null.not-allowed", "length.negative"} and not field.compact:
        role = "count" if field.type == "array" else "length"
        return Departing(fault.offset + width_of_length(field), type_name(field), role)
    longest = MAXIMUM_BYTES if fault.rule == "varint.too-long" else MAXIMUM_LONG_BYTES
    return Departing(varint_end(wire, fault.offset, longest), type_name(field), "varint")


def conclusion_of(trace: Trace, canonical: bytes | None, dialect: str) -> Conclusion:
    """Return the verdict on what a lenient reader met, as `reference.judge` has it.

    Args:
        trace: what the reader met.
        canonical: the bytes that a writer makes of the value; None if there are none.
        dialect: the protocol; Apache Kafka speaks the released one only.
    """
    rules = [each.rule for each in trace.deviations]
    stop = trace.fault or trace.refusal
    if trace.fault is not None:
        rules = [rule for rule in rules if rule not in LIMITS]
    result = result_of(rules, trace.fault)
    does = ApacheKafka.ACCEPTS if stop is None else ApacheKafka.REJECTS
    readers = {"Apache Kafka": str(does)} if dialect == RELEASED else {}
    fault = trace.fault
    if fault is None or result != "invalid":
        return Conclusion(str(result), tuple(rules), "", None, "", "", canonical, readers)
    where = fault.offset, fault.path, fault.detail
    return Conclusion(str(result), (*rules, fault.rule), str(fault.reason), *where, canonical, readers)
