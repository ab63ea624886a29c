"""kio from PyPI, driven in process through its public API.

`--impl=conformance.adapters.kio`, with the extra `adapters` installed. Its reader is a native extension, so hostile
bytes belong in a child process.

Its refusals, read in its source: `kio.serial.errors.SerialError` is its own family, but not all of its errors are in
it. The native reader raises ValueError for bools other than 00 and 01, varints of more than five bytes, negative array
lengths, and values outside enums and dates, and KeyError for an unknown tag. Its writer leaves numbers out of range to
`struct.error`. It raises TypeError for a null string, and UnicodeEncodeError, a ValueError, for text without UTF-8. All
these are deliberate. An AttributeError (a null in place of a struct) is not, so it is not declared.
"""

from __future__ import annotations

import io
import struct
from typing import TYPE_CHECKING

from kio import __version__ as version
from kio.index import KioIndexError, load_request_schema, load_response_schema
from kio.serial.errors import NegativeByteLength, SerialError, UnexpectedNull

from conformance.adapter import Decoded, Unsupported, Value
from conformance.adapters.kio.kio_mapping import mapping_of, supported

if TYPE_CHECKING:
    from reference import MessageSchema

__all__ = [
    "classify",
    "decode",
    "encode",
    "header_version",
    "name",
    "rejections",
    "representations",
    "supported",
    "version",
]

name = "kio"
rejections = (SerialError, ValueError, KeyError, TypeError, struct.error)

representations = frozenset({"zero-uuid-as-null"})
"""The adapter converts the zero UUID both ways, and the timestamp -1, which is None in some fields only."""

REASONS: dict[type[Exception], str] = {UnexpectedNull: "null-not-allowed", NegativeByteLength: "negative-length"}
"""The reasons with an exception of their own; kio's BufferUnderflow stands for two reasons."""

LOADERS = {"request": load_request_schema, "response": load_response_schema}


def encode(schema: MessageSchema, value: Value) -> bytes:
    """Return the bytes of one message body, or raise `Unrepresentable` for a value beyond kio's types."""
    mapping = mapping_of(schema)
    buffer = io.BytesIO()
    mapping.write(buffer, mapping.to_kio(value))
    return buffer.getvalue()


def decode(schema: MessageSchema, data: bytes) -> Decoded:
    """Return the value of one message body, and its number of bytes."""
    mapping = mapping_of(schema)
    entity, consumed = mapping.read(data, 0)
    return Decoded(mapping.from_kio(entity), consumed)


def classify(exception: Exception) -> str | None:
    """Return the reason of a rejection, where kio has an exception of its own for it."""
    return REASONS.get(type(exception))


def header_version(api_key: int, api_version: int, direction: str) -> int:
    """Return the version of the header that kio puts before a message."""
    try:
        entity = LOADERS[direction](api_key, api_version)
    except KioIndexError as error:
        raise Unsupported(str(error)) from error
    return int(entity.__header_schema__.__version__)
