"""A second reader of both drafts of KIP-482, from the layouts alone, with a verdict on any bytes.

It refuses bytes with a reason and a place. Where the protocol leaves bytes open it reads on, as the oracle does, and
notes it.
"""

import struct
from typing import Any, NamedTuple
from uuid import UUID

from reference import FieldSchema, MessageSchema
from tests.reference.proposals.kip482_plain_writer import FORMATS

FIRST = "kip-482-first-draft"
LONGEST_STRING = 32_767


class PlainVerdict(NamedTuple):
    """The verdict, valid with a value, invalid with a reason and a place, or unspecified."""

    result: str
    value: dict[str, Any] | None = None
    reason: str | None = None
    offset: int | None = None


class Refused(Exception):
    """Bytes unreadable for every reader."""

    def __init__(self, reason: str, offset: int) -> None:
        super().__init__(reason, offset)
        self.reason = reason
        self.offset = offset


def verdict(schema: MessageSchema, wire: bytes) -> PlainVerdict:
    reader = PlainReader(wire, schema.dialect)
    try:
        value = reader.struct(schema.fields, has_section=schema.flexible)
    except Refused as refused:
        if reader.lost:
            return PlainVerdict("unspecified")
        return PlainVerdict("invalid", reason=refused.reason, offset=refused.offset)
    if reader.open or reader.lost or reader.at != len(wire):
        return PlainVerdict("unspecified")
    return PlainVerdict("valid", value)


class PlainReader:
    """Some bytes, with the current position."""

    def __init__(self, wire: bytes, dialect: str) -> None:
        self.wire = wire
        self.at = 0
        self.first = dialect == FIRST
        self.open = False
        """Whether something is left open."""
        self.lost = False
        """Whether readers may go on from different places."""

    @property
    def left(self) -> int:
        return len(self.wire) - self.at

    def take(self, count: int) -> bytes:
        if count > self.left:
            raise Refused("truncated", len(self.wire))
        self.at += count
        return self.wire[self.at - count : self.at]

    def struct(self, fields: tuple[FieldSchema, ...], *, has_section: bool) -> dict[str, Any]:
        tagged = {field.tag: field for field in fields if field.tag is not None}
        section: dict[str, Any] = self.section(tagged) if has_section else {}
        value = {}
        for field in fields:
            if field.tag is None:
                value[field.name] = self.field(field, compact=has_section and not self.first)
            else:
                value[field.name] = section.pop(field.name, field.default)
        return value | section

    def section(self, tagged: dict[int, FieldSchema]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        unknown: list[tuple[int, bytes]] = []
        previous = -1
        announced = None if self.first else self.uvarint()
        while announced != 0:
            start = self.at
            header = self.first_header() if self.first else self.second_header()
            if header is None:
                break
            tag, length, tag_start = header
            if tag <= previous:
                raise Refused("tag-order", tag_start)
            if length > self.left:
                raise Refused("length-exceeds-input", start)
            begin = self.at
            if tag in tagged:
                found[tagged[tag].name] = self.field(tagged[tag], compact=not self.first)
            else:
                unknown.append((tag, self.take(length)))
            if self.at - begin != length:
                raise Refused("size-mismatch", start)
            previous = tag
            announced = None if announced is None else announced - 1
        return found | ({"_tags": unknown} if unknown else {})

    def first_header(self) -> tuple[int, int, int] | None:
        """Return tag, length, and offset of the tag, or None at the end mark."""
        start = self.at
        number = self.uvarint()
        length = number // 2 if number % 2 == 0 else -(number + 1) // 2
        if length < 0:
            raise Refused("negative-length", start)
        if length == 0:
            return None
        tag_start = self.at
        tag = int.from_bytes(self.take(2), "big", signed=True)
        if tag < 0:
            raise Refused("tag-out-of-range", tag_start)
        return tag, length, tag_start

    def second_header(self) -> tuple[int, int, int]:
        start = self.at
        header = self.groups(10)
        if header >= 2**64:
            raise Refused("varint-overflow", start)
        digits = f"{header:064b}"
        tag, length = int(digits[0::2], 2), int(digits[1::2], 2)
        if tag >= 2**31:
            raise Refused("tag-out-of-range", start)
        return tag, length, start

    def uvarint(self) -> int:
        """Return a number of 32 bits."""
        number = self.groups(5)
        self.lost |= number >= 2**32
        return number % 2**32

    def groups(self, most: int) -> int:
        start = self.at
        digits = ""
        for _ in range(most):
            byte = self.take(1)[0]
            digits = f"{byte % 128:07b}{digits}"
            if byte < 128:
                self.open |= byte == 0 and len(digits) > 7
                return int(digits, 2)
        raise Refused("varint-overflow", start)

    def field(self, field: FieldSchema, *, compact: bool) -> Any:
        if field.element is not None:
            return self.array(field, field.element, compact=compact)
        if field.type == "struct":
            return self.nullable_struct(field)
        if field.type in FORMATS:
            return self.number(field.type)
        if field.type == "uuid":
            return UUID(bytes=self.take(16))
        start, length = self.at, self.length(field, 2 if field.type == "string" else 4, compact=compact)
        if length is None:
            return None
        if field.type == "string" and length > LONGEST_STRING:
            self.open |= length <= self.left
        if length > self.left:
            raise Refused("length-exceeds-input", start)
        payload = self.take(length)
        return self.text(payload) if field.type == "string" else payload

    def array(self, field: FieldSchema, element: FieldSchema, *, compact: bool) -> list[Any] | None:
        """Return as many elements as the count says.

        Counts of elements without bytes are left open.
        """
        start, count = self.at, self.length(field, 4, compact=compact)
        if count is None:
            return None
        if count > self.left:
            self.lost |= takes_no_bytes(element)
            raise Refused("length-exceeds-input", start)
        return [self.field(element, compact=compact) for _ in range(count)]

    def nullable_struct(self, field: FieldSchema) -> dict[str, Any] | None:
        if field.nullable and field.tag is not None and not self.first:
            marker = self.uvarint()
            self.lost |= marker > 1
            is_null = marker == 0 or marker >= 2**31
        elif field.nullable:
            marker = self.take(1)[0]
            self.lost |= marker not in {1, 255}
            is_null = marker >= 128
        else:
            is_null = False
        return None if is_null else self.struct(field.fields, has_section=field.flexible)

    def number(self, type_name: str) -> Any:
        width = struct.calcsize(FORMATS[type_name])
        data = self.take(width)
        self.open |= type_name == "bool" and data[0] > 1
        return struct.unpack(FORMATS[type_name], data)[0]

    def length(self, field: FieldSchema, width: int, *, compact: bool) -> int | None:
        """Return a length or a count, or None for null."""
        start = self.at
        if compact:
            number = (self.uvarint() + 2**31) % 2**32 - 2**31 - 1
            number = 2**31 - 1 if number < -(2**31) else number
        else:
            number = int.from_bytes(self.take(width), "big", signed=True)
        if number >= 0:
            return number
        if not field.nullable:
            raise Refused("null-not-allowed" if number == -1 else "negative-length", start)
        self.open |= number != -1
        return None

    def text(self, payload: bytes) -> str:
        """Return the text of UTF-8, valid or not."""
        try:
            return payload.decode()
        except UnicodeDecodeError:
            self.open = True
            return payload.decode(errors="replace")


def takes_no_bytes(field: FieldSchema) -> bool:
    """Return whether a field has no bytes, as a struct without a section, a marker and contents."""
    is_bare = field.type == "struct" and not field.flexible and not field.nullable
    return is_bare and all(takes_no_bytes(each) for each in field.fields)
