"""Cutting a stream into frames."""

import pytest

from conformance.live.traffic.pairing import Cutter

TWO = b"\0\0\0\2ab\0\0\0\0"


def test_all_frames_of_a_segment_are_cut() -> None:
    assert list(Cutter().feed(TWO)) == [b"ab", b""]


def test_byte_by_byte_the_frames_are_the_same() -> None:
    cutter = Cutter()
    assert [frame for at in range(len(TWO)) for frame in cutter.feed(TWO[at : at + 1])] == [b"ab", b""]
    assert cutter.rest == b""


def test_what_is_incomplete_is_the_rest() -> None:
    cutter = Cutter()
    assert list(cutter.feed(TWO[:5])) == []
    assert cutter.rest == TWO[:5]


@pytest.mark.parametrize("size", [b"\xff\xff\xff\xff", b"\x80\0\0\0", b"\0\0\0\x0b"])
def test_a_size_that_cannot_be_ends_the_cutting(size: bytes) -> None:
    cutter = Cutter(largest=10)
    assert list(cutter.feed(TWO + size + TWO)) == [b"ab", b""]
    assert list(cutter.feed(TWO)) == []
    assert cutter.is_lost
    assert cutter.rest == size + TWO + TWO
