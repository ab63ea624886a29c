"""Malformed UTF-8, decoded as Apache Kafka's runtime decodes it (rule 1.3.14).

Python's own `errors="replace"` agrees but for encoded surrogates: `ed a0 80` is one U+FFFD there, three in Python.
"""

from __future__ import annotations

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SURROGATE_BYTES = 3


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
    """How many bytes one U+FFFD stands for."""
    piece = data[start : start + _SURROGATE_BYTES]
    if len(piece) == _SURROGATE_BYTES and piece[0] == 0xED and 0xA0 <= piece[1] <= 0xBF and piece[2] & 0xC0 == 0x80:  # noqa: PLR2004  # the shape of an encoded surrogate
        return _SURROGATE_BYTES
    return error.end - error.start
