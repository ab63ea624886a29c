"""The classes of messages and of record batches of kafka-python 2.0.2, as its client calls them.

A request of version N is item N of a list; a response is the class named by the request, as on a connection. Fields
are matched with the definition by position. Where the library lacks some, they are matched by type in their order, and
missing ones can be at their defaults only.

Records are read as by `Fetcher._unpack_message_set`, which compares no CRC though `check_crcs` is on, and written by
the builders of the producer, which are never closed without a record.
"""

from __future__ import annotations

import io
from functools import cache
from typing import TYPE_CHECKING, Any

from kafka import codec
from kafka.errors import CorruptRecordException, UnsupportedCodecError
from kafka.protocol import admin, commit, fetch, group, metadata, offset, produce
from kafka.protocol.types import Array, Boolean, Bytes, Int8, Int16, Int32, Int64, Schema, String
from kafka.record.default_records import DefaultRecordBatchBuilder
from kafka.record.legacy_records import LegacyRecordBatch, LegacyRecordBatchBuilder
from kafka.record.memory_records import MemoryRecords
from kafka.version import __version__ as version

from conformance.adapter import Decoded, Unrepresentable, Unsupported, Value
from conformance.adapters._records import RecordClasses, installed
from reference import is_default, load_release, releases
from reference.values.defaults import fresh

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reference import FieldSchema, MessageSchema

__all__ = ["decode", "decode_records", "encode", "encode_records", "name", "records", "rejections", "supported"]

name = "kafka-python"
__version__ = version
rejections = (ValueError, CorruptRecordException, UnsupportedCodecError)
records = {
    "batches": "flattened",
    "codecs": installed(codec),
    "leader-epoch": "own",
    "partial-tail": "dropped",
    "wrapped-messages": "unwrapped",
}
TYPES = {
    "bool": Boolean,
    "int8": Int8,
    "int16": Int16,
    "int32": Int32,
    "int64": Int64,
    "string": String,
    "bytes": Bytes,
    "records": Bytes,
    "array": Array,
    "struct": Schema,
}
NO_EPOCH = -1
BUILDERS = RecordClasses(
    memory_records=MemoryRecords,
    message=LegacyRecordBatch,
    batch_builder=DefaultRecordBatchBuilder,
    message_builder=LegacyRecordBatchBuilder,
    corrupt=CorruptRecordException,
    unsupported_codec=UnsupportedCodecError,
    codecs=installed(codec),
    no_records=0,
)


def supported() -> dict[str, list[int]]:
    """Return every message and version in a list of requests with matched fields."""
    messages: dict[str, list[int]] = {}
    for message, number in _classes():
        if any(_matches(release_name, message, number) for release_name in releases()):
            messages.setdefault(message, []).append(number)
    return messages


def encode(schema: MessageSchema, value: Value) -> bytes:
    """Return the bytes of one message body."""
    entity = _classes()[schema.message, schema.version]
    message = entity(*_to_items(_lined_up(schema.fields, entity.SCHEMA), schema.fields, value))
    wire: bytes = message.encode()  # which holds its object by a weak reference
    return wire


def decode(schema: MessageSchema, data: bytes) -> Decoded:
    """Return the value of one message body, and how many bytes it took."""
    entity = _classes()[schema.message, schema.version]
    stream = io.BytesIO(data)
    message = entity.decode(stream)
    items = [message.get_item(name) for name in entity.SCHEMA.names]
    return Decoded(_from_items(_lined_up(schema.fields, entity.SCHEMA), schema.fields, items), stream.tell())


def encode_records(value: Value) -> bytes:
    """Return the bytes of a field of batches, each by a builder of its own."""
    for index, batch in enumerate(value["batches"]):
        if batch["magic"] in range(2):
            continue
        if not batch["records"]:
            raise Unrepresentable("producers build no batch without records", f"batches[{index}].records")
        if batch["partitionLeaderEpoch"] != NO_EPOCH:
            raise Unrepresentable("producers know no leader epoch", f"batches[{index}].partitionLeaderEpoch")
    return BUILDERS.encode_records(value)


def decode_records(data: bytes) -> Value:
    """Return a consumer's records of a field of batches."""
    reader = MemoryRecords(data)
    delivered: list[Value] = []
    while (batch := reader.next_batch()) is not None:
        delivered += [_delivered(record) for record in batch]
    return {"records": delivered}


def _delivered(record: Any) -> Value:
    timestamp = -1 if record.timestamp is None else record.timestamp
    shown = {"offset": record.offset, "timestamp": timestamp}
    return {**shown, "key": record.key, "value": record.value, "headers": record.headers}


