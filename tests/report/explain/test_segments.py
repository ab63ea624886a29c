"""A log segment is read entry by entry, over damage, and up to its unfinished tail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syrupy.assertion import SnapshotAssertion

from conformance.generate.record_building import batch, changed, message, record, wrapper
from conformance.report.explain.segments import GARBAGE, PARTIAL, ZEROS, LogEntry, LogSegment
from reference import encode_records

if TYPE_CHECKING:
    from pathlib import Path


def batch_at(offset: int, count: int = 3, **fields: object) -> bytes:
    """Return a batch with records from an offset on."""
    records = [record(offsetDelta=at, value=b"value %d" % at) for at in range(count)]
    return encode_records({"batches": [batch(baseOffset=offset, lastOffsetDelta=count - 1, records=records, **fields)]})


def entries(tmp_path: Path, content: bytes, *, judges: bool = False) -> list[LogEntry]:
    path = tmp_path / "00000000000000000000.log"
    path.write_bytes(content)
    with path.open("rb") as file:
        return list(LogSegment(file, judges=judges).entries())


def test_batch_has_position_offsets_count_and_producer(tmp_path: Path) -> None:
    first = batch_at(5)
    second = batch_at(8, 2, producerId=7, producerEpoch=1, baseSequence=4, transactional=True)
    found = entries(tmp_path, first + second)
    assert [(each.number, each.position, each.first, each.last, each.count) for each in found] == [
        (1, 0, 5, 7, 3),
        (2, len(first), 8, 9, 2),
    ]
    assert (found[1].producer, found[1].flags) == ((7, 1, 4), ("transactional",))
    assert not any(each.is_bad or each.detail for each in found)


def test_messages_before_batches_are_entries_of_their_own(tmp_path: Path) -> None:
    wire = encode_records(
        {"batches": [message(magic=1, offset=3, value=b"old"), message(magic=0, offset=4, value=b"x")]}
    )
    found = entries(tmp_path, wire, judges=True)
    assert [(each.magic, each.first, each.rules) for each in found] == [(1, 3, ()), (0, 4, ())]


def test_wrong_crc_is_bad_and_the_next_batch_follows(tmp_path: Path) -> None:
    damaged = bytearray(batch_at(0))
    damaged[-1] ^= 1
    found = entries(tmp_path, bytes(damaged) + batch_at(3))
    assert [(each.number, each.rules) for each in found] == [(1, ("batch.crc",)), (2, ())]
    assert found[0].is_bad


def test_batch_with_a_right_crc_is_found_after_garbage(tmp_path: Path) -> None:
    found = entries(tmp_path, batch_at(0) + b"no batch at all, as of a disk" * 9 + batch_at(3))
    assert [each.kind for each in found] == ["batch", GARBAGE, "batch"]
    assert found[1].size == 29 * 9
    assert found[1].is_bad


def test_damaged_length_hides_no_later_batch(tmp_path: Path) -> None:
    damaged = bytearray(batch_at(0))
    damaged[8] = 0x7F
    found = entries(tmp_path, bytes(damaged) + batch_at(3))
    assert [(each.kind, each.size) for each in found] == [(GARBAGE, len(damaged)), ("batch", len(batch_at(3)))]


def test_cut_batch_and_zeros_at_the_end_are_no_damage(tmp_path: Path) -> None:
    cut = entries(tmp_path, batch_at(0) + batch_at(3)[:-10])
    assert [(each.kind, each.is_bad) for each in cut] == [("batch", False), (PARTIAL, False)]
    assert "10 bytes" in cut[1].detail
    zeros = entries(tmp_path, batch_at(0) + bytes(5_000))
    assert [(each.kind, each.detail, each.is_bad) for each in zeros[1:]] == [(ZEROS, "preallocated", False)]


def test_missing_and_returning_offsets_are_remarks(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    found = entries(tmp_path, batch_at(0) + batch_at(10) + batch_at(2))
    assert [each.detail for each in found] == snapshot


def test_records_are_read_if_they_are_to_be_judged(tmp_path: Path) -> None:
    wire = changed(batch_at(0), "recordCount", 2)
    assert entries(tmp_path, wire)[0].rules == ()
    assert entries(tmp_path, wire, judges=True)[0].is_bad


def test_text_is_garbage_and_no_cut_batch(tmp_path: Path) -> None:
    found = entries(tmp_path, batch_at(0) + b"a text that is no batch, however long it is. " * 40)
    assert [(each.kind, each.is_bad) for each in found] == [("batch", False), (GARBAGE, True)]


def test_wrong_crc_of_a_message_hides_no_later_one(tmp_path: Path) -> None:
    messages = [encode_records({"batches": [message(magic=1, offset=at, value=b"a value")]}) for at in range(3)]
    damaged = messages[1][:-1] + b"\xff"
    found = entries(tmp_path, messages[0] + damaged + messages[2])
    assert [(each.first, each.rules) for each in found] == [(0, ()), (1, ("message.crc",)), (2, ())]


def test_batch_is_found_after_damaged_messages(tmp_path: Path) -> None:
    """An upgraded broker continues a segment in the newer form."""
    old = encode_records({"batches": [message(magic=1, offset=0, value=b"a value")]})
    found = entries(tmp_path, old + b"no entry" * 9 + batch_at(1) + b"no entry" * 9 + old)
    assert [each.kind for each in found] == ["message", GARBAGE, "batch", GARBAGE, "message"]


def test_too_large_length_swallows_no_sound_batch(tmp_path: Path) -> None:
    damaged = bytearray(batch_at(3))
    damaged[11] += 100
    found = entries(tmp_path, batch_at(0) + bytes(damaged) + batch_at(6) + batch_at(9) + batch_at(12))
    assert [(each.kind, each.first) for each in found if each.number] == [("batch", at) for at in (0, 6, 9, 12)]


def test_wrapper_has_the_offsets_of_its_messages(tmp_path: Path) -> None:
    inner = [message(magic=1, offset=at, value=b"a value") for at in range(3)]
    whole = message(magic=1, offset=3, value=b"before"), wrapper(*inner, offset=6)
    found = entries(tmp_path, encode_records({"batches": list(whole)}))
    assert [(each.first, each.last) for each in found] == [(3, 3), (4, 6)]


def test_zeros_between_batches_are_damage(tmp_path: Path) -> None:
    found = entries(tmp_path, batch_at(1) + bytes(500) + batch_at(4))
    assert [(each.kind, each.size, each.is_bad) for each in found[1:]] == [
        (GARBAGE, 500, True),
        ("batch", len(batch_at(4)), False),
    ]


def test_repeated_heads_are_not_tried_for_ever(tmp_path: Path) -> None:
    """Each of them has nearly the length of the file, so the sum of their sizes is a square."""
    head = bytes(8) + (250_000).to_bytes(4) + bytes(4) + b"\2"
    [found] = entries(tmp_path, b"x" + head * 20_000)
    assert found.kind == GARBAGE
