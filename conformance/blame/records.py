"""Names the rule that is broken where record batches are read or written wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.findings.violations import Blame
from conformance.implementation.records.comparison import records_difference
from reference import Result, judge_records, records_spans
from reference.records.checksums import crc32c
from reference.wire.signed_varints import UNSIGNED_VARLONG

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference import Difference, RecordsVerdict, Span

MAGIC_AT, CRC_AT, COVERED_FROM, HEADER = 16, 17, 21, 61
OVERHEAD = 12
CONSEQUENCES = frozenset(("length", "size", "crc"))
"""Members whose bytes follow from those of others."""

RULES = {
    "partitionLeaderEpoch": "batch.crc-scope",
    "compression": "batch.attributes",
    "timestampType": "batch.attributes",
    "transactional": "batch.attributes",
    "control": "batch.attributes",
    "deleteHorizon": "batch.attributes",
    "unusedAttributes": "batch.attributes-unused",
    "attributes": "record.attributes-unused",
    "lastOffsetDelta": "batch.last-offset-delta",
    "maxTimestamp": "batch.max-timestamp",
    "producerId": "batch.producer",
    "producerEpoch": "batch.producer",
    "baseSequence": "batch.producer",
    "timestampDelta": "record.timestamp-delta",
    "offsetDelta": "record.offset-delta",
    "partial": "field.partial-tail",
    "batches": "field.batches",
    "records": "record.layout",
    "messages": "message.wrapper",
}
"""What a member of a value is about, wherever it is."""

OF_RECORDS = {"timestamp": "record.timestamp-delta", "offset": "record.offset-delta"}
OF_WRAPPED_MESSAGES = {"timestamp": "message.timestamps", "offset": "message.offsets"}
"""What offset and timestamp are about where they are added up; in a message alone they stand as they are."""

SURE = frozenset(("record.null", "header.value-null", "header.repeated", "header.order"))
"""Rules that the sort of a difference tells, whatever a value was to show."""


class Read(NamedTuple):
    """A value that was misread: both whole, and the first place where they differ."""

    expected: Any
    actual: Any
    difference: Difference


def blame_records_value(read: Read) -> Blame:
    """Return what a value that was misread breaks, by the place and the sort of the difference."""
    return Blame(_rule_of(read), read.difference.path)


def _rule_of(read: Read) -> str:
    path, expected, actual, _ = read.difference
    if ".headers" in path:
        return _rule_of_headers(read)
    parent, _, member = re.sub(r"\[\d+\]$", "", path).rpartition(".")
    if member in OF_RECORDS:
        return _rule_of_place(read.expected, parent, member)
    if member in {"key", "value"}:
        is_null = (expected is None) != (actual is None) and not (expected or actual)
        in_message = ".records[" not in path and "batches[" in path
        return "message.layout" if in_message else "record.null" if is_null else "record.layout"
    return RULES.get(member, "batch.header-layout")


def _rule_of_place(value: Any, parent: str, member: str) -> str:
    """Return the rule about an offset or a timestamp: of a flattened record, a message in a wrapper, or one alone."""
    if "batches" not in value:
        return OF_RECORDS[member]
    is_wrapped = ".messages[" in parent or "messages" in _at(value, parent)
    return OF_WRAPPED_MESSAGES[member] if is_wrapped else "message.layout"


def _rule_of_headers(read: Read) -> str:
    """Return what is wrong with headers: some were lost, a null or their order was."""
    path = read.difference.path.partition(".headers")[0] + ".headers"
    expected, actual = (
        [(header[0], header[1]) for header in _at(value, path)] for value in (read.expected, read.actual)
    )
    if len(actual) < len(expected):
        lost = [header for header in expected if header not in actual]
        keys = [key for key, _ in expected]
        if all(value is None for _, value in lost):
            return "header.value-null"
        return "header.repeated" if all(keys.count(key) > 1 for key, _ in lost) else "record.layout"
    if len(actual) > len(expected):
        return "record.layout"
    if [(key, value or b"") for key, value in expected] == [(key, value or b"") for key, value in actual]:
        return "header.value-null"
    return "header.order" if sorted(expected, key=repr) == sorted(actual, key=repr) else "record.layout"


def _at(value: Any, path: str) -> Any:
    """Return the part of a value at a path such as `batches[0].records[1]`."""
    for name, index in re.findall(r"(\w+)|\[(\d+)\]", path):
        value = value[name] if name else value[int(index)]
    return value


def blame_records_bytes(content: dict[str, Any], canonical: bytes, actual: bytes, rule: str) -> Blame:
    """Return what wrong bytes break: the first place where they differ and nothing follows from another place.

    Args:
        content: the value that was to be written.
        canonical: its bytes.
        actual: what was written.
        rule: what the value is about, where the bytes do not tell.
    """
    verdict = judge_records(actual)
    is_plain = all(batch["compression"] == "none" for batch in content["batches"])
    if actual[MAGIC_AT : MAGIC_AT + 1] != canonical[MAGIC_AT : MAGIC_AT + 1]:
        return Blame("batch.header-layout")
    if verdict.result is Result.INVALID and verdict.rules[-1] == "batch.crc":
        return Blame(_rule_of_checksum(actual, verdict), verdict.path)
    elsewhere = _blame_order(canonical, actual) if is_plain else None
    if elsewhere is not None:
        return elsewhere
    found = None if verdict.value is None else records_difference(content, verdict.value)
    if found is not None and "field.partial-tail" not in verdict.rules:
        return blame_records_value(Read(content, verdict.value, found))
    if is_plain and (not verdict.rules or _is_about_place(verdict)):
        return _blame_place(canonical, actual, rule)
    return Blame(_rule_of_stream(actual, verdict) or rule, verdict.path)


def _is_about_place(verdict: RecordsVerdict) -> bool:
    """Return whether the verdict is on what follows a wrong number: the records behind it, or a field that is cut."""
    kind = verdict.rules[-1].partition(".")[0]
    is_late = verdict.result is Result.INVALID and kind in {"record", "varint", "header"}
    return is_late or "field.partial-tail" in verdict.rules


def _rule_of_stream(wire: bytes, verdict: RecordsVerdict) -> str:
    """Return the rule that the bytes depart from; of a damaged stream that of the piece that is wrong, if it has one."""
    rule = verdict.rules[-1] if verdict.rules else ""
    if rule != "codec.corrupt":
        return rule
    at = verdict.offset or 0
    pieces = [span for span in records_spans(wire) if span.start <= at < span.end and span.role == "number"]
    return next((span.rule for span in pieces if span.rule == "lz4.header-checksum"), rule)


def _rule_of_checksum(wire: bytes, verdict: RecordsVerdict) -> str:
    """Return the rule behind a wrong CRC: another scope of the right sum, or another sum."""
    start = (verdict.offset or CRC_AT) - CRC_AT
    length = int.from_bytes(wire[start + 8 : start + OVERHEAD], "big")
    part = wire[start : start + OVERHEAD + length]
    return "batch.crc-scope" if part[CRC_AT:COVERED_FROM] in map(crc32c, crc_scopes(part)) else "batch.crc"


def crc_scopes(part: bytes) -> list[bytes]:
    """Return what writers have taken for the scope of a batch's CRC, save the right one."""
    behind = part[COVERED_FROM:]
    starts = [part[start:CRC_AT] + behind for start in (0, OVERHEAD, MAGIC_AT)]
    return [*starts, part[:CRC_AT] + bytes(4) + behind, part[COVERED_FROM:HEADER], part[HEADER:]]


