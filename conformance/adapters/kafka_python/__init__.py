"""kafka-python from PyPI, driven in process through its public API.

`--impl=conformance.adapters.kafka_python`, with the extra `adapters` installed.

How it refuses, read in its source. Its readers say ValueError for a buffer that ends inside a string of a header, of
ConsumerProtocol or of a tagged field, for a varint of more than five bytes there, for text without UTF-8 and for a UUID
of fewer than 16 bytes; the readers that it generates for all other messages leave an end of input to `struct.error` and
IndexError; and a tag section with anything in it, where it expects an empty one, is an AssertionError. Its writers
leave numbers out of range, null numbers and legacy strings that are too long to `struct.error`, and text without UTF-8
to UnicodeEncodeError, a ValueError. An AttributeError (a null where a struct was due) is nothing that it means to say,
so it is not declared.

Consumed bytes are told where its `decode` reads from a stream: headers and ConsumerProtocol. Requests and responses are
read whole, and `decode` keeps the position where it stopped to itself.
"""

from __future__ import annotations

import struct
from importlib.metadata import version as version_of
from typing import TYPE_CHECKING

from conformance.adapter import Decoded, FrameContent, Value
from conformance.adapters.kafka_python.catalogue import supported
from conformance.adapters.kafka_python.mapping import mapping_of
from reference import api_schema

if TYPE_CHECKING:
    from reference import FrameDirection, MessageSchema, Release

__all__ = ["decode", "decode_frame", "encode", "encode_frame", "name", "rejections", "supported", "version"]

name = "kafka-python"
version = version_of(name)
rejections = (ValueError, struct.error, IndexError, AssertionError)

capabilities = frozenset({"absent-fields", "partial-values"})
"""Its classes take every field of every version, and give a default to those of the version that are left out.

Not `unknown-tags`: they are kept when read, and an object takes them, but no writer writes them.
"""


def encode(schema: MessageSchema, value: Value) -> bytes:
    """The bytes of one message body.

    Raises:
        Unrepresentable: kafka-python's types cannot hold the value.
    """
    codec, to_kafka, _ = mapping_of(schema)
    return codec.write(to_kafka(value))


def decode(schema: MessageSchema, data: bytes) -> Decoded:
    """The value of one message body; unknown tagged fields are shown as they were read."""
    codec, _, from_kafka = mapping_of(schema)
    message, consumed = codec.read(data)
    return Decoded(from_kafka(message), consumed)


def encode_frame(  # noqa: PLR0913, PLR0917  # the contract's arguments
    release: Release,
    direction: FrameDirection,
    api_key: int,
    api_version: int,
    correlation_id: int,
    client_id: str | None,
    value: Value,
) -> bytes:
    """Size, header and body, as a message with a header writes them.

    Raises:
        Unrepresentable: kafka-python's types cannot hold the value.
    """
    _, to_kafka, _ = mapping_of(api_schema(release, direction, api_key, api_version))
    message = to_kafka(value)
    message.with_header(correlation_id=correlation_id, client_id=client_id)
    return bytes(message.encode(header=True, framed=True))  # the message says its version; of a response, only it may


def decode_frame(
    release: Release, direction: FrameDirection, api_key: int, api_version: int, data: bytes
) -> FrameContent:
    """The parts of a frame; a message keeps the header that it was read with."""
    codec, _, from_kafka = mapping_of(api_schema(release, direction, api_key, api_version))
    message = codec.entity.decode(data, version=api_version, header=True, framed=True)
    header = message.header
    client_id = header.client_id if direction == "request" else None
    return FrameContent(header.correlation_id, client_id, from_kafka(message))
