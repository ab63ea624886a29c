"""The rule broken by record batches written wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.definitions.catalogue import ENCODE, UNSPECIFIED, catalogue
from conformance.generate.record_building import is_computed, sealed
from conformance.targets.faults.fault import Blame
from conformance.targets.records.misread_batches import MisreadValue, blame_records_value, layout_of
from conformance.targets.records.shown_records import records_difference
from reference import Result, judge_records, records_spans
from reference.records.checksums import crc32, crc32c, xxhash32
from reference.records.compression import lz4
from reference.records.layouts import COVERED_FROM, CRC, HEADER_SIZE, MAGIC_AT, OVERHEAD
from reference.records.records_field import entry_ends
from reference.wire.signed_varints import UNSIGNED_VARLONG

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reference import RecordsVerdict, Span

BATCH = 2
UNUSED = "batch.attributes-unused"


def blame_records_bytes(content: dict[str, Any], canonical: bytes, actual: bytes, rule: str) -> Blame:
    """Return the blame for wrong bytes.

    It is of the first wrong place that does not follow from another one.

    Args:
        content: the value to write.
        canonical: its bytes.
        actual: the written bytes.
        rule: the rule of the value, if the bytes do not show the broken one.
    """
    verdict = judge_records(actual)
    is_plain = all(batch["compression"] == "none" for batch in content["batches"])
    if actual[MAGIC_AT : MAGIC_AT + 1] != canonical[MAGIC_AT : MAGIC_AT + 1]:
        return Blame("batch.header-layout")
    if verdict.result is Result.INVALID and verdict.rules[-1] == "batch.crc":
        return Blame(_rule_of_checksum(actual, verdict), verdict.path)
    elsewhere = _misplaced_bits(content, canonical, actual)
    if elsewhere is None and is_plain:
        elsewhere = _blame_layout(content, canonical, actual)
    if elsewhere is not None:
        return elsewhere
    found = None if verdict.value is None else records_difference(content, verdict.value)
    if found is not None and "field.partial-tail" not in verdict.rules:
        return blame_records_value(MisreadValue(content, verdict.value, found, content))
    if is_plain and (not verdict.rules or _is_about_place(verdict)):
        return _blame_place(canonical, actual, rule)
    return Blame(_demanded(_rule_of_stream(actual, verdict), rule), verdict.path)


def _misplaced_bits(content: dict[str, Any], canonical: bytes, actual: bytes) -> Blame | None:
    """Return the blame for unused bits that changed the other attributes, or None if none did.

    Written in another place they are the codec or a flag, and readers then complain about a stream that is not there.
    """
    for index, batch in enumerate(content["batches"]):
        path = f"batches[{index}]"
        changed = any(span.path == f"{path}.attributes" for span in _differing(canonical, actual))
        if changed and batch["unusedAttributes"]:
            return Blame(UNUSED, f"{path}.unusedAttributes")
        if any(message["unusedAttributes"] for message in batch.get("messages", ())) and _is_nested(actual):
            return Blame(UNUSED, f"{path}.messages")
    return None


def _is_nested(wire: bytes) -> bool:
    """Return whether a message inside of a wrapper says that it is compressed."""
    return judge_records(wire).rules[-1:] == ("message.nested",)


def _is_about_place(verdict: RecordsVerdict) -> bool:
    """Return whether the verdict is on a consequence of a wrong number.

    The consequences are wrong records after the number, or a truncated field.
    """
    kind = verdict.rules[-1].partition(".")[0]
    is_late = verdict.result is Result.INVALID and kind in {"record", "varint", "header"}
    return is_late or "field.partial-tail" in verdict.rules


def _demanded(found: str, otherwise: str) -> str:
    """Return the rule that a writer breaks whose bytes a reader may take or not, or the other one if there is none."""
    rule = catalogue().get(found)
    if rule is None or rule.level_of(ENCODE) != UNSPECIFIED:
        return found or otherwise
    return rule.counterpart or otherwise


def _rule_of_stream(wire: bytes, verdict: RecordsVerdict) -> str:
    """Return the rule broken by the bytes.

    For a damaged stream it is the rule of its wrong piece, if it has one.
    """
    rule = verdict.rules[-1] if verdict.rules else ""
    if rule != "codec.corrupt":
        return rule
    at = verdict.offset or 0
    pieces = [span for span in records_spans(wire) if span.start <= at < span.end and span.role == "number"]
    return next((span.rule for span in pieces if span.rule == "lz4.header-checksum"), rule)


def _rule_of_checksum(wire: bytes, verdict: RecordsVerdict) -> str:
    """Return the rule broken by a wrong CRC.

    It is the scope if the right algorithm was applied to other bytes, else the sum itself.
    """
    start = (verdict.offset or CRC.start) - CRC.start
    length = int.from_bytes(wire[start + 8 : start + OVERHEAD], "big")
    part = wire[start : start + OVERHEAD + length]
    return "batch.crc-scope" if part[CRC] in map(crc32c, crc_scopes(part)) else "batch.crc"


def crc_scopes(part: bytes) -> list[bytes]:
    """Return the bytes that writers confuse with the scope of a batch's CRC."""
    after = part[COVERED_FROM:]
    starts = [part[start : CRC.start] + after for start in (0, OVERHEAD, MAGIC_AT)]
    return [*starts, part[: CRC.start] + bytes(4) + after, part[COVERED_FROM:HEADER_SIZE], part[HEADER_SIZE:]]


