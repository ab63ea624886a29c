"""Bodies of messages, read and written by chapters 1 to 4 of the book.

The place of a number is `number/int32`, of a string `string/compact`, of an array `array of int32/legacy`, with
`/nullable` after it if null is allowed. A struct and its tag section are `struct.message` and `section.message`, those
inside `nested`, those inside a tagged field `tagged`. The parts of a section have `-count`, `-tag` and `-size`, with
`-known` before for fields of the definition.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, ClassVar

from reference.schema import ArrayType, FieldSchema, MessageSchema, StructType
from tests.second_codec.forms import HIGHEST_TAG, TEXT, are_sound, check_tags
from tests.second_codec.steps import Input, Output
from tests.second_codec.ways import CONTENT, SOUND, Counting, LeftOpen, Misstep, NotTaken, never, same

TAGS = "_tags"
MESSAGE, NESTED, TAGGED = "message", "nested", "tagged"
"""The positions of a struct."""
SIGNED_BYTE = 0x80
Value = dict[str, Any]


def as_given(_struct: StructType, value: Value) -> Value:
    return value


def in_order(_element: FieldSchema, items: Any) -> Any:
    return items


def is_default(field: FieldSchema, value: Any) -> bool:
    return type(value) is type(field.default) and bool(value == field.default)


@dataclass(frozen=True)
class StructWay:
    """How a struct is read or written."""

    of: Callable[[StructType], StructType] = same
    given: Callable[[StructType, Value], Value] = as_given
    """From a given value to the written one."""


@dataclass(frozen=True)
class ElementsWay:
    """How the elements of an array are read or written."""

    of: Callable[[FieldSchema, Any], Any] = in_order


@dataclass(frozen=True)
class MarkerWay:
    """How a nullable struct is marked."""

    present: bytes | None = None
    """None for the sound one."""
    null: bytes | None = None
    always: bool = False
    """Whether every struct is marked."""
    refuses: Callable[[int], bool] = never


@dataclass(frozen=True)
class SectionWay:
    """How a tag section is read or written."""

    omits: Callable[[FieldSchema, Any], bool] = is_default
    """Whether a field of the definition is left out by a writer."""
    entries: Callable[[list[tuple[int, bytes]]], list[tuple[int, bytes]]] = same
    """From all entries to the written ones."""
    reads: Callable[[bool], bool] = lambda _has_known: True
    """Whether the entries are read, by whether any field of the definition is tagged."""
    refuses: Callable[[FieldSchema, Any], bool] = never
    """Whether a field of the definition is refused by a reader."""
    tags: Callable[[list[int]], None] = same
    """Refuses tags in the order of a reader."""
    is_exact: bool = False
    """Whether a size other than the value's is refused."""


STRUCT, ELEMENTS, MARKER, SECTION = StructWay(), ElementsWay(), MarkerWay(), SectionWay()
"""The sound way of each kind of step."""


def place_of(field: FieldSchema) -> str:
    """Return the place of a string, of bytes, or of an array."""
    name = field.type if field.element is None else f"array of {field.element.type}"
    return _place(name, field.compact, field.nullable)


@cache
def _place(name: str, compact: bool, nullable: bool) -> str:  # noqa: FBT001  # arguments of a cache
    return f"{name}/{'compact' if compact else 'legacy'}{'/nullable' * nullable}"


def form_of(field: FieldSchema) -> Counting:
    """Return how a string, bytes, or an array is counted."""
    is_text = field.type == "string"
    return _form(field.compact, field.nullable, is_text)


@cache
def _form(compact: bool, nullable: bool, is_text: bool) -> Counting:  # noqa: FBT001  # arguments of a cache
    if is_text:
        return replace(TEXT, compact=compact, nullable=nullable)
    return Counting(compact=compact, nullable=nullable)


def _inside(where: str) -> str:
    return TAGGED if where == TAGGED else NESTED


