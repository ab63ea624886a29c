"""The cases of record batches, file by file.

They are edge values, also in every codec, and tampered bytes. Three classes are left out: cases longer than `LONGEST`,
lengths above `LARGEST_CLAIM` inside of a compressed stream, since readers reserve memory for them, and fields refused
by Apache Kafka's consumer and accepted by its broker.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from conformance.generate.choices import SeededChoices
from conformance.generate.origin import MISTAKEN, CasePart
from conformance.generate.record_building import records_of, with_stream
from conformance.judge.checks.unencodable_record_cases import refused_records
from conformance.targets import RECORD_GROUPS
from conformance.targets.listed import (
    BATCHES,
    MESSAGE_SETS,
    declaring_forms,
    other_stream,
    record_bases,
    records_edges,
    tampered_records,
)
from conformance.vectors.enumeration.pairs import base_release
from conformance.vectors.enumeration.vector import UNWRITABLE, UnwritableCase, VectorBytes, distinct, slug
from conformance.vectors.flags import flag_of_refusal
from reference import ApacheKafka, encode_records, judge_records, records_to_json
from reference.records.compression import CODECS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.targets.listed import RecordsBase, RecordsEdge, TamperedRecords
    from reference import RecordsVerdict

TAMPERED = "tampered-"
RECORD_FILES = (*RECORD_GROUPS, *(f"{TAMPERED}{group}" for group in RECORD_GROUPS))
"""The files of record batches, for each group one of its edges, and one of tampered bytes."""

LONGEST, LONGEST_VALUE = 1_000, 6_000
"""Bytes of a case, and characters of the JSON form of its value."""
LARGEST_CLAIM = 1 << 20
STREAMS = 40
"""The number of drawn streams of each codec."""
_CLAIMS = re.compile(r"batches\[0\]\.(?:messages|records)\[\d+\]\.(?:length|size)")
_FLAGS: dict[str, str] = {
    **dict.fromkeys((CasePart.CUT, CasePart.ZEROS, CasePart.TWICE), "FieldEnd"),
    **dict.fromkeys((CasePart.STREAM, CasePart.CODEC), "TamperedStream"),
    CasePart.INSIDE: "TamperedRecord",
}
"""The flag of a change by the changed part."""
_WORDS = (
    (re.compile(r"(?<!=)(?<!cut)(?<!zeros)-1$"), "-shorter"),
    (re.compile(r"\+"), "-plus-"),
    (re.compile(r"\^"), "-flipped-"),
)


def record_cases(file: str) -> Iterator[VectorBytes | UnwritableCase]:
    """Yield the cases of one of `RECORD_FILES`.

    No bytes occur twice.
    """
    cases = _tampered(file.removeprefix(TAMPERED)) if file.startswith(TAMPERED) else _sound(file)
    for case in distinct(cases):
        if len(case.wire) <= LONGEST and _is_settled(case.wire):
            yield case
    yield from _unwritable(file)


def _unwritable(group: str) -> Iterator[UnwritableCase]:
    """Yield the refused values of a group."""
    for one in refused_records():
        if one.group == group:
            yield UnwritableCase(slug(UNWRITABLE, one.name), one.value, (flag_of_refusal(one.rule),))


def _is_settled(wire: bytes) -> bool:
    """Return whether the value is short enough, and the broker agrees with a refusal by the consumer."""
    verdict = judge_records(wire, release=base_release())
    if verdict.client is None or verdict.broker is None or len(json.dumps(_form(verdict))) > LONGEST_VALUE:
        return False
    return verdict.client.does is ApacheKafka.ACCEPTS or verdict.broker.does is not ApacheKafka.ACCEPTS


def _form(verdict: RecordsVerdict) -> Any:
    return None if verdict.value is None else records_to_json(verdict.value)


def _sound(group: str) -> Iterator[VectorBytes]:
    """Yield the edges of a group, for a codec also those of batches with their records compressed."""
    flag = {BATCHES: "RecordBatch", MESSAGE_SETS: "MessageSet"}.get(group, "CompressedBatch")
    for edge in records_edges():
        if edge.group == group:
            yield VectorBytes(slug(edge.name), edge.wire, (flag,))
        elif edge.group == BATCHES and group in CODECS and any(batch["records"] for batch in edge.value["batches"]):
            yield VectorBytes(slug(group, edge.name), _compressed(edge, group), (flag,))


def _compressed(edge: RecordsEdge, codec: str) -> bytes:
    batches = [{**batch, "compression": codec} if batch["records"] else batch for batch in edge.value["batches"]]
    partial: bytes = edge.value["partial"]
    return encode_records({"batches": batches}) + partial


def _tampered(group: str) -> Iterator[VectorBytes]:
    for base in record_bases():
        if base.group == group:
            yield from _of_base(base)
            yield from _drawn_streams(base) if group in CODECS else ()


def _of_base(base: RecordsBase) -> Iterator[VectorBytes]:
    for tampered in tampered_records(base, in_every_codec=True):
        claim = tampered.origin.number if _CLAIMS.fullmatch(tampered.origin.path) else None
        is_plain = base.value["compression"] == "none"
        is_small = is_plain or claim is None or abs(claim) <= LARGEST_CLAIM
        if is_small and tampered.origin.sign != MISTAKEN:
            yield VectorBytes(_id(tampered.name), tampered.wire, (_flag(base, tampered),))


def _drawn_streams(base: RecordsBase) -> Iterator[VectorBytes]:
    """Yield the base with its stream in other forms.

    They are those of other writers, some with bytes after them, some damaged.
    """
    codec, data = base.value["compression"], records_of(*base.value["records"])
    for number in range(STREAMS):
        stream = other_stream(SeededChoices(f"vectors/{codec}/{number}"), codec, data)
        yield VectorBytes(slug(codec, "stream", str(number)), with_stream(base.wire, stream), ("OtherStream",))


def _flag(base: RecordsBase, tampered: TamperedRecords) -> str:
    path, is_of_messages = tampered.origin.path, base.group == MESSAGE_SETS
    if tampered.is_stale:
        return "StaleCrc"
    if path == CasePart.STREAM and tampered.origin.way in declaring_forms():
        return "DeclaredSize"
    if path in _FLAGS and not (path == CasePart.INSIDE and is_of_messages):
        return _FLAGS[path]
    return "TamperedMessage" if is_of_messages else "TamperedRecord" if ".records[" in path else "TamperedBatch"


def _id(name: str) -> str:
    """Return the id of a way of tampering, with words for signs before numbers and for changes of bytes."""
    for pattern, word in _WORDS:
        name = pattern.sub(word, name)
    return slug(name)
