"""Strings, a length in bytes followed by UTF-8 (rules 1.1.8, 1.2.1, 1.3.8, 1.3.14, 1.3.15).

"é" is two bytes of UTF-8: `00 02 c3 a9`, compact `03 c3 a9`. The empty string is `00 00`, compact `01`. A string has at
most 32,767 bytes, in either form. All valid UTF-8 passes unchanged: NUL, a byte order mark, noncharacters, any normal
form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.errors import Reason, Refusal
from reference.wire.base import WireType
from reference.wire.lengths import Length, length_of
from reference.wire.stream import Reader, refuse, wrong_type

if TYPE_CHECKING:
    from io import BytesIO

    from reference.paths import Path

MAXIMUM_STRING_BYTES = 0x7FFF
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SURROGATE_BYTES = 3
_SURROGATE_LEAD = 0xED
_SURROGATE_SECOND = range(0xA0, 0xC0)


class String(WireType):
    """A length followed by UTF-8, with the length's null for None.

    >>> string(compact=True, nullable=False).write("abc").hex()
    '04616263'
    """

    limit_rule = "string.too-long"
    """The id of the rule about strings of more than 32,767 bytes."""

    def __init__(self, length: Length) -> None:
        self.length = length
        self.nullable = length.nullable
        self._read_length = length.read
        self._write_length = length.write_to

    def read(self, stream: Reader, path: Path = "") -> str | None:
        start = stream.tell()
        length = self._read_length(stream, path)
        if length is None:
            return None
        if length > MAXIMUM_STRING_BYTES:
            self.read_too_long(length, stream, start, path)  # returns in a dialect that reads such strings
        data = stream.read(length)
        if len(data) != length:
            stream.malformed("length.within-input", Reason.LENGTH_EXCEEDS_INPUT, start, path, f"{length} bytes")
        if stream.spans is not None:
            rule = "string.utf8" if length else "string.empty"
            stream.span(stream.tell() - length, path, "payload", rule, "raw")
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            stream.deviation("string.malformed-utf8", stream.tell() - length + error.start, path)
            return decode_leniently(data)

    def read_too_long(self, length: int, stream: Reader, start: int, path: Path) -> None:
        """Refuse a string of more than 32,767 bytes, with its length at offset `start`."""
        stream.malformed(self.limit_rule, Reason.STRING_TOO_LONG, start, path, f"{length} bytes")

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if obj is None and self.nullable:
            self._write_length(None, stream, path)
            return
        if not isinstance(obj, str):
            wrong_type("string", obj, path)
        data = obj.encode() if obj.isascii() else utf8(obj, path)
        if len(data) > MAXIMUM_STRING_BYTES:
            detail = f"{len(data)} bytes of UTF-8, at most {MAXIMUM_STRING_BYTES} fit"
            refuse(Refusal.STRING_TOO_LONG, path, detail, self.limit_rule)
        self._write_length(len(data), stream, path)
        stream.write(data)


def utf8(text: str, path: Path) -> bytes:
    """Return the UTF-8 of a text, or raise Unencodable for an unpaired surrogate."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        refuse(Refusal.BAD_TEXT, path, f"unpaired surrogate at character {error.start}")


def string(*, compact: bool, nullable: bool) -> String:
    """Return the string type of a field."""
    return String(length_of("string", compact=compact, nullable=nullable))


def decode_leniently(data: bytes) -> str:
    """Decode malformed UTF-8 as Apache Kafka's runtime does, with U+FFFD for each malformed piece (rule 1.3.14).

    Python's `errors="replace"` differs for encoded surrogates only: `ed a0 80` is one U+FFFD there, three in Python.
    """
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
    """Return the number of bytes replaced by one U+FFFD. An encoded surrogate is one piece, even if it is cut short."""
    lead, *rest = data[start : start + _SURROGATE_BYTES]
    if lead == _SURROGATE_LEAD and rest and rest[0] in _SURROGATE_SECOND:
        return 1 + len(rest) if all(byte & 0xC0 == 0x80 for byte in rest) else len(rest)  # noqa: PLR2004  # 10xxxxxx
    return error.end - error.start
