"""Codecs of stored messages, valid ones and those with a single mistake in their head."""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING

from conformance.adapter import StoredMessage
from conformance.targets.faults.fault import FaultModel, Read
from conformance.targets.faults.schema_codec import SchemaCodec, sound_codec
from reference import Malformed, MessageSchema, Reason
from reference.prefixed import FRAME_VERSION
from reference.wire.signed_varints import VARINT
from reference.wire.varints import write_unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterator

TYPED = "coordinator-key"
INT8, INT16, INT32 = 1, 2, 4


@dataclass(frozen=True)
class StoredCodec:
    """A message after a head with its type or version."""

    head: bytes
    body: SchemaCodec

    def write(self, content: StoredMessage) -> bytes:
        """Return the bytes of a content, as `FaultyCodec.write`."""
        return self.head + self.body.write(content.value)

    def read(self, wire: bytes) -> Read:
        """Return the content of bytes with this head, as `FaultyCodec.read`."""
        if not wire.startswith(self.head):
            raise Malformed("prefix.unknown", Reason.TRUNCATED, 0, "prefix")
        value, consumed = self.body.read(wire[len(self.head) :])
        content = StoredMessage(self.body.schema.message, self.body.schema.version, value)
        return Read(content, len(self.head) + consumed)


StoredFault = FaultModel[StoredCodec]


def head_parts(schema: MessageSchema) -> tuple[tuple[str, bytes], ...]:
    """Return the valid numbers before a message, each with its rule."""
    if schema.stored_form == "record":
        rules = ("record.frame-version", "record.type", "record.version")
        numbers = (FRAME_VERSION, schema.api_key or 0, schema.version)
        return tuple((rule, _unsigned_varint(number)) for rule, number in zip(rules, numbers, strict=True))
    if schema.kind == TYPED:
        return (("prefix.type", _fixed(schema.api_key or 0, INT16)),)
    return (("prefix.version", _fixed(schema.version, INT16)),)


def stored_codec(schema: MessageSchema) -> StoredCodec:
    """Return the valid codec of a stored message."""
    head = b"".join(number for _, number in head_parts(schema))
    return StoredCodec(head, sound_codec(schema))


def stored_head_faults(sound: StoredCodec) -> Iterator[StoredFault]:
    """Yield every mistake in the head of a stored message."""
    schema = sound.body.schema
    wrong = _wrong_records(schema) if schema.stored_form == "record" else _wrong_prefixes(schema)
    return (FaultModel(rule, "", replace(sound, head=head)) for rule, head in wrong)


def _wrong_prefixes(schema: MessageSchema) -> Iterator[tuple[str, bytes]]:
    """Yield wrong prefixes.

    The prefix is missing or in another form, it is the version in place of the type, or it is one more or one less.
    """
    [(rule, sound)] = head_parts(schema)
    number = int.from_bytes(sound)
    forms = (b"", _fixed(number, INT8), _fixed(number, INT32), sound[::-1], _unsigned_varint(number + 1))
    others = (schema.version, number + 1, number - 1)
    for head in (*forms, *(_fixed(other, INT16) for other in others)):
        if head != sound:
            yield rule, head


def _wrong_records(schema: MessageSchema) -> Iterator[tuple[str, bytes]]:
    """Yield wrong heads of records.

    One number is missing, in another form or one more, type and version are swapped, or there is no head at all.
    """
    rules, sound = zip(*head_parts(schema), strict=True)
    numbers = (FRAME_VERSION, schema.api_key or 0, schema.version)
    for place, (rule, number) in enumerate(zip(rules, numbers, strict=True)):
        for other in (b"", _unsigned_varint(number + 1), _signed_varint(number), _fixed(number, INT16)):
            if other != sound[place]:
                yield rule, b"".join((*sound[:place], other, *sound[place + 1 :]))
    yield "record.type", sound[0] + sound[2] + sound[1]
    for form in (_signed_varint, lambda number: _fixed(number, INT16), lambda _number: b""):
        yield "record.frame-version", b"".join(form(number) for number in numbers)


def _fixed(number: int, width: int) -> bytes:
    return number.to_bytes(width, signed=True)


def _unsigned_varint(number: int) -> bytes:
    stream = BytesIO()
    write_unsigned_varint(stream, number)
    return stream.getvalue()


def _signed_varint(number: int) -> bytes:
    return VARINT.write(number)
