import pytest

from reference.wire.varints import UNSIGNED_VARINT

HIGHEST_TAG_BITS = 15
HIGHEST_WIDTH = 8


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


def length_and_more(length: int, *, more: bool) -> int:
    """Return the length of an entry and the flag for another one, as one number for an unsigned varint.

    >>> length_and_more(5, more=True)
    23
    """
    if length < 0:
        raise ValueError(f"a length is not negative, as {length} is")
    return length << 2 | more << 1 | 1


def header_byte(*, more: bool, tag_bits: int, width: int) -> int:
    """Return the first byte of an entry, NTTTTBBB.

    N is the flag for another entry, T the bits of its tag, B the bytes of its number.

    Args:
        more: whether another entry follows.
        tag_bits: the number of bits of the tag, 1 to 15; the others are the length.
        width: the number of bytes of the number, 1 to 8.

    >>> hex(header_byte(more=True, tag_bits=4, width=1))
    '0xa0'
    """
    if not 1 <= tag_bits <= HIGHEST_TAG_BITS:
        raise ValueError(f"a tag has 1 to {HIGHEST_TAG_BITS} bits, not {tag_bits}")
    if not 1 <= width <= HIGHEST_WIDTH:
        raise ValueError(f"the number has 1 to {HIGHEST_WIDTH} bytes, not {width}")
    return more << 7 | tag_bits << 3 | width - 1
