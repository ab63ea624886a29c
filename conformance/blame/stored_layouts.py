"""What stands before a message where it is stored: the sound numbers, and wrong ones."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from conformance.adapter import StoredMessage
from conformance.blame.layouts import Mistake
from reference import Malformed, MessageSchema, Reason
from reference.prefixed import FRAME_VERSION
from reference.protocols import message_type
from reference.wire.signed_varints import VARINT
from reference.wire.stream import LenientReader
from reference.wire.varints import write_unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterator

TYPED = "coordinator-key"
INT8, INT16, INT32 = 1, 2, 4


@dataclass(frozen=True)
class StoredLayout:
    """A message behind some bytes that say what it is."""

    head: bytes
    schema: MessageSchema

    def write(self, content: StoredMessage) -> bytes:
        """The bytes of a content.

        Raises:
            Unencodable: it has none.
        """
        return self.head + message_type(self.schema).write(content.value)

    def read(self, wire: bytes) -> StoredMessage:
        """The content of bytes that begin as this layout has it; what stands behind it is left alone.

        Raises:
            Malformed: they do not, or there is no message behind.
        """
        if not wire.startswith(self.head):
            raise Malformed("prefix.unknown", Reason.TRUNCATED, 0, "prefix")
        value = message_type(self.schema).read(LenientReader(wire[len(self.head) :]))
        return StoredMessage(self.schema.message, self.schema.version, value)


def head_parts(schema: MessageSchema) -> tuple[tuple[str, bytes], ...]:
    """The sound numbers before a message, and the rule of each."""
    if schema.stored_form == "record":
        rules = ("record.frame-version", "record.type", "record.version")
        numbers = (FRAME_VERSION, schema.api_key or 0, schema.version)
        return tuple((rule, _unsigned_varint(number)) for rule, number in zip(rules, numbers, strict=True))
    if schema.kind == TYPED:
        return (("prefix.type", _fixed(schema.api_key or 0, INT16)),)
    return (("prefix.version", _fixed(schema.version, INT16)),)


def stored_layout(schema: MessageSchema) -> StoredLayout:
    """The sound layout of a message."""
    return StoredLayout(b"".join(part for _, part in head_parts(schema)), schema)


def stored_mistakes(schema: MessageSchema) -> tuple[Mistake, ...]:
    """Every single mistake that is tried."""
    wrong = _wrong_records(schema) if schema.stored_form == "record" else _wrong_prefixes(schema)
    return tuple(Mistake(rule, StoredLayout(head, schema)) for rule, head in wrong)


def _wrong_prefixes(schema: MessageSchema) -> Iterator[tuple[str, bytes]]:
    """Missing, in other forms, the version for the type, one more or one less."""
    [(rule, sound)] = head_parts(schema)
    number = int.from_bytes(sound)
    forms = (b"", _fixed(number, INT8), _fixed(number, INT32), sound[::-1], _unsigned_varint(number + 1))
    others = (schema.version, number + 1, number - 1)
    for head in (*forms, *(_fixed(other, INT16) for other in others)):
        if head != sound:
            yield rule, head


def _wrong_records(schema: MessageSchema) -> Iterator[tuple[str, bytes]]:
    """Each number missing, in other forms, one more; type and version swapped; nothing at all."""
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
