"""The record batches of kafka-python, by the classes of `kafka.record` that its consumer and its producer use."""

from __future__ import annotations

from kafka import codec
from kafka.errors import CorruptRecordError, UnsupportedCodecError
from kafka.record import MemoryRecords
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.legacy_records import LegacyRecordBatch, LegacyRecordBatchBuilder

from conformance.adapters._records import RecordClasses, installed

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
