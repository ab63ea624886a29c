"""The files beside a log are named by their kind, and compared with the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.report.explain.data_folder import DataFile, kind_of, report_of
from reference import completed, encode_prefixed
from tests.live.capture.broker import RELEASE as NEWEST
from tests.report.explain.test_segments import batch_at

if TYPE_CHECKING:
    from pathlib import Path

BASE = "00000000000000000100"
FIRST, SECOND = batch_at(100), batch_at(103)


def entry(*numbers: tuple[int, int]) -> bytes:
    return b"".join(number.to_bytes(width, "big", signed=True) for number, width in numbers)


def written(tmp_path: Path, name: str, content: bytes | str, *, log: bytes | None = FIRST + SECOND) -> Path:
    if log is not None:
        (tmp_path / f"{BASE}.log").write_bytes(log)
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (f"{BASE}.log", DataFile.SEGMENT),
        (f"{BASE}-0000000001.checkpoint", DataFile.SNAPSHOT),
        ("bootstrap.checkpoint", DataFile.SNAPSHOT),
        (f"{BASE}.index", DataFile.OFFSET_INDEX),
        (f"{BASE}.timeindex", DataFile.TIME_INDEX),
        (f"{BASE}.txnindex", DataFile.TRANSACTION_INDEX),
        (f"{BASE}.snapshot", DataFile.PRODUCERS),
        ("leader-epoch-checkpoint", DataFile.CHECKPOINT),
        ("meta.properties", DataFile.PROPERTIES),
        ("quorum-state", DataFile.QUORUM_STATE),
        ("frame.bin", None),
        ("server.log", None),
    ],
)
def test_name_decides_about_the_kind(name: str, kind: DataFile | None) -> None:
    assert kind_of(name) == kind


def test_fitting_offset_index_has_no_trouble(tmp_path: Path) -> None:
    content = entry((2, 4), (0, 4)) + entry((5, 4), (len(FIRST), 4)) + bytes(80)
    report = report_of(written(tmp_path, f"{BASE}.index", content), DataFile.OFFSET_INDEX, NEWEST)
    assert report == (["offset 102: position 0", f"offset 105: position {len(FIRST)}"], [])


@pytest.mark.parametrize(
    "content",
    [
        entry((2, 4), (7, 4)),
        entry((5, 4), (0, 4)) + entry((6, 4), (len(FIRST), 4)),
        entry((2, 4), (0, 4)) + b"abc",
    ],
    ids=["position", "offset", "end"],
)
def test_trouble_of_an_offset_index_is_named(tmp_path: Path, content: bytes, snapshot: SnapshotAssertion) -> None:
    report = report_of(written(tmp_path, f"{BASE}.index", content), DataFile.OFFSET_INDEX, NEWEST)
    assert report.troubles == snapshot


def test_falling_offsets_of_an_index_are_named(tmp_path: Path) -> None:
    content = entry((5, 4), (len(FIRST), 4)) + entry((2, 4), (0, 4))
    report = report_of(written(tmp_path, f"{BASE}.index", content), DataFile.OFFSET_INDEX, NEWEST)
    assert "offset 102 follows 105" in report.troubles


def test_entry_for_several_batches_of_one_append_is_right(tmp_path: Path) -> None:
    """Up to 3.9 it has the last offset of an append, and the position of its first batch."""
    report = report_of(written(tmp_path, f"{BASE}.index", entry((5, 4), (0, 4))), DataFile.OFFSET_INDEX, NEWEST)
    assert report.troubles == []


def test_crc_of_a_snapshot_of_producers_is_compared(tmp_path: Path) -> None:
    producers = NEWEST.schema("ProducerSnapshot", 1)
    wire = encode_prefixed(producers, completed(producers, {"Crc": 1, "ProducerEntries": []}))
    report = report_of(written(tmp_path, f"{BASE}.snapshot", wire), DataFile.PRODUCERS, NEWEST)
    assert report.troubles[0].startswith("CRC 00000001, computed")
    assert not any("verdict" in line for line in report.lines)


def test_time_index_beyond_the_end_of_the_log_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    content = entry((1_700_000_000_000, 8), (9, 4))
    report = report_of(written(tmp_path, f"{BASE}.timeindex", content), DataFile.TIME_INDEX, NEWEST)
    assert report.troubles == snapshot


def test_index_without_its_log_is_read_alone(tmp_path: Path) -> None:
    content = entry((2, 4), (7, 4))
    report = report_of(written(tmp_path, f"{BASE}.index", content, log=None), DataFile.OFFSET_INDEX, NEWEST)
    assert report == (["offset 102: position 7"], [])


def test_aborted_transactions_and_producers_are_messages(tmp_path: Path) -> None:
    schema = NEWEST.schema("AbortedTxn", 0)
    content = encode_prefixed(schema, {field.name: 103 for field in schema.fields})
    report = report_of(written(tmp_path, f"{BASE}.txnindex", content), DataFile.TRANSACTION_INDEX, NEWEST)
    assert report.troubles == []
    assert "ProducerId 103" in report.lines[0]
    producers = NEWEST.schema("ProducerSnapshot", 1)
    wire = encode_prefixed(producers, completed(producers, {"Crc": 1, "ProducerEntries": []}))
    report = report_of(written(tmp_path, f"{BASE}.snapshot", wire), DataFile.PRODUCERS, NEWEST)
    assert any("Crc" in line for line in report.lines)


@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        ("leader-epoch-checkpoint", "0\n1\n0 0\n", ["0 0"]),
        ("recovery-point-offset-checkpoint", "0\n1\nt 0 5\n", ["t 0 5"]),
        ("meta.properties", "#\nnode.id=1\nversion=1\n", ["node.id=1", "version=1"]),
        ("quorum-state", '{"leaderId":1,"data_version":1}', ["leaderId: 1", "data_version: 1"]),
    ],
)
def test_texts_are_shown_as_they_are(tmp_path: Path, name: str, content: str, lines: list[str]) -> None:
    path = written(tmp_path, name, content, log=None)
    kind = kind_of(name)
    assert kind is not None
    assert report_of(path, kind, NEWEST) == (lines, [])


def test_wrong_number_of_entries_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = written(tmp_path, "recovery-point-offset-checkpoint", "0\n2\nt 0 5\n", log=None)
    assert report_of(path, DataFile.CHECKPOINT, NEWEST).troubles == snapshot
