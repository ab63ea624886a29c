"""kafka-python from PyPI, driven in process through its public API.

`--impl=conformance.adapters.kafka_python`, with the extra `adapters` installed.

How it refuses, read in its source. Its readers say ValueError for a buffer that ends inside a string of a header, of
ConsumerProtocol or of a tagged field, for a varint of more than five bytes there, for text without UTF-8 and for a UUID
of fewer than 16 bytes; the readers that it generates for all other messages leave an end of input to `struct.error` and
IndexError; and a tag section with anything in it, where it expects an empty one, is an AssertionError. Its writers
leave numbers out of range, null numbers and legacy strings that are too long to `struct.error`, and text without UTF-8
to UnicodeEncodeError, a ValueError. An AttributeError (a null where a struct was due) is nothing that it means to say,
so it is not declared.

Frames go through what its connections use, `KafkaProtocol`, which reads responses only. It makes a KafkaProtocolError
of the ValueError or `struct.error` of a body, and logs the bytes: that log is off here.

Consumed bytes are told where its `decode` reads from a stream: headers and ConsumerProtocol. Requests and responses are
read whole, and `decode` keeps the position where it stopped to itself.

A second codec in the package, `kafka.protocol.old`, is not driven: the package itself uses it in a benchmark only, and
every message and version of it is in the codec that is driven.
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
"""Records do not show their attributes; timestamps of log-append batches are shown as the batch's."""

name = "kafka-python"
version = version_of(name)
rejections = (ValueError, struct.error, IndexError, AssertionError, *FRAME_ERRORS, *RECORDS_ERRORS)

capabilities = frozenset({"absent-fields", "partial-values", "unknown-tags"})
"""Its classes take every field of every version, and give a default to those of the version that are left out.

Objects hold the unknown tagged fields that were read, and take others: that no writer writes them is a finding.
"""

representations = frozenset({"absent-struct-as-null", "null-array-as-empty", "zero-uuid-as-null"})
"""The adapter converts the zero UUID both ways; of arrays it is the topics of MetadataRequest that null empties."""


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
    *,
    header_tags: Sequence[tuple[int, bytes]] = (),
) -> bytes:
    """Size, header and body, as `KafkaProtocol.send_request` has a message write them.

    Raises:
        Unrepresentable: kafka-python's types cannot hold the value.
        Unsupported: there are tagged fields for the header, which its connections do not send.
    """
    if header_tags:
        raise Unsupported("tagged fields of headers: connections make headers without any")
    _, to_kafka, _ = mapping_of(api_schema(release, direction, api_key, api_version))
    message = to_kafka(value)
    message.with_header(correlation_id=correlation_id, client_id=client_id)
    return bytes(message.encode(header=True, framed=True))  # the message says its version; of a response, only it may


def decode_frame(
    release: Release, direction: FrameDirection, api_key: int, api_version: int, data: bytes
) -> FrameContent:
    """The parts of a response, as a connection reads them that has sent a request with the response's correlation id.

    Raises:
        Unsupported: it is a request.
        IncompleteFrameError: the connection waits for more bytes.
    """
    if direction == "request":
        raise Unsupported("reading requests: connections send them only")
    _, _, from_kafka = mapping_of(api_schema(release, direction, api_key, api_version))
    correlation_id, message = receive(api_key, api_version, data)
    return FrameContent(correlation_id, None, from_kafka(message))
