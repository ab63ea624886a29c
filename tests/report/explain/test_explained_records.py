"""Explanations of record batches with errors or without readable contents."""

from __future__ import annotations

import gzip
from dataclasses import replace
from zlib import crc32

import pytest

from conformance.generate.record_building import record
from reference import encode, encode_records, load_release, minimal
from reference.explained.bodies import explain_message
from reference.explained.explanation import CUT, MISSING, NOT_READ, Explanation, WirePart
from reference.explained.records import explain_records
from reference.records.checksums import crc32c
from tests.commands.test_explain import BATCH
from tests.helpers.releases import NEWEST
from tests.report.explain.tiling import check_whole

RELEASE = load_release(NEWEST)
RECORD = record(value=b"hello")
PLAIN = encode_records({"batches": [{**BATCH, "records": [RECORD]}]})
GZIP = encode_records({"batches": [{**BATCH, "compression": "gzip", "records": [RECORD]}]})
CRC_AT, ATTRIBUTES_AT, LENGTH_AT, MAGIC_AT = 17, 21, 8, 16


MESSAGE = {"magic": 1, "offset": 0, "timestampType": "create", "timestamp": 0, "unusedAttributes": 0, "key": None}


def changed(wire: bytes, at: int, data: bytes) -> bytes:
    """Return the bytes with others in their place."""
    return wire[:at] + data + wire[at + len(data) :]


def explained(wire: bytes) -> Explanation:
    explanation = explain_records(wire)
    check_whole(explanation)
    return explanation


def departing(explanation: Explanation) -> list[tuple[str, int, str]]:
    """Return the path, start and broken rule of each part with a deviation."""
    parts = [part for part in explanation.parts if part.deviation]
    return [(part.path, part.start, part.deviation.partition(":")[0]) for part in parts]


def part_at(explanation: Explanation, path: str) -> WirePart:
    """Return the last part of a field."""
    return [part for part in explanation.parts if part.path == path][-1]


def test_every_part_under_a_wrong_crc_is_named() -> None:
    explanation = explained(changed(PLAIN, CRC_AT, bytes(4)))
    assert departing(explanation) == [("batches[0].crc", CRC_AT, "batch.crc")]
    assert part_at(explanation, "batches[0].records[0].value").value == '"hello"'
    assert explanation.verdict.result == "invalid"


def test_a_wrong_length_is_named_and_bytes_after_it_are_not_read() -> None:
    explanation = explained(changed(PLAIN, LENGTH_AT, (13).to_bytes(4)))
    assert [(part.path, part.role) for part in explanation.parts] == [
        ("batches[0].baseOffset", "number"),
        ("batches[0].length", "number"),
        ("", NOT_READ),
    ]
    assert departing(explanation) == [("batches[0].length", LENGTH_AT, "batch.length")]


def test_an_unknown_magic_is_named_with_everything_before_it() -> None:
    explanation = explained(PLAIN + changed(PLAIN, MAGIC_AT, b"\3"))
    assert departing(explanation) == [("batches[1].magic", len(PLAIN) + MAGIC_AT, "batch.magic")]
    assert part_at(explanation, "batches[1].partitionLeaderEpoch").value == "-1"


def test_cut_batch_is_a_partial_tail() -> None:
    explanation = explained(PLAIN + PLAIN[:30])
    tail = explanation.parts[-1]
    assert (tail.path, tail.start, tail.value) == ("partial", len(PLAIN), "30 bytes")
    assert tail.deviation.startswith("field.partial-tail: ")
    assert explanation.verdict.result == "valid"


def test_attributes_are_shown_in_words() -> None:
    wire = encode_records({"batches": [{**BATCH, "compression": "gzip", "transactional": True, "records": [RECORD]}]})
    number, words = part_at(explained(wire), "batches[0].attributes").value.split(": ")
    assert (number, words.split(", ")) == ("17", ["gzip", "create time", "transactional"])


def test_fault_in_a_compressed_stream_is_marked_in_the_stream() -> None:
    inner = {**RECORD, "attributes": 1}
    wire = encode_records({"batches": [{**BATCH, "compression": "gzip", "records": [inner]}]})
    [stream] = explained(wire).inside
    assert departing(stream) == [("batches[0].records[0].attributes", 1, "record.attributes-unused")]
    assert stream.verdict.rules == ("record.attributes-unused",)


