"""aiokafka from PyPI, driven in process by its protocol classes.

`--impl=conformance.adapters.aiokafka`, with the extra `adapters` installed.

Its refusals, read in its source: `aiokafka.protocol.types` turns the errors of `struct` for numbers out of range, for
null numbers and for input that ends too early into ValueError. It raises ValueError itself for input that ends inside a
string or bytes, for text without UTF-8, for varints of more than five bytes and for unknown tags that do not ascend.
Its varints leave the end of input to `struct.error`, and its writer of unknown tags asserts that a tag is positive. A
TypeError (a null in place of a struct) is no deliberate refusal, so it is not declared.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from aiokafka import __version__ as version
from aiokafka import codec
from aiokafka.errors import CorruptRecordException, UnsupportedCodecError
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.legacy_records import LegacyRecordBatch, LegacyRecordBatchBuilder
from aiokafka.record.memory_records import MemoryRecords

from conformance.adapter import Decoded, Value
from conformance.adapters._records import RecordClasses, installed
from conformance.adapters.aiokafka import aiokafka_messages as catalogue
from conformance.adapters.aiokafka.aiokafka_mapping import mapping_of
from conformance.adapters.aiokafka.aiokafka_messages import header_version, read, supported, write

if TYPE_CHECKING:
    from reference import MessageSchema

__all__ = [
    "capabilities",
    "decode",
    "decode_records",
    "encode",
    "encode_records",
    "header_version",
    "name",
    "notes",
    "records",
    "rejections",
    "supported",
    "version",
]

CLASSES = RecordClasses(
    memory_records=MemoryRecords,
    message=LegacyRecordBatch,
    batch_builder=DefaultRecordBatchBuilder,
    message_builder=LegacyRecordBatchBuilder,
    corrupt=CorruptRecordException,
    unsupported_codec=UnsupportedCodecError,
    codecs=installed(codec),
    no_records=-1,
    int64=True,
)

encode_records = CLASSES.encode_records
decode_records = CLASSES.decode_records
RECORDS_ERRORS = (CorruptRecordException, UnsupportedCodecError)

records = CLASSES.words(**{"partial-tail": "dropped", "hidden": ["attributes", "partitionLeaderEpoch"]})
"""Records hide their attributes, batches their leader epoch, and readers the number of bytes read."""

name = "aiokafka"
rejections = (ValueError, struct.error, AssertionError, *RECORDS_ERRORS)

capabilities = frozenset({"unknown-tags"})
"""Its tag sections are dicts, read and written. There are no defaults, and no fields but those of the version."""

notes = catalogue.notes()


def encode(schema: MessageSchema, value: Value) -> bytes:
    """Return the bytes of one message body, or raise `Unrepresentable` for a value beyond aiokafka's classes."""
    entity, to_aiokafka, _ = mapping_of(schema)
    return write(entity, to_aiokafka(value))


def decode(schema: MessageSchema, data: bytes) -> Decoded:
    """Return the value of one message body, and its number of bytes."""
    entity, _, from_aiokafka = mapping_of(schema)
    values, consumed = read(entity, data)
    return Decoded(from_aiokafka(values), consumed)
