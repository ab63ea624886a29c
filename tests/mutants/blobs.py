"""Lengths and contents of bytes and records that are written or read wrong."""

from collections.abc import Callable
from dataclasses import replace

from reference import FieldSchema
from reference.wire.base import WireType
from reference.wire.blobs import Blob
from reference.wire.lengths import LegacyLength
from reference.wire.message import RELEASED
from tests.mutants.mutant import Converted, Lying, Mutant, same


def _blobs(type_name: str, change: Callable[[FieldSchema, WireType], WireType]) -> Lying:
    return Lying(blob=lambda field, blob: change(field, blob) if field.type == type_name else blob)


def legacy_length(field: FieldSchema, _blob: WireType) -> WireType:
    """The length is an int32 in flexible versions too."""
    return RELEASED.blob(replace(field, compact=False))


def compact_length(field: FieldSchema, _blob: WireType) -> WireType:
    """The length is compact in versions that are not flexible, too."""
    return RELEASED.blob(replace(field, compact=True))


def int16_length(field: FieldSchema, blob: WireType) -> WireType:
    """The length is an int16, as a string's is, in versions that are not flexible."""
    if field.compact:
        return blob
    return Blob(field.type, LegacyLength("length", f"{field.type}.length", width=2, nullable=field.nullable))


def cut_at_65535(_field: FieldSchema, blob: WireType) -> WireType:
    """What is beyond 65,535 bytes is not written."""
    return Converted(blob, lambda value: value and value[:65_535], same)


def first_offset_cleared(_field: FieldSchema, blob: WireType) -> WireType:
    """The offset at the beginning of a record batch is written as zero."""
    return Converted(blob, lambda value: value and bytes(min(8, len(value))) + value[8:], same)


def empty_read_as_null(_field: FieldSchema, blob: WireType) -> WireType:
    return Converted(blob, same, lambda value: value or None)


MUTANTS = (
    Mutant(
        "int32-length-for-compact-bytes",
        "bytes.compact-length",
        "SaslAuthenticateRequest-v2,SyncGroupResponse-v4",
        both=_blobs("bytes", legacy_length),
    ),
    Mutant(
        "compact-length-for-legacy-bytes",
        "bytes.length",
        "SaslAuthenticateRequest-v1,SyncGroupResponse-v3",
        both=_blobs("bytes", compact_length),
    ),
    Mutant(
        "int16-length-for-bytes", "bytes.length", "ConsumerProtocolAssignment-v0", writes=_blobs("bytes", int16_length)
    ),
    Mutant("bytes-up-to-65535", "bytes.payload", "SaslAuthenticateRequest-v1..2", writes=_blobs("bytes", cut_at_65535)),
    Mutant(
        "int32-length-for-compact-records",
        "records.compact-length",
        "ProduceRequest-v9,FetchSnapshotResponse-v0",
        both=_blobs("records", legacy_length),
    ),
    Mutant(
        "compact-length-for-legacy-records",
        "records.length",
        "ProduceRequest-v8,FetchResponse-v4",
        both=_blobs("records", compact_length),
    ),
    Mutant(
        "offset-of-record-batch-cleared",
        "records.payload",
        "ProduceRequest-v8..9,FetchSnapshotResponse-v0",
        writes=_blobs("records", first_offset_cleared),
    ),
    Mutant(
        "empty-records-read-as-null", "null.compact", "ProduceRequest-v9", reads=_blobs("records", empty_read_as_null)
    ),
)
