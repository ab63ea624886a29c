"""Malformed UTF-8, decoded as Apache Kafka's runtime decodes it (rule 1.3.14).

Python's own `errors="replace"` agrees but for encoded surrogates: `ed a0 80` is one U+FFFD there, three in Python.
"""

from __future__ import annotations

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SURROGATE_BYTES = 3
_SURROGATE_LEAD = 0xED
_SURROGATE_SECOND = range(0xA0, 0xC0)


def decode_leniently(data: bytes) -> str:
    """Decode, with U+FFFD for each malformed piece."""
    pieces: list[str] = []
    position = 0
    while position < len(data):
        try:
            pieces.append(data[position:].decode())
            break
        except UnicodeDecodeError as error:
            pieces.append(data[position : position + error.start].decode())
            pieces.append(REPLACEMENT)
            position += error.start + _malformed_length(data, position + error.start, error)
    return "".join(pieces)


def _malformed_length(data: bytes, start: int, error: UnicodeDecodeError) -> int:
    """How many bytes one U+FFFD stands for.

    An encoded surrogate is one piece, of all three of its bytes or of the two that there are.
    """
    lead, *rest = data[start : start + _SURROGATE_BYTES]
    if lead == _SURROGATE_LEAD and rest and rest[0] in _SURROGATE_SECOND:
        return 1 + len(rest) if all(_is_continuation(byte) for byte in rest) else len(rest)
    return error.end - error.start


def _is_continuation(byte: int) -> bool:
    return byte & 0xC0 == 0x80  # noqa: PLR2004  # 10xxxxxx
