import pytest

from reference.wire.varints import UNSIGNED_VARINT
from tests.proposals.kip482_sketches import header_byte, length_and_more


@pytest.mark.parametrize(
    ("length", "more", "number", "wire"),
    [(5, True, 23, "17"), (5, False, 21, "15"), (31, True, 127, "7f"), (32, True, 131, "8301")],
)
def test_length_and_more_entries_share_a_varint(length: int, more: bool, number: int, wire: str) -> None:  # noqa: FBT001  # a column of the table
    assert length_and_more(length, more=more) == number
    assert UNSIGNED_VARINT.write(number).hex() == wire


@pytest.mark.parametrize(
    ("more", "tag_bits", "width", "byte"),
    [(True, 4, 1, 0xA0), (False, 4, 1, 0x20), (False, 1, 1, 0x08), (True, 15, 8, 0xFF)],
)
def test_header_byte_has_three_parts(more: bool, tag_bits: int, width: int, byte: int) -> None:  # noqa: FBT001  # a column of the table
    assert header_byte(more=more, tag_bits=tag_bits, width=width) == byte


@pytest.mark.parametrize(("tag_bits", "width"), [(0, 1), (16, 1), (1, 0), (1, 9)])
def test_header_byte_has_no_room_for_more(tag_bits: int, width: int) -> None:
    with pytest.raises(ValueError, match="not"):
        header_byte(more=False, tag_bits=tag_bits, width=width)


def test_negative_length_is_none() -> None:
    with pytest.raises(ValueError, match="not negative"):
        length_and_more(-1, more=False)
