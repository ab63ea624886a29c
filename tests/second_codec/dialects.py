"""Bodies of the proposals, as their differences from released ones.

In the drafts of KIP-482 a section is at the head of its struct. Its parts have the places `section.message-length`,
`-tag` and `-end` in the first draft, and `-count` and `-header` in the second. A number in an encoding of KIP-625 has a
place such as `encoded/packed32`. KIP-893 was released.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, ClassVar, NamedTuple

from reference.schema import FieldSchema, MessageSchema, StructType
from tests.second_codec import bodies
from tests.second_codec.bodies import (
    SECTION,
    TAGGED,
    TAGS,
    BodyReader,
    BodyWriter,
    Value,
    form_of,
    place_of,
)
from tests.second_codec.forms import HIGHEST_TEXT, Tags, signed
from tests.second_codec.steps import Input
from tests.second_codec.ways import LENGTH, SOUND, Counting, Misstep, NotTaken, VarintWay

FIRST, SECOND, ENCODED = "kip-482-first-draft", "kip-482-second-draft", "kip-625"
HIGHEST_FIRST, HIGHEST_SECOND = 2**15 - 1, 2**31 - 1
"""The highest tags of both drafts."""
PAIRS_OF_BITS = 32


class Header(NamedTuple):
    """How the head of an entry is read or written."""

    tag: int
    size: int
    tag_start: int
    start: int


class HeadReader(BodyReader):
    """Reads sections with ascending tags and exact sizes at the head of structs."""

    section_first: ClassVar = True

    def _section(self, struct: StructType, value: Value, place: str) -> None:
        source = self.source
        known = {field.tag: field for field in struct.fields if field.tag is not None}
        previous, unknown = -1, Tags()
        for header in self.headers(place):
            if header.tag <= previous and not source.misstep.has("order-on-read-overlooked"):
                raise NotTaken("tag-order", header.tag_start)
            previous = header.tag
            size = self._size(header, place)
            if header.tag in known:
                self._filled(known[header.tag], value, header, size)
            else:
                unknown.append((header.tag, source.take(size)))
        if unknown:
            value[TAGS] = unknown

    def headers(self, place: str) -> Iterator[Header]:
        """Yield the header of each entry, and go on after its content."""
        raise NotImplementedError

    def _size(self, header: Header, place: str) -> int:
        if header.size > self.source.left and self.is_bound(place):
            raise NotTaken("length-exceeds-input", header.start)
        return min(header.size, self.source.left)

    def is_bound(self, place: str) -> bool:
        """Return whether a size beyond the input is refused."""
        return self.source.misstep.at(f"{place}-size", LENGTH).is_bound

    def _filled(self, field: FieldSchema, value: Value, header: Header, size: int) -> None:
        end = self.source.at + size
        value[field.name] = self.field(field, TAGGED)
        if self.source.at != end and not self.source.misstep.has("length-filled-overlooked"):
            raise NotTaken("size-mismatch", header.start)

    def field(self, field: FieldSchema, where: str) -> Any:
        """Read a field, and note where readers part in an array of elements without bytes."""
        try:
            return super().field(field, where)
        except NotTaken as error:
            is_bare = field.element is not None and takes_no_bytes(field.element)
            self.source.is_lost |= is_bare and error.reason == "length-exceeds-input"
            raise


def takes_no_bytes(field: FieldSchema) -> bool:
    """Return whether a field has no bytes, as a struct without a section, a marker and contents."""
    is_bare = field.type == "struct" and not field.flexible and not field.nullable
    return is_bare and all(map(takes_no_bytes, field.fields))


class FirstReader(HeadReader):
    """Reads the first draft, entries of a folded length, an int16 as tag, and a content, up to a length of 0."""

    one_marker: ClassVar = True

    def headers(self, place: str) -> Iterator[Header]:
        """Yield the header of each entry, and go on after its content."""
        source, start = self.source, self.source.at
        while size := unfolded(source.varint(f"{place}-length")):
            if size < 0:
                raise NotTaken("negative-length", start)
            tag_start, tag = source.at, source.fixed(f"{place}-tag", 2)
            if tag < 0:
                raise NotTaken("tag-out-of-range", tag_start)
            is_cut = size > source.left
            yield Header(tag, size, tag_start, start)
            if is_cut and not self.is_bound(place):
                return
            start = source.at


class SecondReader(HeadReader):
    """Reads the second draft, a count and as many entries of a woven header and a content."""

    def headers(self, place: str) -> Iterator[Header]:
        """Yield the header of each entry, and go on after its content."""
        source = self.source
        for _ in range(source.varint(f"{place}-count")):
            start = source.at
            size, tag = unwoven(source.varint(f"{place}-header", 64, _exact(64)))
            if tag > HIGHEST_SECOND and not source.misstep.has("tag-within-31-bits-overlooked"):
                raise NotTaken("tag-out-of-range", start)
            yield Header(tag, size, start, start)

    def field(self, field: FieldSchema, where: str) -> Any:
        """Read a field, a compact string without a limit, left open beyond that of releases."""
        if field.type != "string" or not field.compact:
            return super().field(field, where)
        text = self.source.text(place_of(field), _unlimited(form_of(field)))
        self.source.is_open |= text is not None and len(text.encode()) > HIGHEST_TEXT
        return text


@cache
def _unlimited(form: Counting) -> Counting:
    return replace(form, limit=HIGHEST_SECOND)


@cache
def _exact(bits: int) -> VarintWay:
    return VarintWay(refuses=lambda number, _size: number >> bits > 0)


def unfolded(number: int) -> int:
    """Return the number with the sign in its lowest bit."""
    return number >> 1 ^ -(number & 1)


def folded(number: int) -> int:
    """Return a number with its sign in the lowest bit."""
    return number << 1 if number >= 0 else ~(number << 1)


@lru_cache
def woven(size: int, tag: int) -> int:
    """Return a number with the bits of a size at its even places, and those of a tag at its odd ones."""
    return sum((size >> at & 1) << 2 * at | (tag >> at & 1) << 2 * at + 1 for at in range(PAIRS_OF_BITS))


@lru_cache
def unwoven(number: int) -> tuple[int, int]:
    """Return the size and the tag in a number."""
    size, tag = (sum((number >> 2 * at + odd & 1) << at for at in range(PAIRS_OF_BITS)) for odd in (0, 1))
    return size, tag


class HeadWriter(BodyWriter):
    """Writes sections with ascending tags at the head of structs."""

    section_first: ClassVar = True

    def _section(self, struct: StructType, value: Value, place: str) -> None:
        own = {field.tag for field in struct.fields if field.tag is not None}
        entries = sorted(self._entries(struct, value, place, own), key=lambda entry: entry[0])
        self.write_entries(self.target.misstep.at(place, SECTION).entries(entries), place)

    def write_entries(self, entries: Tags, place: str) -> None:
        """Write the entries of a section."""
        raise NotImplementedError


class FirstWriter(HeadWriter):
    """Writes the first draft."""

    one_marker: ClassVar = True
    highest_tag: ClassVar = HIGHEST_FIRST

    def write_entries(self, entries: Tags, place: str) -> None:
        """Write the entries of a section, and a length of 0 after them."""
        target, tag_first = self.target, self.target.misstep.has("tag-before-length")
        for tag, body in entries:
            if not body:
                raise NotTaken
            if tag_first:
                target.fixed(f"{place}-tag", tag, 2)
            target.varint(f"{place}-length", folded(len(body)))
            if not tag_first:
                target.fixed(f"{place}-tag", tag, 2)
            target.data += body
        target.varint(f"{place}-end" if entries else f"{place}-none", 0)


class SecondWriter(HeadWriter):
    """Writes the second draft."""

    highest_tag: ClassVar = HIGHEST_SECOND

    def write_entries(self, entries: Tags, place: str) -> None:
        """Write the number of entries, and the entries."""
        self.target.varint(f"{place}-count", len(entries))
        for tag, body in entries:
            self.target.varint(f"{place}-header", woven(len(body), tag), 64)
            self.target.data += body


def own_name(field: FieldSchema) -> str:
    return str(field.encoding)


def as_read(_field: FieldSchema, number: int) -> int:
    return number


@dataclass(frozen=True)
class EncodingWay:
    """How a number in an encoding of KIP-625 is read or written."""

    name: Callable[[FieldSchema], str] = own_name
    """The encoding."""
    number: Callable[[FieldSchema, int], int] = as_read


ENCODING = EncodingWay()


def bits_of(name: str) -> int:
    """Return the number at the end of an encoding or a type."""
    return int(name[-2:])


class EncodedReader(BodyReader):
    """Reads the encodings of KIP-625."""

    def field(self, field: FieldSchema, where: str) -> Any:
        """Read a field, or an element of an array."""
        if field.encoding is None:
            return super().field(field, where)
        place = f"encoded/{field.encoding}"
        way = self.source.misstep.at(place, ENCODING)
        return way.number(field, self._number(place, way.name(field)))

    def _number(self, place: str, name: str) -> int:
        bits = bits_of(name)
        if name.startswith("fixed"):
            return self.source.fixed(place, bits // 8)
        number = self.source.varint(place, bits, _exact(bits))
        return unfolded(number) if name.startswith("packed") else signed(number, bits)


class EncodedWriter(BodyWriter):
    """Writes the encodings of KIP-625."""

    def field(self, field: FieldSchema, value: Any, where: str) -> None:
        """Write a field, or an element of an array."""
        if field.encoding is None:
            super().field(field, value, where)
            return
        way = self.target.misstep.at(place := f"encoded/{field.encoding}", ENCODING)
        name = way.name(field)
        if not fits(value, bits_of(field.type)) or not fits(number := way.number(field, value), bits_of(name)):
            raise NotTaken
        if name.startswith("fixed"):
            self.target.fixed(place, number, bits_of(name) // 8)
        else:
            self.target.varint(place, folded(number) if name.startswith("packed") else number % 2 ** bits_of(name), 65)


def fits(number: Any, bits: int) -> bool:
    """Return whether a value is an integer of some bits."""
    return type(number) is int and -(2 ** (bits - 1)) <= number < 2 ** (bits - 1)


READERS = {FIRST: FirstReader, SECOND: SecondReader, ENCODED: EncodedReader}
WRITERS = {FIRST: FirstWriter, SECOND: SecondWriter, ENCODED: EncodedWriter}


def reader_of(struct: StructType) -> type[BodyReader]:
    return READERS.get(struct.dialect, BodyReader)


def read(struct: StructType, data: bytes, misstep: Misstep = SOUND) -> tuple[Value, Input]:
    """Read the body of a message in its dialect, and return it with the input after it."""
    return bodies.read(struct, data, misstep, reader_of(struct))


def write(struct: StructType, value: Value, misstep: Misstep = SOUND) -> bytes:
    """Write the body of a message in its dialect, or as releases do."""
    dialect = "" if misstep.has("released-protocol") else struct.dialect
    return bodies.write(struct, value, misstep, WRITERS.get(dialect, BodyWriter))


class SecondVerdict(NamedTuple):
    """The verdict on bytes, valid with a value, invalid with a reason and a place, or unspecified."""

    result: str
    value: Value | None = None
    reason: str | None = None
    offset: int | None = None


def verdict(schema: MessageSchema, wire: bytes) -> SecondVerdict:
    """Return the protocol's verdict on some bytes for a reader."""
    source = Input(wire)
    try:
        value = reader_of(schema.struct)(source).struct(schema.struct)
    except NotTaken as error:
        if source.is_lost:
            return SecondVerdict("unspecified")
        return SecondVerdict("invalid", reason=error.reason, offset=error.offset)
    return SecondVerdict("unspecified") if source.is_open or source.left else SecondVerdict("valid", value)
