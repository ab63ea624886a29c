"""Stored messages, which begin with their own version or type.

*Prefixed* messages (rule 5.15): an int16, then the body. The int16 is the version for data messages and for the values
of coordinator records, and the type for the keys of coordinator records. An OffsetCommitKey begins with `00 01`.

*Metadata records* (rule 5.16): three unsigned varints, then the body. They are the version of this frame, always 1,
the type of the record, and its version. A NoOpRecord version 0 is `01 14 00`, and its body `00`.

>>> from reference import load_release
>>> encode_record(load_release("4.3.0").schema("NoOpRecord", 0), {}).hex()
'01140000'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn

from reference.errors import CodecError, Malformed, Reason
from reference.layouts import METADATA_RECORD, TYPE_PREFIX, VERSION_PREFIX, Layout
from reference.paths import render_path
from reference.protocols import wire_type_of
from reference.schema import STORED_FORMS
from reference.wire.stream import LenientReader, Reader
from reference.wire.varints import SIGN_32

if TYPE_CHECKING:
    from reference.release import Release
    from reference.schema import MessageSchema
    from reference.wire.stream import Span

FRAME_VERSION = 1
HIGHEST_INT16 = 0x7FFF
METADATA_LOG = "kafka-metadata"
"""The source of the records of the metadata log. The records of `kafka-storage` have types of their own."""
_RECORD = "metadata"
_BODY = ("", "body")


class NotStored(CodecError):
    """A message of a kind that has no such stored form."""

    def __init__(self, message: str, kind: str, expected: str) -> None:
        super().__init__(message, kind, expected)

    def __str__(self) -> str:
        message, kind, expected = self.args
        return f"{message} is of kind {kind}: only messages of kind {expected} are stored in this way"


class BadRecord(Malformed):
    """A metadata record that every reader must reject for its frame, not for its message."""

    def __str__(self) -> str:
        return f"not a metadata record, at byte {self.offset}, in its {self.path} (rule {self.rule}): {self.detail}"


@dataclass(frozen=True)
class Stored:
    """A stored message, with the schema found by its prefix."""

    schema: MessageSchema
    value: dict[str, Any]
    consumed: int


def encode_prefixed(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    """Return the bytes of a data message, coordinator value or coordinator key, with its int16.

    Raises:
        NotStored: the message is of another kind.
        Unencodable: the value has no bytes in this version; the path begins with `body`.
    """
    _check_prefixed(schema.message, schema.kind)
    layout = _layout(schema.kind)
    number = schema.api_key if layout is TYPE_PREFIX else schema.version
    return layout.write({"prefix": number}) + wire_type_of(schema).write(value, _BODY)


def decode_prefixed(release: Release, message: str, wire: bytes) -> Stored:
    """Read a message with an int16 before it, strictly.

    Raises:
        NotStored: the message is of another kind.
        Malformed: the bytes are invalid, or the protocol leaves their meaning open (then the reason is None).
    """
    return read_prefixed(release, message, Reader(wire))


def read_prefixed(release: Release, message: str, reader: Reader) -> Stored:
    """Read a message with an int16 before it, by the policy of the reader, with the errors of `decode_prefixed`."""
    definition = release.definition(message)
    _check_prefixed(message, definition.kind)
    layout = _layout(definition.kind)
    number = layout.read(reader)["prefix"]
    is_type = layout is TYPE_PREFIX
    # A type stands for one version: keys of coordinators have version 0 only.
    version = definition.valid_versions.lowest if is_type else number
    expected = version in definition.valid_versions and (not is_type or number == definition.api_key)
    if not expected:
        reader.deviation("prefix.unknown", 0, ("", "prefix"))
    schema = release.schema(message, version)
    value = wire_type_of(schema).read(reader, _BODY)
    return Stored(schema, value, reader.end(_BODY))


def encode_record(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    """Return the canonical bytes of a metadata record.

    Raises:
        NotStored: the message is not a metadata record.
        Unencodable: the value has no bytes in this version; the path begins with `body`.
    """
    if schema.stored_form != "record" or schema.api_key is None:
        raise NotStored(schema.message, schema.kind, _RECORD)
    frame = {"frame-version": FRAME_VERSION, "type": schema.api_key, "version": schema.version}
    return METADATA_RECORD.write(frame) + wire_type_of(schema).write(value, _BODY)


def decode_record(release: Release, wire: bytes, *, source: str = METADATA_LOG) -> Stored:
    """Read one metadata record that has all of `wire`, strictly.

    The `source` is the module with the log of the record, since each module numbers its types anew.

    Raises:
        BadRecord: Apache Kafka has no record of that frame version or type, or bytes follow the record.
        Malformed: the bytes are invalid, or the protocol leaves their meaning open (then the reason is None).
    """
    return read_record(release, Reader(wire), source)


def decode_record_leniently(release: Release, wire: bytes, *, source: str = METADATA_LOG) -> Stored:
    """Read one metadata record as Apache Kafka does (rules 5.17 and 1.2.8), with the arguments of `decode_record`.

    Raises:
        Malformed: Apache Kafka rejects the bytes as well.
    """
    reader = LenientReader(wire, limits=release.limits)
    stored = read_record(release, reader, source)
    reader.check_limits()
    return stored


def stored_spans(schema: MessageSchema, wire: bytes) -> tuple[Span, ...]:
    """Return the meaning of every byte in a stored message, as a lenient reader sees it.

    Raises:
        Malformed: the bytes are invalid.
    """
    reader = LenientReader(wire, trace=True)
    (METADATA_RECORD if schema.kind == _RECORD else _layout(schema.kind)).read(reader)
    wire_type_of(schema).read(reader, _BODY)
    return tuple(reader.spans or ())


def read_record(release: Release, reader: Reader, source: str = METADATA_LOG) -> Stored:
    """Read one metadata record, by the policy of the reader, with the errors of `decode_record`."""
    frame_version, start = _read_number(reader, "frame-version")
    if frame_version != FRAME_VERSION:
        _bad("frame-version", start, f"{frame_version}, not {FRAME_VERSION}")
    record_type, start = _read_number(reader, "type")
    version, version_start = _read_number(reader, "version")
    message = _records_by_type(release, source).get(record_type)
    if message is None:
        _bad("type", start, f"{release.title} has no record of type {record_type} in {source}")
    schema = _schema(release, message, version, reader, version_start)
    value = wire_type_of(schema).read(reader, _BODY)
    if version > schema.version and _has_struct(schema, value):
        reader.unspecified_rejected("record.unknown-version", version_start, ("", "version"))
    if reader.tell() != reader.size:
        _bad("trailing-bytes", reader.tell(), f"{reader.size - reader.tell()} bytes after the message", part="body")
    return Stored(schema, value, reader.tell())


def _read_number(reader: Reader, part: str) -> tuple[int, int]:
    """Return one number of the frame, wrapped around to a signed 16-bit one (rule 5.17), and its offset."""
    start = reader.tell()
    number: int = METADATA_RECORD.read_part(part, reader)
    if number >= SIGN_32:
        reader.deviation("record.negative-varint", start, ("", part))
        return (number + HIGHEST_INT16 + 1) % 0x1_0000 - HIGHEST_INT16 - 1, start
    if number > HIGHEST_INT16:
        _bad(part, start, f"{number} is more than {HIGHEST_INT16}")
    return number, start


def _schema(release: Release, message: str, version: int, reader: Reader, start: int) -> MessageSchema:
    """Return the schema of a record at its version, or at the nearest one of its definition, as Apache Kafka reads it.

    It stops at the first struct inside a message of too high a version: only those check their version.
    """
    versions = release.definition(message).valid_versions
    if version not in versions:
        reader.deviation("record.unknown-version", start, ("", "version"))
    return release.schema(message, versions.nearest(version))


def _has_struct(schema: MessageSchema, value: dict[str, Any]) -> bool:
    return any(value[field.name] not in (None, []) for field in schema.fields if field.struct)


@cache
def _records_by_type(release: Release, source: str) -> dict[int | None, str]:
    definitions = (release.definition(name) for name in release.messages if release.source(name) == source)
    return {each.api_key: each.name for each in definitions if each.kind == _RECORD}


def _layout(kind: str) -> Layout:
    return TYPE_PREFIX if kind == "coordinator-key" else VERSION_PREFIX


def _check_prefixed(message: str, kind: str) -> None:
    if STORED_FORMS.get(kind) != "prefixed":
        prefixed = sorted(stored for stored, form in STORED_FORMS.items() if form == "prefixed")
        raise NotStored(message, kind, ", ".join(prefixed))


def _bad(rule: str, offset: int, detail: str, *, part: str | None = None) -> NoReturn:
    raise BadRecord(f"record.{rule}", Reason.NOT_A_RECORD, offset, render_path(("", part or rule)), detail)