def _blame_order(canonical: bytes, actual: bytes) -> Blame | None:
    """Return what is broken where the right pieces stand in other places of a header or a record."""
    causes = [span for span in _differing(canonical, actual) if _member(span) not in CONSEQUENCES]
    pieces, others = (sorted(wire[span.start : span.end] for span in causes) for wire in (canonical, actual))
    if len(causes) == 1 or pieces != others or len({span.path.rpartition(".")[0] for span in causes}) != 1:
        return None
    path = causes[0].path
    layout = "record.layout" if ".records[" in path else "batch.header-layout"
    return Blame(layout if canonical[MAGIC_AT] > 1 else "message.layout", path)


def _differing(canonical: bytes, actual: bytes) -> Sequence[Span]:
    return [
        span for span in records_spans(canonical) if actual[span.start : span.end] != canonical[span.start : span.end]
    ]


def _member(span: Span) -> str:
    return span.path.rpartition(".")[2]


def _blame_place(canonical: bytes, actual: bytes, rule: str) -> Blame:
    """Return the rule of the first place where the bytes differ, without those that follow from others."""
    differing = _differing(canonical, actual)
    causes = [span for span in differing if _member(span) not in CONSEQUENCES]
    for span in (*causes, *reversed(differing)):
        return Blame("varint.zigzag" if _is_plain_number(span, canonical, actual) else span.rule, span.path)
    return Blame(rule)


def _is_plain_number(span: Span, canonical: bytes, actual: bytes) -> bool:
    """Return whether a zig-zag number was written without zig-zag."""
    if span.form != "varint":
        return False
    meant = zigzag_number(canonical[span.start : span.end])
    return any(actual[span.start :].startswith(plain_number(meant, bits)) for bits in (32, 64))


def zigzag_number(piece: bytes) -> int:
    """Return the number that a zig-zag varint stands for."""
    number = UNSIGNED_VARLONG.parse(piece)
    meant: int = number >> 1 ^ -(number & 1)
    return meant


def plain_number(number: int, bits: int) -> bytes:
    """Return a number as a varint without zig-zag, of the width of an int of so many bits."""
    wire: bytes = UNSIGNED_VARLONG.write(number % 2**bits)
    return wire
