"""The families of single faults of frames, stored messages and wire types."""

from typing import Any

import pytest

from conformance.codec.driver import Implementation
from conformance.judge.checks.frame_cases import frame_checks
from conformance.judge.checks.stored_cases import stored_checks
from conformance.judge.checks.wire_type_cases import primitive_cases
from conformance.judge.engine import violations
from reference import load_release, minimal
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of
from tests.mutants.mutant import selected
from tests.mutants.single_faults import frames, stored, wire_types
from tests.mutants.single_faults.family import CodecFaults
from tests.mutants.single_faults.fault import Fault, Seen
from tests.mutants.single_faults.judging import UNSEEN
from tests.second_codec.frames import FrameCodec

RELEASE = load_release(BASE)
AnyFaults = CodecFaults[Any, Any]
FRAMES, STORED, WIRE_TYPES = frames.FAMILY, stored.FAMILY, wire_types.FAMILY
FAMILIES: tuple[AnyFaults, ...] = (FRAMES, STORED, WIRE_TYPES)


def named(family: AnyFaults, name: str) -> Fault:
    return next(each for each in family.faults() if each.name == name)


def seen(family: AnyFaults, name: str) -> Seen:
    return family.seen(named(family, name))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_name_stands_for_one_fault(family: AnyFaults) -> None:
    """The names of a family are unique, and each fault says which family it is of."""
    faults = family.faults()
    assert len({each.name for each in faults}) == len(faults)
    assert {each.family for each in faults} == {family.name}


def test_there_are_twenty_legal_variants() -> None:
    """Each family has some."""
    legal = [[each for each in family.faults() if each.legal] for family in FAMILIES]
    assert all(legal)
    assert sum(map(len, legal)) >= 20


@pytest.mark.parametrize(
    "name", ["int32", "nullable-string", "compact-nullable-bytes", "tag-section", "varlong", "uuid"]
)
def test_the_sound_codec_of_wire_types_is_not_accused(name: str) -> None:
    """The suite finds nothing wrong with it."""
    session = session_of(Implementation(wire_types.WireTypeCodec().adapter("sound")), RELEASE)
    assert not list(violations(session, primitive_cases(session, name)))


@pytest.mark.parametrize(
    "pair", ["HeartbeatRequest-v3", "HeartbeatRequest-v4", "ApiVersionsResponse-v3", "ListGroupsRequest-v0"]
)
def test_the_sound_codec_of_frames_is_not_accused(pair: str) -> None:
    """The suite finds nothing wrong with it."""
    session = session_of(Implementation(FrameCodec(RELEASE).adapter("sound")), RELEASE)
    for schema in selected(BASE, pair):
        assert not list(violations(session, frame_checks(session, schema)))


@pytest.mark.parametrize("pair", ["OffsetCommitKey", "OffsetCommitValue-v4", "NoOpRecord", "RegisterBrokerRecord-v4"])
def test_the_sound_codec_of_stored_messages_is_not_accused(pair: str) -> None:
    """The suite finds nothing wrong with it."""
    session = session_of(Implementation(stored.StoredCodec().adapter("sound")), RELEASE)
    for schema in selected(BASE, pair):
        assert not list(violations(session, stored_checks(session, schema)))


def test_a_frame_is_written_as_the_book_has_it() -> None:
    """Statement 5.10 has these bytes."""
    schema = RELEASE.schema("ApiVersionsRequest", 0)
    wire = FrameCodec(RELEASE).encode_frame(RELEASE, "request", 18, 0, 7, "cl", minimal(schema))
    assert wire.hex(" ") == "00 00 00 0c 00 12 00 00 00 00 00 07 00 02 63 6c"


def test_a_record_is_written_as_the_book_has_it() -> None:
    """Statement 5.16 has these bytes."""
    assert stored.StoredCodec().encode_record(RELEASE.schema("NoOpRecord", 0), {}).hex(" ") == "01 14 00 00"


@pytest.mark.parametrize(
    ("name", "value", "wire"),
    [
        ("varlong", -300, "d704"),
        ("compact-string", "é", "03c3a9"),
        ("nullable-bytes", None, "ffffffff"),
        ("compact-array-of-string", ["a", ""], "03026101"),
        ("tag-section", [(0, b""), (300, b"\1")], "020000ac020101"),
    ],
)
def test_a_wire_type_is_written_as_the_book_has_it(name: str, value: Any, wire: str) -> None:
    """Chapters 1 and 2 have these bytes, and the reader takes them back."""
    codec = wire_types.WireTypeCodec()
    assert codec.encode(name, value).hex() == wire
    assert codec.decode(name, bytes.fromhex(wire)).value == value


@pytest.mark.parametrize(
    ("family", "name", "rule"),
    [
        (FRAMES, "decode/correlation-id/little-endian", "header.correlation-id"),
        (FRAMES, "encode/size/+4", "frame.size"),
        (STORED, "encode/numbers/type-and-version-swapped", "record.type"),
        (WIRE_TYPES, "uuid/decode/number/halves-swapped", "uuid.byte-order"),
        (WIRE_TYPES, "compact-string/decode/length/null-taken-as-empty", "null.not-allowed"),
    ],
)
def test_a_fault_is_named_by_the_rule_that_it_breaks(family: AnyFaults, name: str, rule: str) -> None:
    """The first cause of what the fixed cases show has that rule."""
    assert seen(family, name).first == rule


def test_a_vector_shows_a_fault() -> None:
    """Its id is told."""
    assert seen(WIRE_TYPES, "bool/encode/number/inverted").vectors == "primitives/bool/v0/default"


@pytest.mark.parametrize(
    ("family", "name"),
    [
        (FRAMES, "decode/client-id/other-negative-refused"),
        (STORED, "decode/version/overlong-refused"),
        (WIRE_TYPES, "bool/decode/number/other-bytes-refused"),
        (WIRE_TYPES, "tag-section/decode/section/order-refused"),
    ],
)
def test_a_legal_variant_differs_and_is_not_accused(family: AnyFaults, name: str) -> None:
    """Neither the suite nor a vector fails it."""
    assert seen(family, name) == Seen(differs=True, fixed="", generated="", vectors="", first="")


def test_what_differs_on_no_input_is_not_counted() -> None:
    """A sound reader, too, refuses a record whose frame version is 0."""
    assert seen(STORED, "decode/frame-version/zero-refused") == UNSEEN
