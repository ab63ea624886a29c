"""What the examples of the book are about, a `Subject`: its values, its bytes, and the verdict on any bytes.

Here are the bodies of messages and single types; what stands around a message is in `tests.specs.around`, and how each
is written in the book in `tests.specs.notation`.
"""

import json
import re
import struct
from dataclasses import dataclass
from typing import Any, Protocol

from reference import FieldSchema, Malformed, MessageSchema, Reason, Result, completed, encode, equal, from_json, judge
from reference.definitions.model import Definition
from reference.definitions.parse import parse_definition
from reference.primitives import VALUE, Primitive

_REPEATED_BYTE = re.compile(r"([0-9a-f]{2})\*([0-9]+)")
_REPEATED_TEXT = re.compile(r'"(.)"\*([0-9]+)')
_REPEATED_HEX = re.compile(r'"([0-9a-f]{2})\*([0-9]+)"')


@dataclass(frozen=True)
class Judgement:
    """What the reference says of some bytes."""

    result: Result
    rules: tuple[str, ...] = ()
    reason: Reason | None = None
    offset: int | None = None
    accepted: bool = True
    """Whether Apache Kafka reads a value."""
    value: Any = None
    """The value that it reads."""


class Subject(Protocol):
    """Something that has a value and bytes."""

    def value(self, form: Any) -> Any:
        """The value that is written so in the book."""

    def encode(self, value: Any) -> bytes:
        """The canonical bytes of a value."""

    def judge(self, wire: bytes) -> Judgement:
        """The verdict on bytes."""

    def equal(self, first: Any, second: Any) -> bool:
        """Compare two values."""


@dataclass(frozen=True)
class Body:
    """The body of a message."""

    schema: MessageSchema

    def value(self, form: Any) -> Any:
        """The value behind a form that may leave out defaults, and has 64-bit integers and floats as plain numbers."""
        return completed(self.schema, from_json(self.schema, _strict(self.schema.body, form)))

    def encode(self, value: Any) -> bytes:
        return encode(self.schema, value)

    def judge(self, wire: bytes) -> Judgement:
        verdict = judge(self.schema, wire)
        return Judgement(
            verdict.result,
            verdict.rules,
            verdict.reason,
            verdict.offset,
            accepted=verdict.value is not None,
            value=verdict.value,
        )

    def equal(self, first: Any, second: Any) -> bool:
        """By the fields of the version, floats by their bits."""
        return equal(self.schema, first, second)


@dataclass(frozen=True)
class Field(Body):
    """A type alone that is a type of fields: a message of one field."""

    def value(self, form: Any) -> Any:
        return super().value({VALUE: form})


@dataclass(frozen=True)
class Alone:
    """A type that no field has: a varint, or a tag section without known tags."""

    primitive: Primitive

    def value(self, form: Any) -> Any:
        return self.primitive.from_json(str(form) if self.primitive.decimal else form)

    def encode(self, value: Any) -> bytes:
        return self.primitive.encode(value)

    def judge(self, wire: bytes) -> Judgement:
        try:
            return Judgement(Result.VALID, value=self.primitive.decode(wire).value)
        except Malformed as error:
            strict = error
        try:
            return Judgement(Result.UNSPECIFIED, (strict.rule,), value=self.primitive.decode_leniently(wire).value)
        except Malformed as error:
            rules = (strict.rule,) if strict.rule == error.rule else (strict.rule, error.rule)
            return Judgement(Result.INVALID, rules, error.reason, error.offset, accepted=False)

    def equal(self, first: Any, second: Any) -> bool:
        return bool(first == second)


def definition_of(text: str) -> Definition:
    return parse_definition(text, "the book")


def form_of(cell: str) -> Any:
    """The JSON in a cell; `"a"*300` is a text of 300 letters, and `"00*118"` anywhere the hex of 118 bytes."""
    repeated = _REPEATED_TEXT.fullmatch(cell)
    if repeated is not None:
        return repeated[1] * int(repeated[2])
    return json.loads(_REPEATED_HEX.sub(lambda match: f'"{match[1] * int(match[2])}"', cell))


def bytes_of(cell: str) -> bytes:
    """The bytes in a cell; `61*300` is 300 times that byte, and `(none)` no byte at all."""
    pieces = "" if cell == "(none)" else _REPEATED_BYTE.sub(lambda match: match[1] * int(match[2]), cell)
    return bytes.fromhex(pieces)


def _strict(field: FieldSchema, form: Any) -> Any:
    """The form with 64-bit integers as text and floats as hex, where the book has plain numbers."""
    if form is None:
        return None
    if field.element is not None and isinstance(form, list):
        return [_strict(field.element, item) for item in form]
    if field.type == "struct" and isinstance(form, dict):
        known = {member.name: member for member in (*field.fields, *field.absent_fields)}
        return {name: _strict(known[name], item) if name in known else item for name, item in form.items()}
    if isinstance(form, bool) or not isinstance(form, int | float):
        return form
    if field.type == "float64":
        return struct.pack(">d", form).hex()
    return str(form) if field.type in ("int64", "uint32") else form
