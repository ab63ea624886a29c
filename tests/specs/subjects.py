"""Subjects of the book's examples, each with its values, its bytes, and the verdict on any bytes.

Here are the bodies of messages and single types; frames and stored messages are in `tests.specs.around`, and the
notation of the book is in `tests.specs.notation`.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from conformance.definitions.book import value_of
from reference import Malformed, MessageSchema, Reason, Result, encode, equal, judge
from reference.definitions.model import Definition
from reference.definitions.parse import parse_definition
from reference.primitives import VALUE, Primitive


@dataclass(frozen=True)
class Judgement:
    """The reference's verdict on some bytes."""

    result: Result
    rules: tuple[str, ...] = ()
    reason: Reason | None = None
    offset: int | None = None
    accepted: bool = True
    """Whether Apache Kafka reads a value."""
    value: Any = None
    """The value that it reads."""


class Subject(Protocol):
    """A type with values and bytes."""

    def value(self, form: Any) -> Any:
        """Return the value of its form in the book."""

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
        return value_of(self.schema, form)

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
    """A type of fields, as a message of one field."""

    def value(self, form: Any) -> Any:
        return super().value({VALUE: form})


@dataclass(frozen=True)
class Alone:
    """A type of no field, namely a varint, or a tag section without known tags."""

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