@dataclass(frozen=True)
class BodyReader:
    """Reads bodies from an input."""

    source: Input
    section_first: ClassVar = False
    """Whether the tag section is at the head of its struct."""
    one_marker: ClassVar = False
    """Whether a tagged struct is marked as any other."""

    def struct(self, given: StructType, where: str = MESSAGE) -> Value:
        """Read a struct, and its tag section if it has one."""
        struct = self.source.misstep.at(f"struct.{where}", STRUCT).of(given)
        value = {field.name: field.default for field in struct.fields}
        if struct.flexible and self.section_first:
            self._section(struct, value, f"section.{where}")
        for field in struct.fields:
            if field.tag is None:
                value[field.name] = self.field(field, _inside(where))
        if struct.flexible and not self.section_first:
            self._section(struct, value, f"section.{where}")
        return value

    def field(self, field: FieldSchema, where: str) -> Any:
        """Read a field, or an element of an array."""
        source = self.source
        if isinstance(field.data_type, StructType):
            return self._struct_of(field, field.data_type, where)
        if isinstance(field.data_type, ArrayType):
            element, place = field.data_type.element, place_of(field)
            items = source.array(place, form_of(field), partial(self.field, element, where))
            return source.misstep.at(place, ELEMENTS).of(element, items)
        if field.type == "string":
            return source.text(place_of(field), form_of(field))
        if field.type in {"bytes", "records"}:
            return source.blob(place_of(field), form_of(field))
        place = f"number/{field.type}"
        return source.misstep.at(place, CONTENT).value(source.number(place, field.type))

    def _struct_of(self, field: FieldSchema, struct: StructType, where: str) -> Value | None:
        is_tagged = field.tag is not None and not self.one_marker
        way = self.source.misstep.at("tagged-marker" if is_tagged else "marker", MARKER)
        if (field.nullable or way.always) and self._is_null(way, is_tagged=is_tagged):
            return None
        return self.struct(struct, where)

    def _is_null(self, way: MarkerWay, *, is_tagged: bool) -> bool:
        source = self.source
        if way.present is not None and way.null is not None:
            start = source.at
            if source.data[start : start + len(way.null)] == way.null:
                source.at += len(way.null)
                return True
            source.take(len(way.present))
            return False
        marker = source.varint("tagged-marker") if is_tagged else source.fixed("marker", 1, is_signed=False)
        if way.refuses(marker):
            raise NotTaken
        is_odd = marker not in ({0, 1} if is_tagged else {1, 0xFF})
        source.is_open, source.is_lost = source.is_open or is_odd, source.is_lost or is_odd
        return marker == 0 or marker >> 31 > 0 if is_tagged else marker >= SIGNED_BYTE

    def _section(self, struct: StructType, value: Value, place: str) -> None:
        source, way = self.source, self.source.misstep.at(place, SECTION)
        known = {field.tag: field for field in struct.fields if field.tag is not None}
        count = source.varint(f"{place}-count")
        if count >> 31:
            source.is_open = True
            return
        tags: list[int] = []
        unknown: list[tuple[int, bytes]] = []
        for _ in range(count if way.reads(bool(known)) else 0):
            tags.append(source.varint(f"{place}-tag"))
            if tags[-1] in struct.tags_elsewhere:
                raise LeftOpen
            if tags[-1] in known:
                self._known(known[tags[-1]], value, place)
            else:
                unknown.append((tags[-1], source.tagged(place)))
        way.tags(tags)
        source.is_open |= not are_sound(tags)
        kept = source.misstep.at(place, CONTENT).value(unknown)
        if kept:
            value[TAGS] = kept

    def _known(self, field: FieldSchema, value: Value, place: str) -> None:
        way, size = self.source.misstep.at(place, SECTION), self.source.varint(f"{place}-known-size")
        end = self.source.at + size
        value[field.name] = self.field(field, TAGGED)
        if way.refuses(field, value[field.name]) or (way.is_exact and self.source.at != end):
            raise NotTaken
        self.source.is_open |= self.source.at != end


class KnownBody(bytes):
    """The content of a tagged field of the definition."""


