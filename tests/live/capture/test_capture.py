"""Streams are cut into frames, and a file of a capture is read as it was written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from conformance.definitions.defining_releases import Definitions
from conformance.live.capture.capture import (
    BadCapture,
    CapturedFrame,
    CaptureHeader,
    CaptureWriter,
    read_capture,
    write_capture,
)
from conformance.live.capture.capture_judgement import CaptureJudge, CaptureSubject
from conformance.live.capture.pairing import Cutter
from conformance.system.whole_files import NotWritten
from tests.helpers.endings import on_a_full_disk
from tests.helpers.runs import ROOT
from tests.live.capture.broker import RELEASE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TWO = b"\0\0\0\2ab\0\0\0\0"
HEADER = '{"capture": 1, "suite": "0.1.0", "redacted": "no"}'
FRAMES = [
    CapturedFrame(1, "client", 0.0124, b"\1\2"),
    CapturedFrame(2, "server", 1.0, b"", cut=3),
    CapturedFrame(1, "client", 2.5, b"\xff", is_rest=True),
]


def test_written_capture_is_read(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    write_capture(path, CaptureHeader("hash", 2), FRAMES)
    capture = read_capture(path)
    frames = list(capture.frames)
    assert capture.header == CaptureHeader("hash", 2)
    assert [frame.number for frame in frames] == [1, 2, 3]
    assert frames[0].at == pytest.approx(0.012)
    assert frames[1:] == FRAMES[1:]


def test_a_capture_takes_the_place_of_an_older_one_and_of_no_other_file(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    for _ in range(2):
        write_capture(path, CaptureHeader(), FRAMES)
    path.write_text("precious")
    with pytest.raises(NotWritten, match="not a capture"):
        write_capture(path, CaptureHeader(), FRAMES)
    assert path.read_text() == "precious"


def test_nothing_is_lost_when_a_capture_is_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"

    def frames() -> Iterator[CapturedFrame]:
        yield FRAMES[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_capture(path, CaptureHeader(), frames())
    assert len(list(read_capture(path).frames)) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["session.jsonl"]


def test_a_file_has_its_name_only_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    with CaptureWriter(path, CaptureHeader()):
        assert not path.exists()
    assert path.exists()


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "is empty: the first line of a capture is its header"),
        ("frames", "line 1: not JSON"),
        ("[]", "line 1 is not an object"),
        ('{"capture": 2}', "line 1: format 2; this version reads format 1"),
        ('{"suite": "0.1.0"}', "line 1 is no header"),
        (HEADER + "\n{", "line 2: not JSON"),
        (
            HEADER + '\n{"connection": 1, "from": "broker", "at": 0, "frame": ""}',
            "line 2 is no frame: $.from",
        ),
        (HEADER + '\n{"connection": 1, "from": "client", "at": 0, "frame": "0"}', "line 2 is no frame"),
        (HEADER + '\n{"connection": 1, "from": "client", "at": 0}', "line 2 is no frame"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "session.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadCapture, match=re.escape(error)):
        list(read_capture(path).frames)


def test_file_of_other_bytes_than_utf_8_is_no_capture(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadCapture, match="not UTF-8"):
        read_capture(path)


def test_the_example_in_the_documentation_is_a_sound_capture(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "reference" / "captures.md").read_text(encoding="utf-8")
    lines = [line.strip() for line in page.splitlines() if line.startswith("    {")]
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    judgement = CaptureJudge(CaptureSubject("", Definitions([RELEASE])))
    seen = list(judgement.take_all(read_capture(path).frames))
    assert [(str(each), each.departures) for each in seen] == [
        ("ApiVersionsRequest-v0", ()),
        ("ApiVersionsResponse-v0", ()),
    ]


def test_all_frames_of_a_segment_are_cut() -> None:
    assert list(Cutter().feed(TWO)) == [b"ab", b""]


def test_byte_by_byte_the_frames_are_the_same() -> None:
    cutter = Cutter()
    assert [frame for at in range(len(TWO)) for frame in cutter.feed(TWO[at : at + 1])] == [b"ab", b""]
    assert cutter.rest == b""


def test_incomplete_frame_is_the_rest() -> None:
    cutter = Cutter()
    assert list(cutter.feed(TWO[:5])) == []
    assert cutter.rest == TWO[:5]


@pytest.mark.parametrize("size", [b"\xff\xff\xff\xff", b"\x80\0\0\0", b"\0\0\0\x0b"])
def test_impossible_size_ends_the_cutting(size: bytes) -> None:
    cutter = Cutter(largest=10)
    assert list(cutter.feed(TWO + size + TWO)) == [b"ab", b""]
    assert list(cutter.feed(TWO)) == []
    assert cutter.is_lost
    assert cutter.rest == size + TWO + TWO


def test_full_disk_leaves_no_empty_capture(tmp_path: Path) -> None:
    done = on_a_full_disk(lambda: CaptureWriter(tmp_path / "session.jsonl", CaptureHeader()), 0)
    assert done.status == 1
    assert list(tmp_path.iterdir()) == []
