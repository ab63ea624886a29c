"""The values for a harness to write and read in `bridge check`.

They have each JSON form once, and are followed by whole messages. A probe of a form is the smallest value of a message
with one field set, so a wrong reply names the misunderstood form. In a whole message every field has a value of its
own, so exchanged fields are noticed.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from conformance.codec.bridge.json_forms import shown
from conformance.generate.drawn_values import unknown_tags
from reference import TAGS, FieldSchema, MessageSchema, Unencodable, encode, minimal, to_json
from reference.definitions.model import DECIMAL, INTEGER_RANGES
from reference.values.defaults import minimal_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from conformance.codec.bridge.protocol import Message

PLACES = 2
"""The number of messages in which each form is tried: a library may not be able to hold the first value."""

BEFORE, AFTER = "before", "after"
"""The text around a place that is not valid Unicode: it is written regardless of how a library treats that place."""
NOT_UTF16 = {"utf16": (BEFORE.encode("utf-16-be") + b"\xd8\x00" + AFTER.encode("utf-16-be")).hex()}
NOT_UTF8 = {"utf8": (BEFORE.encode() + b"\xff" + AFTER.encode()).hex()}
STAND_IN = f"{BEFORE}?{AFTER}"


@dataclass(frozen=True)
class Probe:
    """One value of a message, with its purpose and the path of the field."""

    schema: MessageSchema
    what: str
    path: str
    operation: str
    form: Message = dataclass_field(repr=False)
    """The value, in its JSON form."""
    wire: bytes | None = dataclass_field(repr=False)
    """Its bytes; None if it has none, because it may not be written."""
    is_text: bool = False
    """Whether it has text that is not valid Unicode: only the text around is compared."""

    @property
    def is_encoded(self) -> bool:
        """Whether a text stands for a number or bytes."""
        return self.operation == "encode" and self.what in ENCODED

    @property
    def request(self) -> Message:
        """The request of the bridge protocol."""
        content = {"value": self.form} if self.wire is None or self.operation == "encode" else {"wire": self.wire.hex()}
        return {"op": self.operation, "message": self.schema.message, "version": self.schema.version, **content}

    def __str__(self) -> str:
        where = f" ({self.path})" if self.path else ""
        return f"{self.operation} of {self.schema}, {self.what}{where}"


class Form(NamedTuple):
    """A form with a value in it, and the fields of that form.

    A value of None stands for null.
    """

    what: str
    has: Callable[[FieldSchema], bool]
    value: Callable[[FieldSchema], Any]
    is_valid: bool = True


def _of(*names: str) -> Callable[[FieldSchema], bool]:
    return lambda field: field.type in names and (field.tag is None or field.type != "struct")


def _number(field: FieldSchema) -> int:
    lowest, highest = INTEGER_RANGES[field.written_type]
    if field.type == "int64" and field.encoding is None:
        return 2**53 + 1
    return lowest + 1 if lowest < 0 else highest - 1


def _nullable(*names: str) -> Callable[[FieldSchema], bool]:
    return lambda field: field.type in names and field.nullable


def _not_nullable(*names: str) -> Callable[[FieldSchema], bool]:
    return lambda field: field.type in names and not field.nullable


def _two(field: FieldSchema) -> Any:
    return distinct_of(field, count(1))


FORMS: tuple[Form, ...] = (
    Form("a bool", _of("bool"), lambda field: not field.default),
    *(Form(f"{name} as a JSON number", _of(name), _number) for name in INTEGER_RANGES if name not in DECIMAL),
    *(Form(f"{name} as decimal text", _of(name), _number) for name in DECIMAL),
    Form("float64 as its bits", _of("float64"), lambda _: -0.15625),
    Form("-0.0 as its bits", _of("float64"), lambda _: -0.0),
    Form("a text", _of("string"), lambda _: "text"),
    Form("a text beyond ASCII", _of("string"), lambda _: "é日\N{GRINNING FACE}"),
    Form("an empty text", _of("string"), lambda _: ""),
    Form("a uuid as 36 characters", _of("uuid"), lambda _: UUID("00112233-4455-6677-8899-aabbccddeeff")),
    Form("bytes as hex", _of("bytes"), lambda _: b"\xca\xfe\x00"),
    Form("empty bytes", _of("bytes"), lambda _: b""),
    Form("records as hex", _of("records"), lambda _: b"\x00\x01\x02\x03\x04"),
    Form("a struct", lambda field: field.type == "struct", _two),
    Form("an array of structs", lambda field: bool(field.element is not None and field.element.fields), _two),
    Form("an array of numbers or texts", lambda field: field.element is not None and not field.element.fields, _two),
    Form("an empty array", _of("array"), lambda _: []),
    Form("a tagged field", lambda field: field.tag is not None, _two),
    *(
        Form(f"null for {'an' if name == 'array' else 'a'} {name}", _nullable(name), lambda _: None)
        for name in ("string", "array", "struct")
    ),
    Form("null for bytes", _nullable("bytes"), lambda _: None),
    Form("null for records", _nullable("records"), lambda _: None),
    *(
        Form(f"null for {name} that may not be null", _not_nullable(name), lambda _: None, is_valid=False)
        for name in ("string", "array", "bytes", "struct", "int32", "bool", "uuid")
    ),
)


ENCODED = frozenset(form.what for form in FORMS if form.is_valid and " as " in form.what and "JSON" not in form.what)
"""The forms with a text in the place of a number or bytes."""


def form_probes(schemas: Iterable[MessageSchema], operation: str, *, keeps_tags: bool) -> Iterator[Probe]:
    """Yield one probe for each form in the messages, and for each of its `PLACES`, the smallest first.

    Args:
        schemas: the messages offered for this operation.
        operation: encode or decode.
        keeps_tags: whether unknown tagged fields are kept.
    """
    ordered = sorted(schemas, key=lambda schema: (_size(schema.fields), schema.message, schema.version))
    remaining = {form.what: PLACES for form in FORMS if form.is_valid or operation == "encode"}
    texts, tags, messages = PLACES, PLACES if keeps_tags else 0, set[tuple[str, str]]()
    for schema in ordered:
        for form, steps, field in _places(schema, remaining):
            if remaining.get(form.what) and (form.what, schema.message) not in messages:
                probe = _probe(schema, form, steps, field, operation)
                if probe is not None:
                    remaining[form.what] -= 1
                    messages.add((form.what, schema.message))
                    yield probe
                    if form.what == "a text" and texts:
                        texts -= 1
                        yield from _texts(schema, steps, operation)
        if tags and schema.flexible:
            tags -= 1
            yield _tagged(schema, operation)
        if not any(remaining.values()):
            return


def _size(fields: tuple[FieldSchema, ...]) -> int:
    return sum(1 + _size(field.item.fields) for field in fields)


def _places(
    schema: MessageSchema, remaining: dict[str, int]
) -> Iterator[tuple[Form, tuple[FieldSchema, ...], FieldSchema]]:
    forms = [form for form in FORMS if remaining.get(form.what)]
    for steps in _paths(schema.fields, ()):
        for form in forms:
            if form.has(steps[-1]):
                yield form, steps, steps[-1]


def _paths(fields: tuple[FieldSchema, ...], above: tuple[FieldSchema, ...]) -> Iterator[tuple[FieldSchema, ...]]:
    for field in fields:
        yield (*above, field)
        yield from _paths(field.item.fields, (*above, field))


def _probe(
    schema: MessageSchema, form: Form, steps: tuple[FieldSchema, ...], field: FieldSchema, operation: str
) -> Probe | None:
    value = with_value(schema, steps, form.value(field))
    try:
        wire = encode(schema, value)
    except Unencodable:
        if form.is_valid:
            return None
        wire = None
    return Probe(schema, form.what, _path(steps), operation, to_json(schema, value), wire)


def with_value(schema: MessageSchema, steps: tuple[FieldSchema, ...], content: Any) -> dict[str, Any]:
    """Return the smallest value of a message in which one field has a content."""
    value = minimal(schema)
    struct = value
    for step in steps[:-1]:
        inner = {field.name: minimal_of(field) for field in step.item.fields}
        struct[step.name] = inner if step.element is None else [inner]
        struct = inner
    struct[steps[-1].name] = content
    return value


def _path(steps: tuple[FieldSchema, ...]) -> str:
    *above, last = steps
    return ".".join([step.name if step.element is None else f"{step.name}[0]" for step in above] + [last.name])


def _texts(schema: MessageSchema, steps: tuple[FieldSchema, ...], operation: str) -> Iterator[Probe]:
    """Yield the probes of text that is not valid Unicode.

    The reference does not write such text, so its bytes are made here.
    """
    value = with_value(schema, steps, STAND_IN)
    wire, form = encode(schema, value), to_json(schema, value)
    if operation == "decode":
        broken = wire.replace(STAND_IN.encode(), bytes.fromhex(NOT_UTF8["utf8"]))
        yield Probe(
            schema,
            'a text that is not UTF-8, {"utf8": hex} if it is kept',
            _path(steps),
            operation,
            form,
            broken,
            is_text=True,
        )
        return
    for what, text in (("utf16", NOT_UTF16), ("utf8", NOT_UTF8)):
        changed = _replaced(form, text)
        yield Probe(schema, f'a text as {{"{what}": hex}}', _path(steps), operation, changed, wire, is_text=True)


def _replaced(form: Any, text: Any) -> Any:
    if isinstance(form, dict):
        return {name: _replaced(item, text) for name, item in form.items()}
    if isinstance(form, list):
        return [_replaced(item, text) for item in form]
    return text if form == STAND_IN else form


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
"""Forms of other types."""


class WrongForm(NamedTuple):
    """A value of a message with one field in the form of another type."""

    schema: MessageSchema
    field: FieldSchema
    form: Any

    @property
    def request(self) -> Message:
        """The request of the bridge protocol to write it."""
        value = {**to_json(self.schema, minimal(self.schema)), self.field.name: self.form}
        return {"op": "encode", "message": self.schema.message, "version": self.schema.version, "value": value}

    def __str__(self) -> str:
        return f"encode of {self.schema}, {self.field.name}: {self.field.type} as {shown(self.form)}"


def wrong_forms(schemas: Iterable[MessageSchema]) -> Iterator[WrongForm]:
    """Yield the forms of other types for each type once, in the smallest of the messages offered for encoding."""
    untried = dict(WRONG_FORMS)
    for schema in sorted(schemas, key=lambda schema: (_size(schema.fields), schema.message, schema.version)):
        for field in schema.fields:
            yield from (WrongForm(schema, field, form) for form in untried.pop(field.type, ()))


def _tagged(schema: MessageSchema, operation: str) -> Probe:
    value = {**minimal(schema), TAGS: [(unknown_tags(schema.body)[0], b"\xca\xfe")]}
    return Probe(
        schema, "unknown tagged fields as _tags", TAGS, operation, to_json(schema, value), encode(schema, value)
    )


def whole_probes(schemas: Iterable[MessageSchema], operation: str) -> Iterator[Probe]:
    """Yield two values of each message, the smallest and one with other content in every field."""
    for schema in schemas:
        for what, value in (
            ("the smallest value", minimal(schema)),
            ("a value of its own in each field", distinct(schema)),
        ):
            try:
                yield Probe(schema, what, "", operation, to_json(schema, value), encode(schema, value))
            except Unencodable:  # a number that one version does not take
                continue


def distinct(schema: MessageSchema) -> dict[str, Any]:
    """Return a value without two equal fields of one type.

    Error codes are 0, since readers switch on them.
    """
    numbers = count(1)
    return {field.name: distinct_of(field, numbers) for field in schema.fields}


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
    make = _SCALARS.get(field.type)
    return minimal_of(field) if make is None else make(number)


_SCALARS: Mapping[str, Callable[[int], Any]] = {
    "bool": lambda number: bool(number % 2),
    "float64": lambda number: number + 0.5,
    "string": lambda number: f"text-{number}",
    "uuid": lambda number: UUID(int=number + (1 << 100)),
    "bytes": lambda number: number.to_bytes(4, "big"),
}
