"""Two formulas of KIP-482 that were written down and given up before there was a layout around them.

Only the formulas can be told from what is left of them (14.39, 14.40): how entries followed one another, and how a
reader knew that there were any, the document no longer says.
"""

HIGHEST_TAG_BITS = 15
HIGHEST_WIDTH = 8


def length_and_more(length: int, *, more: bool) -> int:
    """The length of an entry and whether another one follows, in one number, to be written as an unsigned varint.

    >>> length_and_more(5, more=True)
    23
    """
    if length < 0:
        raise ValueError(f"a length is not negative, as {length} is")
    return length << 2 | more << 1 | 1


def header_byte(*, more: bool, tag_bits: int, width: int) -> int:
    """The first byte of an entry, NTTTTBBB: whether another one follows, the bits of its tag, the bytes of its number.

    Args:
        more: whether another entry follows.
        tag_bits: how many bits of the number are the tag, 1 to 15; the others are the length.
        width: how many bytes the number has, 1 to 8.

    >>> hex(header_byte(more=True, tag_bits=4, width=1))
    '0xa0'
    """
    if not 1 <= tag_bits <= HIGHEST_TAG_BITS:
        raise ValueError(f"a tag has 1 to {HIGHEST_TAG_BITS} bits, not {tag_bits}")
    if not 1 <= width <= HIGHEST_WIDTH:
        raise ValueError(f"the number has 1 to {HIGHEST_WIDTH} bytes, not {width}")
    return more << 7 | tag_bits << 3 | width - 1
