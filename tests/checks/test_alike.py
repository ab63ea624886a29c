"""Which hostile inputs count as alike, so that they are left out once two of them have hung."""

from __future__ import annotations

from conformance.checks.hostile_bytes import HostileBytesCase
from reference import load_release

SCHEMA = load_release("4.4.0").schema("HeartbeatResponse", 4)
NEGATIVE_COUNT = bytes.fromhex("0000000000008180808008")
CUT_OFF = bytes.fromhex("000000000000ffffffff07")


def drawn(wire: bytes) -> str:
    return HostileBytesCase(SCHEMA, "generated", "", wire, deterministic=False).alike


def test_drawn_bytes_are_alike_by_the_rules_that_they_depart_from() -> None:
    assert drawn(NEGATIVE_COUNT) == "tag.count-negative"


def test_drawn_bytes_that_are_cut_off_are_like_nothing() -> None:
    assert not drawn(CUT_OFF)


def test_tampered_bytes_are_alike_by_what_was_done_to_them() -> None:
    assert HostileBytesCase(SCHEMA, "", "", CUT_OFF, "tag.section/varint-huge").alike == "tag.section/varint-huge"


def test_a_base_is_like_nothing() -> None:
    assert not HostileBytesCase(SCHEMA, "minimal", "", NEGATIVE_COUNT, base="minimal").alike
