"""Strings: a length in bytes, then UTF-8 (rules 1.1.8, 1.2.1, 1.3.8, 1.3.14, 1.3.15).

"é" is two bytes of UTF-8: `00 02 c3 a9`, compact `03 c3 a9`. At most 32,767 bytes, in either form. Everything that is
sound UTF-8 passes unchanged: NUL, a byte order mark, noncharacters, any normal form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from reference.errors import Reason, Refusal
from reference.wire.base import WireType
from reference.wire.lengths import CompactLength, LegacyLength, Length
from reference.wire.stream import Reader, refuse, wrong_type
from reference.wire.utf8 import decode_leniently

if TYPE_CHECKING:
    from io import BytesIO

    from reference.paths import Path

MAXIMUM_STRING_BYTES = 0x7FFF


class String(WireType):
    """A length, then as many bytes of UTF-8; None is the length's null.

    >>> string(compact=True, nullable=False).build("abc").hex()
    '04616263'
    """

    def __init__(self, length: Length) -> None:
        super().__init__()
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
            stream.malformed("string.too-long", Reason.STRING_TOO_LONG, start, path, f"{length} bytes")
        data = stream.read(length)
        if len(data) != length:
            stream.malformed("length.within-input", Reason.LENGTH_EXCEEDS_INPUT, start, path, f"{length} bytes")
        if stream.spans is not None:
            stream.span(stream.tell() - length, path, "payload", "string.utf8", "raw")
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            stream.deviation("string.malformed-utf8", stream.tell() - length + error.start, path)
            return decode_leniently(data)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if obj is None and self.nullable:
            self._write_length(None, stream, path)
            return
        if not isinstance(obj, str):
            wrong_type("string", obj, path)
        data = obj.encode() if obj.isascii() else utf8(obj, path)
        if len(data) > MAXIMUM_STRING_BYTES:
            _too_long(data, path)
        self._write_length(len(data), stream, path)
        stream.write(data)


def utf8(text: str, path: Path) -> bytes:
    """The UTF-8 of `text`.

    Raises:
        Unencodable: an unpaired surrogate, or more than 32,767 bytes.
    """
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        refuse(Refusal.BAD_TEXT, path, f"unpaired surrogate at character {error.start}")
    if len(data) > MAXIMUM_STRING_BYTES:
        _too_long(data, path)
    return data


def _too_long(data: bytes, path: Path) -> NoReturn:
    refuse(Refusal.STRING_TOO_LONG, path, f"{len(data)} bytes of UTF-8, at most {MAXIMUM_STRING_BYTES} fit")


def string(*, compact: bool, nullable: bool) -> String:
    """The string type of a field."""
    if compact:
        return String(CompactLength("length", "string.compact-length", nullable=nullable))
    return String(LegacyLength("length", "string.length", width=2, nullable=nullable))
