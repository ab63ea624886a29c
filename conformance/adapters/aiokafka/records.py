"""The record batches of aiokafka, by the classes of `aiokafka.record`: those of its C extension, where it has one."""

from __future__ import annotations

from aiokafka import codec
from aiokafka.errors import CorruptRecordException, UnsupportedCodecError
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.legacy_records import LegacyRecordBatch, LegacyRecordBatchBuilder
from aiokafka.record.memory_records import MemoryRecords

from conformance.adapters._records import RecordClasses, installed

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
"""Records do not show their attributes, batches not their leader epoch; readers not how far they have read."""
