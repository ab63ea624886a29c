"""The families of single faults of frames, stored messages and wire types."""

import pytest

from tests.mutants.single_faults.family import CodecFaults
from tests.mutants.single_faults.fault import Fault, Seen
from tests.mutants.single_faults.judging import UNSEEN

FRAMES, STORED, WIRE_TYPES = FAMILIES = [CodecFaults(kind) for kind in ("frames", "stored", "wire types")]


def named(family: CodecFaults, name: str) -> Fault:
    return next(each for each in family.faults() if each.name == name)


def seen(family: CodecFaults, name: str) -> Seen:
    return family.seen(named(family, name))


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_a_name_stands_for_one_fault(family: CodecFaults) -> None:
    """The names of a family are unique, and each fault has the name of its family."""
    faults = family.faults()
    assert len({each.name for each in faults}) == len(faults)
    assert {each.family for each in faults} == {family.name}


def test_there_are_twenty_legal_variants() -> None:
    """Each family has some."""
    legal = [[each for each in family.faults() if each.legal] for family in FAMILIES]
    assert all(legal)
    assert sum(map(len, legal)) >= 20


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
def test_fault_is_named_by_its_rule(family: CodecFaults, name: str, rule: str) -> None:
    """The first cause of the fixed cases has that rule."""
    assert seen(family, name).first == rule


def test_a_vector_shows_a_fault() -> None:
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
def test_a_legal_variant_differs_and_is_not_accused(family: CodecFaults, name: str) -> None:
    """Neither the suite nor a vector fails it."""
    assert seen(family, name) == Seen(differs=True, fixed="", generated="", vectors="", first="")


def test_fault_equal_on_all_inputs_is_not_counted() -> None:
    """A sound reader, too, refuses a record whose frame version is 0."""
    assert seen(STORED, "decode/frame-version/zero-refused") == UNSEEN
