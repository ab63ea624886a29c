"""Names the rule that is broken where record batches are read or written wrong."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from conformance.findings.violations import Blame
from conformance.implementation.records.comparison import records_difference
from reference import Result, judge_records, records_spans
from reference.records.checksums import crc32c
from reference.wire.signed_varints import UNSIGNED_VARLONG

if TYPE_CHECKING:
    from reference import Difference, RecordsVerdict, Span

MAGIC_AT = 16
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
    "timestamp": "message.timestamps",
    "offset": "message.offsets",
    "partial": "field.partial-tail",
    "batches": "field.batches",
}
"""What a member of a value is about, wherever it is."""


def blame_records_value(difference: Difference) -> Blame:
    """Return what a value that was misread breaks, by the place and the sort of the difference."""
    return Blame(_rule_of(difference), difference.path)


def _rule_of(difference: Difference) -> str:
    path, expected, actual = difference.path, difference.expected, difference.actual
    if ".headers" in path:
        return _rule_of_headers(path, expected, actual)
    member = re.sub(r"\[\d+\]$", "", path).rpartition(".")[2]
    if member in {"key", "value"}:
        is_null = (expected is None) != (actual is None) and not (expected or actual)
        inner = ".messages[" in path or ".records[" not in path
        return "message.layout" if inner else "record.null" if is_null else "record.layout"
    if member == "records":
        return "record.layout"
    return RULES.get(member, "batch.header-layout")


def _rule_of_headers(path: str, expected: Any, actual: Any) -> str:
    if path.endswith(".headers"):
        return "header.repeated" if isinstance(actual, int) and actual < expected else "record.layout"
    if not isinstance(actual, list | tuple) or len(actual) != len(expected):
        return "record.layout"
    if actual[0] == expected[0] and not (actual[1] or expected[1]):
        return "header.value-null"
    return "header.order" if actual[0] != expected[0] else "record.layout"


def blame_records_bytes(content: dict[str, Any], canonical: bytes, actual: bytes, rule: str) -> Blame:
    """Return what wrong bytes break: the first place where they differ and nothing follows from another place.

    Args:
        content: the value that was to be written.
        canonical: its bytes.
        actual: what was written.
        rule: what the value is about, where the bytes do not tell.
    """
    verdict = judge_records(actual)
    if actual[MAGIC_AT : MAGIC_AT + 1] != canonical[MAGIC_AT : MAGIC_AT + 1]:
        return Blame("batch.header-layout")
    if verdict.result is Result.INVALID and verdict.rules[-1] == "batch.crc":
        return Blame(_rule_of_checksum(actual), verdict.path)
    if verdict.rules and not _is_about_numbers(verdict):
        return Blame(verdict.rules[-1], verdict.path)
    found = None if verdict.value is None else records_difference(content, verdict.value)
    if found is not None:
        blame = blame_records_value(found)
        return blame if not rule or blame.rule != "record.layout" else Blame(rule, blame.path)
    if all(batch["compression"] == "none" for batch in content["batches"]):
        return _blame_place(canonical, actual, rule)
    return Blame(verdict.rules[-1] if verdict.rules else rule, verdict.path)


def _is_about_numbers(verdict: RecordsVerdict) -> bool:
    """Return whether the bytes are invalid in records, where a wrong number makes all that follows one."""
    return verdict.result is Result.INVALID and verdict.rules[-1].partition(".")[0] in {"record", "varint", "header"}


def _rule_of_checksum(wire: bytes) -> str:
    """Return the rule behind a wrong CRC: another scope of the right sum, or another sum."""
    stated = wire[17:21]
    scopes = (wire[12:17] + wire[21:], wire[16:17] + wire[21:], wire[:17] + wire[21:], wire[12:], wire[22:])
    return "batch.crc-scope" if any(crc32c(scope) == stated for scope in scopes) else "batch.crc"


def _blame_place(canonical: bytes, actual: bytes, rule: str) -> Blame:
    """Return the rule of the first place where the bytes differ, without those that follow from others."""
    differing = [span for span in records_spans(canonical) if actual[span.start : span.end] != _piece(canonical, span)]
    causes = [span for span in differing if span.path.rpartition(".")[2] not in CONSEQUENCES]
    for span in (*causes, *differing):
        return Blame("varint.zigzag" if _is_plain_number(span, canonical, actual) else span.rule, span.path)
    return Blame(rule)


def _piece(wire: bytes, span: Span) -> bytes:
    return wire[span.start : span.end]


def _is_plain_number(span: Span, canonical: bytes, actual: bytes) -> bool:
    """Return whether a zig-zag number was written without zig-zag."""
    if span.form != "varint":
        return False
    number = UNSIGNED_VARLONG.parse(_piece(canonical, span))
    meant = number >> 1 ^ -(number & 1)
    return any(actual[span.start :].startswith(wire) for wire in _plain_numbers(meant))


def _plain_numbers(number: int) -> list[bytes]:
    return [UNSIGNED_VARLONG.write(number % 2**bits) for bits in (32, 64)]