def _blame_layout(content: dict[str, Any], canonical: bytes, actual: bytes) -> Blame | None:
    """Return the blame for right pieces at other places, or None.

    A control record may also lack the record around its key and value.
    """
    if actual in bare_control_records(content, canonical):
        return Blame("record.layout", "batches[0].records[0]")
    causes = [span for span in _differing(canonical, actual) if not is_computed(span)]
    pieces, others = (sorted(wire[span.start : span.end] for span in causes) for wire in (canonical, actual))
    if len(causes) == 1 or pieces != others or len({span.path.rpartition(".")[0] for span in causes}) != 1:
        return None
    path = causes[0].path
    return Blame(layout_of(path, in_message=canonical[MAGIC_AT] < BATCH), path)


def _differing(canonical: bytes, actual: bytes) -> Sequence[Span]:
    return [
        span for span in records_spans(canonical) if actual[span.start : span.end] != canonical[span.start : span.end]
    ]


def _blame_place(canonical: bytes, actual: bytes, rule: str) -> Blame:
    """Return the rule of the first difference that does not follow from another one."""
    differing = _differing(canonical, actual)
    causes = [span for span in differing if not is_computed(span)]
    for span in (*causes, *reversed(differing)):
        if _is_plain_number(span, canonical, actual):
            return Blame("varint.zigzag", span.path)
        is_alone = ".records[" not in span.path or actual.endswith(canonical[span.end :])
        return Blame(span.rule if is_alone else "record.layout", span.path)
    return Blame(rule)


def _is_plain_number(span: Span, canonical: bytes, actual: bytes) -> bool:
    """Return whether a zig-zag number was written without zig-zag."""
    if span.form != "varint":
        return False
    meant = zigzag_number(canonical[span.start : span.end])
    return any(actual[span.start :].startswith(plain_number(meant, bits)) for bits in (32, 64))


def zigzag_number(piece: bytes) -> int:
    """Return the number of a zig-zag varint."""
    number = UNSIGNED_VARLONG.parse(piece)
    meant: int = number >> 1 ^ -(number & 1)
    return meant


def plain_number(number: int, bits: int) -> bytes:
    """Return a number as a varint without zig-zag, with the width of an int of `bits` bits."""
    wire: bytes = UNSIGNED_VARLONG.write(number % 2**bits)
    return wire


def miswritten_records(content: dict[str, Any], wire: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the rule of a mistake, and the bytes of a writer with this mistake.

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
        yield "varint.zigzag", sealed(wire[:HEADER_SIZE] + b"".join(_plain_records(wire, bits)))


def expected_instead(content: dict[str, Any], wire: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield the rule of a mistake, and the bytes expected by a reader with this mistake."""
    for bare in bare_control_records(content, wire):
        yield "record.layout", bare
    if [(batch["magic"], batch["compression"]) for batch in content["batches"]] == [(0, "lz4")]:
        yield "lz4.legacy-header-checksum", _with_frame_checksum(wire)
    if content["batches"]:
        is_batch = content["batches"][0]["magic"] == BATCH
        yield "batch.crc" if is_batch else "message.crc", _with_crcs_to_the_end(wire)


def _with_crcs_to_the_end(wire: bytes) -> bytes:
    """Return a field in which each CRC covers all that stands behind it, other batches too."""
    ends = [end for end in entry_ends(wire) if end <= len(wire)]
    for start in reversed([0, *ends][:-1]):
        if wire[start + MAGIC_AT] == BATCH:
            at, crc = start + CRC.start, crc32c(wire[start + COVERED_FROM :])
        else:
            at, crc = start + OVERHEAD, crc32(wire[start + MAGIC_AT :])
        wire = wire[:at] + crc + wire[at + len(crc) :]
    return wire


def _with_frame_checksum(wire: bytes) -> bytes:
    """Return a message with the checksum of other LZ4 frames, of the descriptor without the magic."""
    at = wire.index(lz4.MAGIC) + len(lz4.MAGIC)
    checksum = xxhash32(wire[at : at + 2]) >> 8 & 0xFF
    return sealed(wire[: at + 2] + bytes([checksum]) + wire[at + 3 :])


def bare_control_records(content: dict[str, Any], wire: bytes) -> list[bytes]:
    """Return a control batch with keys and values in place of records.

    One has its first key, one its keys, and one its keys and values. Readers without records in control batches accept
    them. Nothing is returned unless a value is one plain control batch.
    """
    batches = content["batches"]
    if not wire or len(batches) != 1 or not batches[0].get("control") or batches[0]["compression"] != "none":
        return []
    records = batches[0]["records"]
    pairs = [(record["key"] or b"", record["value"] or b"") for record in records]
    keys = [key for key, _ in pairs]
    forms = (b"".join(keys[:1]), b"".join(keys), b"".join(key + value for key, value in pairs))
    return [sealed(wire[:HEADER_SIZE] + form) for form in dict.fromkeys(forms) if form]


def _with_crc(wire: bytes, crc: bytes) -> bytes:
    return wire[: CRC.start] + crc + wire[COVERED_FROM:]


def _plain_records(wire: bytes, bits: int) -> Iterator[bytes]:
    """Yield the records of a batch with numbers without zig-zag, and with fitting lengths."""
    records: list[bytes] = []
    for span in records_spans(wire):
        if not span.path.startswith("batches[0].records["):
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
