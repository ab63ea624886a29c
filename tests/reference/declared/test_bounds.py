"""Time and memory of the declared protocol on hostile and on large input."""

import tracemalloc
from typing import Any

import pytest
from construct import ConstructError

from reference.declared import (
    UINT64,
    Array,
    Base128,
    CompactArray,
    CompactBytes,
    CompactString,
    Fields,
    Int8,
    Int32,
    Nullable,
    Tags,
)

HIGHEST = bytes.fromhex("7fffffff")


@pytest.mark.parametrize(
    ("construct", "wire"),
    [
        (Array(Fields()), HIGHEST),
        (Array(Array(Fields())), bytes.fromhex("00000001") + HIGHEST),
        (CompactArray(Fields()), bytes.fromhex("ffffffff0f")),
        (CompactBytes, bytes.fromhex("ffffffff0f")),
        (CompactString, bytes.fromhex("ffffffff0f")),
        (Fields(Tags()), bytes.fromhex("ffffffff0f")),
        (Fields(Tags()), bytes.fromhex("01 05 ffffffff0f")),
        (Base128(UINT64), b"\x80" * 10**6),
    ],
    ids=["struct", "nested", "compact", "bytes", "string", "entries", "entry", "varint"],
)
def test_number_beyond_the_input_takes_no_memory(construct: Any, wire: bytes) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(ConstructError):
            construct.parse(wire)
        assert tracemalloc.get_traced_memory()[1] < 2**21
    finally:
        tracemalloc.stop()


def test_structs_nest_forty_levels_deep() -> None:
    construct: Any = Int8
    value: Any = 7
    for _ in range(40):
        construct, value = Array(Nullable(Fields("A" / construct))), [{"A": value}]
    assert construct.parse(construct.build(value)) == value


def test_a_million_elements_come_back() -> None:
    value = list(range(10**6))
    assert Array(Int32).parse(Array(Int32).build(value)) == value
