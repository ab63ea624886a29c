"""kafka-python from PyPI, driven in process through its public API.

`--impl=conformance.adapters.kafka_python`, with the extra `adapters` installed.

Its refusals, read in its source. Its readers raise ValueError for a buffer that ends inside a string of a header, of
ConsumerProtocol or of a tagged field, for a varint of more than five bytes there, for text without UTF-8 and for a UUID
of fewer than 16 bytes. Its generated readers, for all other messages, leave an end of input to `struct.error` and
IndexError. A tag section with content raises AssertionError where an empty one is expected. Its writers leave numbers
out of range, null numbers and legacy strings beyond their maximum length to `struct.error`, and text without UTF-8 to
UnicodeEncodeError, a ValueError. An AttributeError (a null in place of a struct) is no deliberate refusal, so it is not
declared.

Frames go through `KafkaProtocol`, as in its connections, which reads responses only. It makes a KafkaProtocolError of
the ValueError or `struct.error` of a body, and logs the bytes. That log is off here.

Consumed bytes are reported for headers and ConsumerProtocol, where its `decode` reads from a stream. Requests and
responses are read whole, and `decode` does not return its final position.

A second codec in the package, `kafka.protocol.old`, is not driven. The package itself uses it in a benchmark only, and
the first codec has every message and version of it.
"""

from __future__ import annotations

import struct
from importlib.metadata import version as version_of
from typing import TYPE_CHECKING

from kafka import codec
from kafka.errors import CorruptRecordError, UnsupportedCodecError
from kafka.record import MemoryRecords
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.legacy_records import LegacyRecordBatch, LegacyRecordBatchBuilder

from conformance.adapter import Decoded, FrameContent, Unsupported, Value
from conformance.adapters._records import RecordClasses, installed
from conformance.adapters.kafka_python.kafka_python_mapping import mapping_of
from conformance.adapters.kafka_python.kafka_python_messages import FRAME_ERRORS, describe, receive, supported
from reference import api_schema

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference import FrameDirection, MessageSchema, Release

__all__ = [
    "capabilities",
    "decode",
    "decode_frame",
    "decode_records",
    "describe",
    "encode",
    "encode_frame",
    "encode_records",
    "name",
    "records",
    "rejections",
    "representations",
    "supported",
    "version",
]

CLASSES = RecordClasses(
    memory_records=MemoryRecords,
    message=LegacyRecordBatch,
    batch_builder=DefaultRecordBatchBuilder,
    message_builder=LegacyRecordBatchBuilder,
    corrupt=CorruptRecordError,
    unsupported_codec=UnsupportedCodecError,
    codecs=installed(codec),
    no_records=0,
    further={"partitionLeaderEpoch": "leader_epoch"},
)

encode_records = CLASSES.encode_records
decode_records = CLASSES.decode_records
RECORDS_ERRORS = (CorruptRecordError, UnsupportedCodecError)

records = CLASSES.words(hidden=["attributes"])
"""Records hide their attributes, and the timestamps of log-append batches are those of the batch."""

name = "kafka-python"
version = version_of(name)
rejections = (ValueError, struct.error, IndexError, AssertionError, *FRAME_ERRORS, *RECORDS_ERRORS)

capabilities = frozenset({"absent-fields", "partial-values", "unknown-tags"})
"""Its classes accept every field of every version, and give a default to the missing ones of the version.

Objects hold the unknown tagged fields that were read, and accept others. No writer writes them, which is a finding.
"""

representations = frozenset({"absent-struct-as-null", "null-array-as-empty", "zero-uuid-as-null"})
"""The adapter converts the zero UUID both ways. The array with null for empty is the topics of MetadataRequest."""


def encode(schema: MessageSchema, value: Value) -> bytes:
    """Return the bytes of one message body, or raise `Unrepresentable` for a value beyond kafka-python's types."""
    codec, to_kafka, _ = mapping_of(schema)
    return codec.write(to_kafka(value))


def decode(schema: MessageSchema, data: bytes) -> Decoded:
    """Return the value of one message body, with unknown tagged fields as they were read."""
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
    *,
    header_tags: Sequence[tuple[int, bytes]] = (),
) -> bytes:
    """Return size, header and body, as `KafkaProtocol.send_request` has a message write them.

    Raises:
        Unrepresentable: kafka-python's types cannot hold the value.
        Unsupported: there are tagged fields for the header, which its connections do not send.
    """
    if header_tags:
        raise Unsupported("tagged fields of headers: connections make headers without any")
    _, to_kafka, _ = mapping_of(api_schema(release, direction, api_key, api_version))
    message = to_kafka(value)
    message.with_header(correlation_id=correlation_id, client_id=client_id)
    return bytes(message.encode(header=True, framed=True))  # a response takes its version from the message alone


def decode_frame(
    release: Release, direction: FrameDirection, api_key: int, api_version: int, data: bytes
) -> FrameContent:
    """Return the parts of a response, read by a connection after a request with the same correlation id.

    Raises:
        Unsupported: it is a request.
        IncompleteFrameError: the connection waits for more bytes.
    """
    if direction == "request":
        raise Unsupported("reading requests: connections send them only")
    _, _, from_kafka = mapping_of(api_schema(release, direction, api_key, api_version))
    correlation_id, message = receive(api_key, api_version, data)
    return FrameContent(correlation_id, None, from_kafka(message))
