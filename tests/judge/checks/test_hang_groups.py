"""Hang groups of inputs, skipped after two hangs."""

from __future__ import annotations

from conformance.codec.bridge.hangs import ONLY_HANGS
from conformance.generate.origin import CaseOrigin
from conformance.generate.refused_bytes import invalid_bytes
from conformance.judge.checks.body_bytes import hostile_case, invalid_case
from reference import load_release
from tests.helpers.releases import NEWEST

SCHEMA = load_release(NEWEST).schema("HeartbeatResponse", 4)
SYNC_GROUP = load_release(NEWEST).schema("SyncGroupRequest", 5)
DESCRIBE_CLUSTER = load_release(NEWEST).schema("DescribeClusterRequest", 1)
SOUND = bytes.fromhex("00000000000000")
NEGATIVE_COUNT = bytes.fromhex("0000000000008180808008")
CUT_OFF = bytes.fromhex("000000000000ffffffff07")
CUT_OFF_IN_A_FIELD = bytes.fromhex("00000000")


def hang_group(wire: bytes) -> str:
    return hostile_case(SCHEMA, "generated", wire, deterministic=False).hang_group


def test_drawn_bytes_are_grouped_by_their_broken_rules() -> None:
    assert hang_group(NEGATIVE_COUNT) == f"{ONLY_HANGS}tag.count-negative"


def test_invalid_bytes_are_grouped_by_their_last_rule() -> None:
    wire = bytes.fromhex("0201") + NEGATIVE_COUNT[-5:]
    case = hostile_case(DESCRIBE_CLUSTER, "generated", wire, deterministic=False)
    assert case.verdict.rules == ("bool.other-than-0-1", "tag.count-negative")
    assert case.hang_group == hang_group(NEGATIVE_COUNT)


def test_mutated_bytes_are_grouped_as_drawn_ones() -> None:
    assert hostile_case(SCHEMA, "mutated-0", NEGATIVE_COUNT).hang_group == hang_group(NEGATIVE_COUNT)


def test_bytes_cut_off_after_the_fields_are_one_group() -> None:
    assert hang_group(CUT_OFF).startswith(f"{ONLY_HANGS}input.truncated ")
    assert hang_group(CUT_OFF) == hang_group(CUT_OFF[:-1])


def test_bytes_cut_off_in_a_field_have_no_group() -> None:
    assert not hang_group(CUT_OFF_IN_A_FIELD)


def test_tampered_bytes_are_grouped_by_their_tampering() -> None:
    assert (
        hostile_case(SCHEMA, "", CUT_OFF, source=CaseOrigin("varint-huge", rule="tag.section")).hang_group
        == "tag.section/varint-huge"
    )


def test_sound_bytes_have_no_group() -> None:
    assert not hostile_case(SCHEMA, "minimal", SOUND, base="minimal").hang_group


def test_a_null_hangs_as_those_of_other_fields_of_its_type_do() -> None:
    [null] = [case for case in invalid_bytes(SYNC_GROUP) if case.name == "Assignments[0].Assignment=null"]
    case = invalid_case(SYNC_GROUP, null.name, null.path, null.wire, null.rule)
    assert case.hang_group.removeprefix(ONLY_HANGS).split() == ["null.not-allowed", "bytes"]


def test_truncated_message_has_no_group() -> None:
    cut = next(invalid_bytes(SYNC_GROUP))
    assert not invalid_case(SYNC_GROUP, cut.name, cut.path, cut.wire, cut.rule).hang_group
