"""Random damage to files, the same for the same seed.

Half of it is damage to bytes, as disks, copies and editors do it. The other half changes the values of a document.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from tests.damage.trees import DOCUMENTS, changed_document

if TYPE_CHECKING:
    from collections.abc import Callable

LENGTHS = (1, 2, 3, 4)


def _change(content: bytearray, choices: random.Random) -> None:
    """Change one to four bytes anywhere."""
    for _ in range(choices.choice(LENGTHS)):
        content[choices.randrange(len(content))] = choices.randrange(256)


def _flip(content: bytearray, choices: random.Random) -> None:
    """Flip one bit."""
    content[choices.randrange(len(content))] ^= 1 << choices.randrange(8)


def _cut(content: bytearray, choices: random.Random) -> None:
    """Cut the end off."""
    del content[choices.randrange(len(content)) :]


def _remove(content: bytearray, choices: random.Random) -> None:
    """Take bytes out."""
    at = choices.randrange(len(content))
    del content[at : at + choices.randint(1, 40)]


def _repeat(content: bytearray, choices: random.Random) -> None:
    """Have bytes there twice."""
    at = choices.randrange(len(content))
    content[at:at] = content[at : at + choices.randint(1, 40)]


def _splice(content: bytearray, choices: random.Random) -> None:
    """Have bytes of another place in this one."""
    at, other = (choices.randrange(len(content)) for _ in range(2))
    length = choices.randint(1, 400)
    content[at : at + length] = content[other : other + length]


def _insert(content: bytearray, choices: random.Random) -> None:
    """Put in what has a meaning in many formats."""
    at = choices.randrange(len(content) + 1)
    content[at:at] = choices.choice(MEANINGFUL)


def _digits(content: bytearray, choices: random.Random) -> None:
    """Put another number in the place of a digit."""
    places = [at for at, byte in enumerate(content) if byte in b"0123456789"]
    if places:
        at = choices.choice(places)
        content[at : at + 1] = choices.choice(NUMBERS)


def _replace(content: bytearray, choices: random.Random) -> None:
    """Have another file there: empty, or of another format."""
    content[:] = choices.choice(FILES)


NUMBERS = (b"-1", b"1.0", b"1e999", b"NaN", b"null", b"true", b'""', b"[]", b"{}", b"9" * 30, b"9" * 5000, b"0")
MEANINGFUL = (
    *(b"\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\x1b]0;\x07"),
    *(b'"', b",", b"{", b"}", b"[" * 5000, b"\\", b"\n", b"\r\n", b"#", b"=", b"\\ud800", b"\\u001b[2J", b"\xc2\x9b2J"),
)
FILES = (b"", b"\n", b"3", b"null", b"[]", b"{}", b'"text"', b"[[]]", b"[{}]", b"\x7fELF\x02\x01\x01\0", b"PK\3\4" * 9)
WAYS: tuple[Callable[[bytearray, random.Random], None], ...] = (
    *(_change, _change, _change, _flip, _cut, _remove, _repeat, _splice, _insert, _digits, _replace),
)


def damaged(content: bytes, seed: str, document: str = "") -> bytes:
    """Return bytes with the damage of a seed; as they are if the damage changes nothing.

    `document` is the format of the values, of `DOCUMENTS`, or empty for bytes without such a format.
    """
    choices = random.Random(seed)  # noqa: S311  # no secret
    if document and choices.random() < 1 / 2:
        return changed_document(content, DOCUMENTS[document], choices)
    changed = bytearray(content)
    choices.choice(WAYS)(changed, choices)
    return bytes(changed)