@dataclass(frozen=True)
class BodyWriter:
    """Writes bodies to an output."""

    target: Output
    section_first: ClassVar = False
    one_marker: ClassVar = False
    highest_tag: ClassVar = HIGHEST_TAG
    """The highest tag of an unknown field."""

    def struct(self, given: StructType, value: Any, where: str = MESSAGE) -> None:
        """Write a struct, and its tag section if it has one."""
        way = self.target.misstep.at(f"struct.{where}", STRUCT)
        struct = way.of(given)
        if not isinstance(value, dict):
            raise NotTaken
        value = way.given(struct, value)
        _check_names(struct, value)
        section_first = self.section_first and not self.target.misstep.has("section-at-the-end")
        if struct.flexible and section_first:
            self._section(struct, value, f"section.{where}")
        for field in struct.fields:
            if field.tag is None:
                self.field(field, value[field.name], _inside(where))
        if struct.flexible and not section_first:
            self._section(struct, value, f"section.{where}")

    def field(self, field: FieldSchema, value: Any, where: str) -> None:
        """Write a field, or an element of an array."""
        target = self.target
        if isinstance(field.data_type, StructType):
            self._struct_of(field, field.data_type, value, where)
        elif isinstance(field.data_type, ArrayType):
            element, place = field.data_type.element, place_of(field)
            items = target.misstep.at(place, ELEMENTS).of(element, value)
            target.array(place, form_of(field), items, lambda item: self.field(element, item, where))
        elif field.type == "string":
            target.text(place_of(field), form_of(field), value)
        elif field.type in {"bytes", "records"}:
            target.blob(place_of(field), form_of(field), value)
        else:
            place = f"number/{field.type}"
            target.number(place, field.type, target.misstep.at(place, CONTENT).value(value))

    def _struct_of(self, field: FieldSchema, struct: StructType, value: Any, where: str) -> None:
        is_tagged = field.tag is not None and not self.one_marker
        way = self.target.misstep.at("tagged-marker" if is_tagged else "marker", MARKER)
        if field.nullable or way.always:
            present = b"\1" if way.present is None else way.present
            null = (b"\0" if is_tagged else b"\xff") if way.null is None else way.null
            self.target.data += null if value is None else present
            if value is None:
                return
        self.struct(struct, value, where)

    def _section(self, struct: StructType, value: Value, place: str) -> None:
        target, way = self.target, self.target.misstep.at(place, SECTION)
        own = {field.tag for field in struct.fields if field.tag is not None} | struct.tags_elsewhere
        entries = way.entries(self._entries(struct, value, place, own))
        target.varint(f"{place}-count", len(entries))
        for tag, body in entries:
            kind = "-known" if isinstance(body, KnownBody) else ""
            target.varint(f"{place}{kind}-tag", tag)
            target.varint(f"{place}{kind}-size", len(body))
            target.data += body

    def _entries(self, struct: StructType, value: Value, place: str, own: Collection[int]) -> list[tuple[int, bytes]]:
        unknown = value.get(TAGS) or []
        if not isinstance(unknown, list | tuple):
            raise NotTaken
        check_tags(list(unknown), own, self.highest_tag)
        known = self._known_entries(struct, value, self.target.misstep.at(place, SECTION))
        return [*known, *self.target.misstep.at(place, CONTENT).value(unknown)]

    def _known_entries(self, struct: StructType, value: Value, way: SectionWay) -> Iterator[tuple[int, bytes]]:
        tagged = [(field.tag, field) for field in struct.fields if field.tag is not None]
        for tag, field in sorted(tagged, key=lambda each: each[0]):
            is_omitted = way.omits(field, value[field.name])
            if is_omitted and way is SECTION and field.type != "struct":
                continue
            body = Output(self.target.misstep)
            type(self)(body).field(field, value[field.name], TAGGED)
            if not is_omitted:
                yield tag, KnownBody(body.data)


def _check_names(struct: StructType, value: Value) -> None:
    """Refuse a value with a missing field, or with a field of other versions that may not be dropped."""
    absent = {field.name: field for field in struct.absent_fields}
    names = {field.name for field in struct.fields}
    if not names <= value.keys() or (value.get(TAGS) and not struct.flexible):
        raise NotTaken
    for name, item in value.items():
        if name in absent:
            if not (absent[name].ignorable or is_default(absent[name], item)):
                raise NotTaken
        elif name not in names and name != TAGS:
            raise NotTaken


def read(
    struct: StructType, data: bytes, misstep: Misstep = SOUND, reader: type[BodyReader] = BodyReader
) -> tuple[Value, Input]:
    """Read the body of a message, and return it with the input after it."""
    source = Input(misstep.at("body", CONTENT).raw(data), misstep)
    value: Value = misstep.at("body-value", CONTENT).value(reader(source).struct(struct))
    return value, source


def write(struct: StructType, value: Value, misstep: Misstep = SOUND, writer: type[BodyWriter] = BodyWriter) -> bytes:
    """Write the body of a message."""
    target = Output(misstep)
    writer(target).struct(struct, misstep.at("body-value", CONTENT).value(value))
    return misstep.at("body", CONTENT).raw(bytes(target.data))


def read_body(schema: MessageSchema, source: Input) -> tuple[Value, int]:
    """Read a body from all remaining bytes, and return it with the number of bytes after it."""
    value, rest = read(schema.struct, source.take(source.left), source.misstep)
    source.is_open |= rest.is_open
    return value, rest.left