def test_truncated_stream_is_cut_and_the_next_batch_is_not_blamed() -> None:
    cut = len(GZIP) - 4
    shorter = changed(GZIP[:cut], LENGTH_AT, (cut - 12).to_bytes(4))
    shorter = changed(shorter, CRC_AT, crc32c(shorter[ATTRIBUTES_AT:]))
    explanation = explained(shorter + PLAIN)
    assert explanation.verdict.rules == ("codec.corrupt",)
    [wrong] = [part for part in explanation.parts if part.deviation]
    assert wrong.role in {CUT, MISSING}
    assert wrong.end == cut


def test_parts_before_a_damaged_stream_stay_named() -> None:
    """A message has bytes after its value, and its value is a damaged stream."""
    wrapper = {**MESSAGE, "compression": "gzip", "messages": [{**MESSAGE, "compression": "none", "value": b"hello"}]}
    sound = encode_records({"batches": [wrapper]})
    wire = changed(sound, LENGTH_AT, (len(sound) - 12 + 2).to_bytes(4)) + bytes(2)
    explanation = explained(changed(wire, len(sound) - 20, b"\xff" * 8))
    last = explanation.parts[-1]
    assert (last.start, last.rule) == (len(sound), "message.trailing-bytes")
    assert explanation.verdict.reason == "compression"


def test_a_cut_message_within_a_compressed_one_is_named_at_its_place() -> None:
    """The second message of three ends before its key."""
    messages = [{**MESSAGE, "compression": "none", "offset": number, "value": b"hello"} for number in range(3)]
    first, second, third = (encode_records({"batches": [each]}) for each in messages)
    cut = changed(second[:26], LENGTH_AT, (26 - 12).to_bytes(4))
    cut = changed(cut, 12, crc32(cut[MAGIC_AT:]).to_bytes(4))
    stream = gzip.compress(first + cut + third)
    body = bytes([1, 1]) + bytes(8) + b"\xff" * 4 + len(stream).to_bytes(4) + stream
    wrapper = (2).to_bytes(8) + (4 + len(body)).to_bytes(4) + crc32(body).to_bytes(4) + body
    [inside] = explained(wrapper).inside
    assert [place for place, *_ in departing(inside)] == ["batches[0].messages[1].key"]


@pytest.mark.parametrize(("protocol", "inside"), [("consumer", 1), ("connect", 0)])
def test_group_messages_are_explained_in_groups_of_their_protocol(protocol: str, inside: int) -> None:
    schema = RELEASE.schema("JoinGroupRequest", 5)
    metadata = bytes.fromhex("0000 00000001 0001 74 ffffffff")
    value = minimal(schema) | {"ProtocolType": protocol, "Protocols": [{"Name": "range", "Metadata": metadata}]}
    explanation = explain_message(schema, encode(schema, value))
    check_whole(explanation)
    assert len(explanation.inside) == inside
    topics = [part.value for part in explanation.parts if part.path == "Protocols[0].Metadata.Topics[0]"]
    assert topics == ["1", '"t"'] * inside


def test_messages_of_a_group_of_unknown_protocol_are_explained_if_they_are_valid() -> None:
    schema = RELEASE.schema("SyncGroupResponse", 3)
    sound = bytes.fromhex("0000 00000000 ffffffff")
    for data, inside in ((sound, 1), (sound[:-1], 0), (b"\x01", 0), (b"", 0)):
        wire = encode(schema, minimal(schema) | {"Assignment": data})
        explanation = explain_message(schema, wire)
        check_whole(explanation)
        assert len(explanation.inside) == inside


def test_piece_of_a_snapshot_is_explained_only_if_it_is_whole_batches() -> None:
    schema = RELEASE.schema("FetchSnapshotResponse", 1)
    numbers = dict.fromkeys(("Index", "ErrorCode", "Size", "Position"), 0)
    leader = {"LeaderId": 0, "LeaderEpoch": 0}
    partition = {**numbers, "SnapshotId": {"EndOffset": 0, "Epoch": 0}, "CurrentLeader": leader}
    for data, inside in ((PLAIN, 1), (PLAIN[5:], 0)):
        topic = {"Name": "t", "Partitions": [{**partition, "UnalignedRecords": data}]}
        wire = encode(schema, minimal(schema) | {"Topics": [topic]})
        assert len(explain_message(schema, wire).inside) == inside


def test_parts_within_something_else_have_its_places_and_paths() -> None:
    part = WirePart(1, 3, "Name", "string", "length")
    assert part.within(10, "Topics[0]") == replace(part, start=11, end=13, path="Topics[0].Name")