@cache
def _classes() -> dict[tuple[str, int], Any]:
    """The classes by the names and versions of Kafka's definitions."""
    definitions = [release.definition(name) for release in map(load_release, releases()) for name in release.messages]
    names = {(definition.kind, definition.api_key): definition.name for definition in definitions}
    classes: dict[tuple[str, int], Any] = {}
    for module in (admin, commit, fetch, group, metadata, offset, produce):
        for title, versions in vars(module).items():
            if isinstance(versions, list) and title.endswith("Request"):
                for number, request in enumerate(versions):
                    classes[names["request", request.API_KEY], number] = request
                    classes[names["response", request.API_KEY], number] = request.RESPONSE_TYPE
    return classes


def _matches(release_name: str, message: str, number: int) -> bool:
    release = load_release(release_name)
    if message not in release.messages or number not in release.definition(message).valid_versions:
        return False
    try:
        _lined_up(release.schema(message, number).fields, _classes()[message, number].SCHEMA)
    except Unsupported:
        return False
    return True


def _lined_up(ours: Sequence[FieldSchema], theirs: Any) -> list[tuple[FieldSchema, Any]]:
    """Pair the library's fields with those of the definition.

    Raises:
        Unsupported: a field of the library has no counterpart.
    """
    if len(ours) == len(theirs):
        pairs = list(zip(ours, theirs.fields, strict=True))
    else:
        remaining = iter(ours)
        pairs = [(_next_of_type(remaining, kind), kind) for kind in theirs.fields]
    for field, kind in pairs:
        _check(field, kind)
    return pairs


def _next_of_type(remaining: Any, kind: Any) -> FieldSchema:
    for field in remaining:
        if _is_of(TYPES[field.type], kind):
            found: FieldSchema = field
            return found
    raise Unsupported("the library has a field that the definition has not")


def _check(field: FieldSchema, kind: Any) -> None:
    """Check that arrays and structs are the same on both sides, while other types may differ."""
    if isinstance(kind, Array):
        if field.element is None:
            raise Unsupported(f"{field.name} is no array")
        kind, field = kind.array_of, field.item
    if isinstance(kind, Schema):
        _lined_up(field.fields, kind)
    elif field.type == "struct":
        [only] = field.fields if len(field.fields) == 1 else [None]
        if only is None:
            raise Unsupported(f"{field.name} is a struct")
        _check(only, kind)


def _is_of(expected: type, kind: Any) -> bool:
    return kind is expected or isinstance(kind, expected)


def _to_items(pairs: list[tuple[FieldSchema, Any]], fields: Sequence[FieldSchema], value: Value) -> tuple[Any, ...]:
    """Return the values of a struct in the library's order."""
    names = [field.name for field in fields]
    for name in {*names} ^ {*value}:
        raise Unrepresentable("classes have the fields of their version, without defaults", name)
    written = [field.name for field, _ in pairs]
    for field in fields:
        if field.name not in written and not is_default(field, value[field.name]):
            raise Unrepresentable("the class has no such field", field.name)
    return tuple(_to(field, kind, value[field.name]) for field, kind in pairs)


def _to(field: FieldSchema, kind: Any, value: Any) -> Any:
    if isinstance(kind, Array) and isinstance(value, list):
        return [_to(field.item, kind.array_of, item) for item in value]
    if isinstance(kind, Schema) and isinstance(value, dict):
        return _to_items(_lined_up(field.fields, kind), field.fields, value)
    if field.type == "struct" and not isinstance(kind, Schema):
        if value is None:
            raise Unrepresentable("the class has the only field of the struct in its place", field.name)
        return _to(field.fields[0], kind, value[field.fields[0].name]) if isinstance(value, dict) else value
    return value


def _from_items(pairs: list[tuple[FieldSchema, Any]], fields: Sequence[FieldSchema], items: Sequence[Any]) -> Value:
    value = {field.name: fresh(field.default) for field in fields}
    value.update({field.name: _from(field, kind, item) for (field, kind), item in zip(pairs, items, strict=True)})
    return value


def _from(field: FieldSchema, kind: Any, item: Any) -> Any:
    if item is None:
        return None
    if isinstance(kind, Array):
        return [_from(field.item, kind.array_of, one) for one in item]
    if isinstance(kind, Schema):
        return _from_items(_lined_up(field.fields, kind), field.fields, item)
    if field.type == "struct":
        return {field.fields[0].name: _from(field.fields[0], kind, item)}
    return int(item) if isinstance(item, bool) and field.type != "bool" else item
