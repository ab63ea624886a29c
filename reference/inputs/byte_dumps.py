r"""Dumps of bytes with a column of offsets: xxd, hexdump, od, Wireshark, tshark, tcpdump.

>>> next(dumps_of("00000000: 0000 000a  ...."))
('a dump with offsets', (b'\x00\x00\x00\n',))
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

FORM = "a dump with offsets"
OF_OD = 7
"""The number of digits of the offsets of od, which are octal, and of hexdump."""
_LINE = re.compile(r"[ \t]*(?:\[|0[xX])?([0-9a-fA-F]{4,16})(?:\]|([:|]))?(?:[ \t]+(.*)|)$")
_SQUEEZED = "*"
_TITLE = re.compile(r"[^\n]*:$|#.*$|-{3,}.*$")
LONGEST_ROW = 256
LONGEST = 2**27
"""The greatest number of bytes that a row stands for, with its equal ones."""


@dataclass
class _Row:
    """One line of a dump, with its offset, a colon after it as of xxd, the rest, and whether `*` below repeats it."""

    offset: str
    colon: str
    body: str
    is_repeated: bool = False


def dumps_of(text: str) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    """Yield the form and the bytes of each dump in a text; a text is taken as words of each order that fits."""
    blocks = list(_blocks(text))
    if not blocks or not any(row.body for block in blocks for row in block):
        return
    is_open = any(row.is_repeated for block in blocks for row in block)
    for read in _READERS:
        yield from islice(_whole(blocks, read), None if is_open else 1)


def _whole(
    blocks: Sequence[Sequence[_Row]], read: Callable[[_Row], Iterator[bytes]]
) -> Iterator[tuple[str, tuple[bytes, ...]]]:
    """Yield the dumps by each base of the offsets that fits: more than one counts only where `*` stands for rows."""
    for base in _bases(blocks[0][0], read):
        pieces = [_read(block, read, base) for block in blocks]
        whole = [each for each in pieces if each is not None]
        if len(whole) == len(pieces):
            yield FORM, tuple(whole)


def _bases(row: _Row, read: Callable[[_Row], Iterator[bytes]]) -> tuple[int, ...]:
    return (8, 16, 10) if len(row.offset) == OF_OD and read is not _as_numbers else (16, 8, 10)


def _blocks(text: str) -> Iterator[list[_Row]]:
    """Yield the rows of each dump, which begins where the offsets do, or none if another line is among them."""
    blocks: list[list[_Row]] = []
    by_margin: dict[bool, list[_Row]] = {}
    for line in filter(str.strip, text.splitlines()):
        # Wireshark indents the stream of the other side.
        margin = line.startswith(("\t", "    "))
        if line.strip() == _SQUEEZED and blocks:
            blocks[-1][-1].is_repeated = True
            continue
        match = _LINE.match(line.rstrip())
        if match is None:
            if _TITLE.match(line.strip()):
                continue
            return
        row = _Row(match[1], match[2] or "", match[3] or "")
        if margin not in by_margin or int(row.offset, 16) == 0:
            by_margin[margin] = []
            blocks.append(by_margin[margin])
        by_margin[margin].append(row)
    yield from blocks


def _read(rows: Sequence[_Row], words: Callable[[_Row], Iterator[bytes]], base: int) -> bytes | None:
    try:
        offsets = [int(row.offset, base) for row in rows]
    except ValueError:
        return None
    if not _is_plausible(offsets, rows):
        return None
    data = bytearray()
    for row, (start, end) in zip(rows, pairwise([*offsets, None]), strict=True):
        found = _bytes_of(row, list(islice(words(row), LONGEST_ROW)), None if end is None else end - (start or 0))
        if found is None:
            return None
        data += found
    return bytes(data) or None


def _bytes_of(row: _Row, words: Sequence[bytes], due: int | None) -> bytes | None:
    """Return the bytes of a row, with the equal ones that it stands for; None if they are not as many as due."""
    found, size = b"".join(words), len(words[0]) if words else 1
    if due is None:
        return found
    if due > LONGEST:
        return None
    if row.is_repeated:
        return found * (due // len(found)) if found and due % len(found) == 0 else None
    # Characters may look like words; the last word of an odd number of bytes is filled up.
    is_more = len(found) - due >= size and not _has_characters(row) and not row.colon
    return None if is_more or len(found) < due else found[:due]


def _is_plausible(offsets: Sequence[int], rows: Sequence[_Row]) -> bool:
    """Return whether offsets ascend; a single row must have the first one, told apart from its bytes."""
    if len(rows) > 1:
        return all(one < other for one, other in pairwise(offsets))
    row = rows[0]
    return offsets[0] == 0 and (bool(row.colon) or _width(row) != len(row.offset))


_WORD = re.compile(r"([ \t]*)(\S+)")
_HALF = 8
_GAP, _COLUMN = 2, 3
"""The numbers of blanks between the halves of a row of bytes, and before its characters."""


def _words(row: _Row, form: str) -> Iterator[str]:
    """Yield the words of a row up to the column of its characters, which other words or a gap begin."""
    for number, match in enumerate(_WORD.finditer(row.body)):
        gap, word = len(match[1]), match[2]
        is_half = number == _HALF and _width(row) == _GAP
        is_apart = number and (gap >= _COLUMN or (gap == _GAP and not is_half)) and not _is_aligned(row)
        if is_apart or not re.fullmatch(form, word):
            return
        yield word


def _is_aligned(row: _Row) -> bool:
    """Return whether a row has numbers of several widths and no characters, as of `od -t u1`."""
    return re.fullmatch(r"[ 0-9]+", row.body) is not None and "  " in row.body.strip()


def _width(row: _Row) -> int:
    return len(row.body.split()[0]) if row.body.split() else 0


def _has_characters(row: _Row) -> bool:
    return not re.fullmatch(r"[0-9a-fA-F \t]*", row.body)


def _as_bytes(row: _Row) -> Iterator[bytes]:
    """Yield hex words in the order of the bytes: single ones, and the words of xxd, by its colon or its characters."""
    if _width(row) == 2 or row.colon or _has_characters(row):  # noqa: PLR2004  # one byte
        yield from (bytes.fromhex(word) for word in _words(row, "(?:[0-9a-fA-F]{2})+"))


def _as_numbers(row: _Row) -> Iterator[bytes]:
    """Yield hex words as numbers of a machine of today, the lowest byte first: hexdump, od -x, xxd -e."""
    if _width(row) > 2:  # noqa: PLR2004  # more than a byte
        yield from (bytes.fromhex(word)[::-1] for word in _words(row, "(?:[0-9a-fA-F]{4})+"))


def _octal(row: _Row) -> Iterator[bytes]:
    """Yield octal words of a byte, of two or of four, as of od."""
    size = {3: 1, 6: 2, 11: 4}.get(_width(row), 0)
    for word in _words(row, f"[0-7]{{{_width(row)}}}") if size else ():
        if int(word, 8) >= 256**size:
            return
        yield int(word, 8).to_bytes(size, "little")


def _decimal(row: _Row) -> Iterator[bytes]:
    """Yield decimal numbers of a byte, as of `od -t u1` and `od -t d1`."""
    words = row.body.split()
    if any(re.fullmatch(r"[0-9a-fA-F]{2}", word) and not word.isdigit() for word in words):
        return  # hex
    for word in words:
        if not re.fullmatch(r"-?[0-9]{1,3}", word) or int(word) not in range(-128, 256):
            return
        yield bytes([int(word) % 256])


_READERS: tuple[Callable[[_Row], Iterator[bytes]], ...] = (_as_bytes, _as_numbers, _octal, _decimal)
