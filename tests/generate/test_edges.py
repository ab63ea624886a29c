from typing import Any

import pytest

from conformance.generate import edges
from reference import MessageSchema
from reference.values.comparison import float_bits
from tests.helpers.probes import SOURCES, USUAL, Get, field, message

COPIES = 8
"""Fields of each type in one message, so that one value has many chances to contain an edge."""

MANY = 2_000
"""Values to draw for rare edges: each length of a long text is one text in 512."""

FEW = 100

CHARACTERS = {"one": "a", "two": "é", "three": "日", "four": "\N{GRINNING FACE}"}


def of_type(type_name: str) -> MessageSchema:
    return message(*(field(f"Field{number}", type_name) for number in range(COPIES)))


def scalars(source: Get, type_name: str, count: int = USUAL) -> list[Any]:
    return [item for value in source(of_type(type_name), count) for name, item in value.items() if name != "_tags"]


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("type_name", edges.INTEGERS)
def test_every_edge_of_an_integer_appears(source: Get, type_name: str) -> None:
    """Each edge of each integer type is drawn, as zero, one, both ends, and numbers of different bytes."""
    assert set(edges.INTEGERS[type_name]) <= set(scalars(source, type_name))


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_ports_above_the_range_of_int16_appear(source: Get) -> None:
    """Ports above 32,767 find a codec with signed numbers for them."""
    ports = scalars(source, "uint16")
    assert {32_767, 32_768, 65_535} <= set(ports)
    assert sum(port >= 32_768 for port in ports) > len(ports) / 8


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_every_float_appears_bit_for_bit(source: Get) -> None:
    assert {float_bits(number) for number in edges.FLOATS.values()} == {
        float_bits(each) for each in scalars(source, "float64")
    }


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_every_known_uuid_and_others_appear(source: Get) -> None:
    assert set(edges.UUIDS) < set(scalars(source, "uuid"))


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_both_truth_values_appear(source: Get) -> None:
    found = scalars(source, "bool")
    assert 0.3 < sum(found) / len(found) < 0.7


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_every_text_appears(source: Get) -> None:
    assert set(edges.TEXTS.values()) <= set(scalars(source, "string", MANY))


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_every_length_of_text_appears(source: Get) -> None:
    assert set(edges.STRING_LENGTHS) <= {len(each.encode()) for each in scalars(source, "string", MANY)}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("character", CHARACTERS.values(), ids=CHARACTERS)
def test_long_texts_have_characters_of_every_width(source: Get, character: str) -> None:
    """Wide characters find a codec with counts of characters or UTF-16 units instead of bytes."""
    long = [each for each in scalars(source, "string", MANY) if each.count(character) > 126 // len(character.encode())]
    assert {len(each.encode()) for each in long} & {127, 128, 16_383, 16_384, 32_767}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_no_text_is_longer_than_may_be_written(source: Get) -> None:
    """The longest writable text has 32,767 bytes of UTF-8."""
    assert max(len(each.encode()) for each in scalars(source, "string", MANY)) == 32_767


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("type_name", ["bytes", "records"])
def test_every_length_of_bytes_appears(source: Get, type_name: str) -> None:
    """Each length of a blob is drawn, those beyond 64 KiB too."""
    assert set(edges.BLOB_LENGTHS) <= {len(each) for each in scalars(source, type_name, MANY)}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("type_name", ["[]int8", "[]int64", "[]bool"])
def test_every_length_of_an_array_of_numbers_appears(source: Get, type_name: str) -> None:
    assert set(edges.ARRAY_LENGTHS) <= {len(each) for each in scalars(source, type_name)}


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
@pytest.mark.parametrize("type_name", ["[]string", "[]uuid", "[]bytes"])
def test_arrays_of_larger_things_are_empty_short_and_shortish(source: Get, type_name: str) -> None:
    """Arrays of large elements have none to three, so values stay fast to draw."""
    assert {len(each) for each in scalars(source, type_name, FEW)} == {0, 1, 2, 3}
