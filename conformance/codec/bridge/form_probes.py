"""The contents for a harness to write and read in `bridge check`, each JSON form once, and whole messages after them.

A probe of a form is the smallest value of a message with one field set, so a wrong reply names the misunderstood form.
In a whole message every field has a value of its own, so exchanged fields are noticed.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from conformance.adapter import DIRECTIONS
from conformance.codec.bridge.json_forms import shown
from conformance.generate.drawn_values import unknown_tags
from conformance.generate.unusual_values import SchemaPlace
from conformance.generate.value_paths import remade
from conformance.targets import DECODE, ENCODE, RECORD_BATCHES, Ask, Body, WireTypeTarget
from reference import (
    TAGS,
    FieldSchema,
    MessageSchema,
    Primitive,
    Unencodable,
    encode,
    minimal,
    primitive,
    primitives,
    to_json,
)
from reference.definitions.model import DECIMAL, INTEGER_RANGES
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from conformance.adapter import Direction
    from conformance.codec.bridge.protocol import Message
    from conformance.targets import Claims

PLACES = 2
"""The number of messages in which each form is tried: a library may not be able to hold the first value."""

BEFORE, AFTER = "before", "after"
"""The text around a place that is not valid Unicode: it is written regardless of how a library treats that place."""
NOT_UTF16 = {"utf16": (BEFORE.encode("utf-16-be") + b"\xd8\x00" + AFTER.encode("utf-16-be")).hex()}
NOT_UTF8 = {"utf8": (BEFORE.encode() + b"\xff" + AFTER.encode()).hex()}
STAND_IN = f"{BEFORE}?{AFTER}"
A_TEXT = "a text"
A_UUID = UUID("00112233-4455-6677-8899-aabbccddeeff")


@dataclass(frozen=True)
class Probe:
    """A content to write or to read, with its purpose and the path of the field."""

    way: Direction
    target: Any
    what: str
    content: Any = dataclass_field(repr=False)
    wire: bytes | None = dataclass_field(default=None, repr=False)
    """The bytes of the content; None if it may not be written."""
    path: str = ""
    form: Any = dataclass_field(default=None, repr=False)
    """What is sent in place of the content, which has no such form; None for nothing else."""
    is_text: bool = False
    """Whether it has text that is not valid Unicode: only the text around is compared."""
    is_encoded: bool = False
    """Whether it has a text in the place of a number or bytes."""
    rule: str = ""
    """The rule against a content that is to be refused, if the check depends on it."""

    @property
    def ask(self) -> Ask:
        """The call of the implementation."""
        return Ask(self.way, self.target, self.wire or b"" if self.way == DECODE else self.content)

    @property
    def request(self) -> Message:
        """The request of the bridge protocol."""
        return self.ask.request if self.form is None else {**self.ask.request, "value": self.form}

    @property
    def hex(self) -> str:
        """Its bytes in words."""
        return (self.wire or b"").hex() or "no bytes"

    def shown(self, value: Any) -> str:
        """Return the JSON form of another value, shortened."""
        return shown(self.target.to_json(value))

    def __str__(self) -> str:
        operation = self.target.function(self.way).replace("_", "-")
        named = "" if self.target.message == RECORD_BATCHES else str(self.target)
        subject = ", ".join(filter(None, (named, self.what)))
        return f"{operation} of {subject}{f' ({self.path})' if self.path else ''}"


class Form(NamedTuple):
    """A form with a value in it, where None stands for null, and the fields of that form."""

    what: str
    has: Callable[[FieldSchema], bool]
    value: Callable[[FieldSchema], Any]
    is_valid: bool = True
    is_encoded: bool = False
    """Whether a text stands in the place of a number or bytes."""


def _of(name: str, *, nullable: bool | None = None) -> Callable[[FieldSchema], bool]:
    return lambda field: field.type == name and nullable in {None, field.nullable}


def _number(field: FieldSchema) -> int:
    lowest, highest = INTEGER_RANGES[field.written_type]
    if field.type == "int64" and field.encoding is None:
        return 2**53 + 1
    return lowest + 1 if lowest < 0 else highest - 1


def _two(field: FieldSchema) -> Any:
    return distinct_of(field, count(1))


FORMS: tuple[Form, ...] = (
    Form("a bool", _of("bool"), lambda field: not field.default),
    *(Form(f"{name} as a JSON number", _of(name), _number) for name in INTEGER_RANGES if name not in DECIMAL),
    *(Form(f"{name} as decimal text", _of(name), _number, is_encoded=True) for name in DECIMAL),
    Form("float64 as its bits", _of("float64"), lambda _: -0.15625, is_encoded=True),
    Form("-0.0 as its bits", _of("float64"), lambda _: -0.0, is_encoded=True),
    Form(A_TEXT, _of("string"), lambda _: "text"),
    Form("a text beyond ASCII", _of("string"), lambda _: "é日\N{GRINNING FACE}"),
    Form("an empty text", _of("string"), lambda _: ""),
    Form("a uuid as 36 characters", _of("uuid"), lambda _: A_UUID, is_encoded=True),
    Form("bytes as hex", _of("bytes"), lambda _: b"\xca\xfe\x00", is_encoded=True),
    Form("empty bytes", _of("bytes"), lambda _: b""),
    Form("records as hex", _of("records"), lambda _: b"\x00\x01\x02\x03\x04", is_encoded=True),
    Form("a struct", lambda field: field.type == "struct", _two),
    Form("an array of structs", lambda field: bool(field.element is not None and field.element.fields), _two),
    Form("an array of numbers or texts", lambda field: field.element is not None and not field.element.fields, _two),
    Form("an empty array", _of("array"), lambda _: []),
    Form("a tagged field", lambda field: field.tag is not None, _two),
    *(
        Form(f"null for {what}", _of(what.rpartition(" ")[2], nullable=True), lambda _: None)
        for what in ("a string", "an array", "a struct", "bytes", "records")
    ),
    *(
        Form(f"null for {name} that may not be null", _of(name, nullable=False), lambda _: None, is_valid=False)
        for name in ("string", "array", "bytes", "struct", "int32", "bool", "uuid")
    ),
)


def form_probes(schemas: Iterable[MessageSchema], way: Direction, *, keeps_tags: bool) -> Iterator[Probe]:
    """Yield a probe of each form and `PLACES` in the messages offered in a direction, the smallest first."""
    left = {form.what: PLACES for form in FORMS if form.is_valid or way == ENCODE}
    tags, tried = PLACES if keeps_tags else 0, set[tuple[str, str]]()
    for schema in _smallest_first(schemas):
        for place, form in _places(schema, left):
            if left[form.what] and (form.what, schema.message) not in tried:
                probe = _probe(schema, place, form, way)
                if probe is not None:
                    left[form.what] -= 1
                    tried.add((form.what, schema.message))
                    yield probe
                    if form.what == A_TEXT:
                        yield from _texts(schema, place, way)
        if tags and schema.flexible:
            tags -= 1
            value = {**minimal(schema), TAGS: [(unknown_tags(schema.body)[0], b"\xca\xfe")]}
            yield _valid(schema, "unknown tagged fields as _tags", TAGS, way, value)
        if not any(left.values()):
            return


def _smallest_first(schemas: Iterable[MessageSchema]) -> list[MessageSchema]:
    return sorted(schemas, key=lambda schema: (_size(schema), schema.message, schema.version))


def _size(schema: MessageSchema) -> int:
    return sum(not path.endswith("[]") for path, _ in schema.body.within())


def _places(schema: MessageSchema, left: Mapping[str, int]) -> Iterator[tuple[SchemaPlace, Form]]:
    forms = [form for form in FORMS if left.get(form.what)]
    for place in SchemaPlace("", schema.body).inside():
        if place.around is not None and place.around.field.element is None:
            yield from ((place, form) for form in forms if form.has(place.field))


def _valid(schema: MessageSchema, what: str, path: str, way: Direction, value: dict[str, Any]) -> Probe:
    return Probe(way, Body(schema), what, value, encode(schema, value), path)


def _probe(schema: MessageSchema, place: SchemaPlace, form: Form, way: Direction) -> Probe | None:
    value = place.put(form.value(place.field))
    with suppress(Unencodable):
        valid = _valid(schema, form.what, place.path, way, value)
        return replace(valid, is_encoded=form.is_encoded and way == ENCODE)
    return None if form.is_valid else Probe(way, Body(schema), form.what, value, path=place.path)


def _texts(schema: MessageSchema, place: SchemaPlace, way: Direction) -> Iterator[Probe]:
    # the reference does not write such text, so its bytes are made here
    stand_in = replace(_valid(schema, "", place.path, way, place.put(STAND_IN)), is_text=True)
    if way == DECODE:
        broken = (stand_in.wire or b"").replace(STAND_IN.encode(), bytes.fromhex(NOT_UTF8["utf8"]))
        yield replace(stand_in, what='a text that is not UTF-8, {"utf8": hex} if it is kept', wire=broken)
        return
    form = to_json(schema, stand_in.content)
    for what, text in (("utf16", NOT_UTF16), ("utf8", NOT_UTF8)):
        yield replace(stand_in, what=f'a text as {{"{what}": hex}}', form=_with_text(form, text))


def _with_text(form: Any, text: Any) -> Any:
    return remade(form, lambda part: text if part == STAND_IN else part)


def wire_type_probes(claims: Claims) -> list[Probe]:
    """Return a probe of each form of each wire type, and of the edges of those without a field."""
    return [
        Probe(way, target, "", content, target.write(content))
        for way in DIRECTIONS
        for target in map(WireTypeTarget, map(primitive, primitives()))
        if target.is_offered(claims, way)
        for content in _contents(target.primitive)
    ]


def _contents(each: Primitive) -> Iterator[Any]:
    """Yield a content of each form."""
    if each.schema is not None:
        [field] = each.schema.fields
        yield from (form.value(field) for form in FORMS if form.is_valid and form.has(field))
    elif each.range is not None:
        lowest, highest = each.range
        edges = (lowest, -1, 0, 1, 300, 2**53 + 1, highest)
        yield from dict.fromkeys(number for number in edges if lowest <= number <= highest)
    else:
        yield from ([], [(0, b""), (5, b"\xca\xfe")])


WRONG_FORMS: Mapping[str, tuple[Any, ...]] = {
    "bool": (1, "true"),
    **{name: ("5", True, 1.5) for name in INTEGER_RANGES if name not in DECIMAL},
    **dict.fromkeys(DECIMAL, (5, "five", True)),
    "float64": (1.5, "1.5"),
    "string": (5, ["a"], True),
    "uuid": ("0", 5),
    "bytes": ("zz", [1]),
    "records": ("zz", [1]),
    "array": ({}, "a"),
    "struct": ([], "a"),
}


def wrong_forms(schemas: Iterable[MessageSchema]) -> Iterator[Probe]:
    """Yield the forms of other types for each type once, in the smallest of the messages offered for encoding."""
    untried = dict(WRONG_FORMS)
    for schema in _smallest_first(schemas):
        for field in schema.fields:
            for form in untried.pop(field.type, ()):
                what = f"{field.name}: {field.type} as {shown(form)}"
                value = {**to_json(schema, minimal(schema)), field.name: form}
                yield Probe(ENCODE, Body(schema), what, minimal(schema), form=value)


SMALLEST, DISTINCT = "the smallest value", "a value of its own in each field"


def whole_probes(schemas: Iterable[MessageSchema], way: Direction) -> Iterator[Probe]:
    """Yield two values of each message, the smallest and one with other content in every field."""
    for schema in schemas:
        for what, value in ((SMALLEST, minimal(schema)), (DISTINCT, distinct(schema))):
            with suppress(Unencodable):  # a number that one version does not take
                yield _valid(schema, what, "", way, value)


def distinct(schema: MessageSchema) -> dict[str, Any]:
    """Return a value without two equal fields of one type, but for error codes of 0, on which readers switch."""
    value: dict[str, Any] = distinct_of(schema.body, count(1))
    return value


def distinct_of(field: FieldSchema, numbers: Iterator[int]) -> Any:
    """Return a value of a field without two equal fields of one type, with two elements in each array."""
    if field.element is not None:
        return [distinct_of(field.element, numbers) for _ in range(2)]
    if field.type == "struct":
        return {inner.name: distinct_of(inner, numbers) for inner in field.fields}
    return _scalar(field, next(numbers))


def _scalar(field: FieldSchema, number: int) -> Any:
    if field.type in INTEGER_RANGES:
        return 0 if field.name.endswith("ErrorCode") else number % INTEGER_RANGES[field.written_type][1]
    return _SCALARS[field.type](number) if field.type in _SCALARS else minimal_of(field)


_SCALARS: Mapping[str, Callable[[int], Any]] = {
    "bool": lambda number: bool(number % 2),
    "float64": lambda number: number + 0.5,
    "string": lambda number: f"text-{number}",
    "uuid": lambda number: UUID(int=number + (1 << 100)),
    "bytes": lambda number: number.to_bytes(4, "big"),
}
