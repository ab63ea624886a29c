"""One value of a wire type alone, such as an int32, a compact string or a tag section."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from conformance.generate.origin import CaseOrigin
from conformance.targets.body_target import BodyTarget, are_equal
from conformance.targets.plain_values import copy_of
from reference import TAGS, ApacheKafka, Difference, Malformed, MessageSchema, Primitive, Result, Verdict, judge
from reference.primitives import TAG_SECTION, VALUE
from reference.wire.varints import as_int32

if TYPE_CHECKING:
    from conformance.targets.claims import Claims
    from conformance.targets.target import Contents, Correct, Damages, Json
    from reference import Span


_SECTION = MessageSchema(TAG_SECTION, 0, "data", None, flexible=True, fields=(), absent_fields=())


@dataclass(frozen=True)
class WireTypeTarget(BodyTarget):
    """One value of a wire type alone."""

    primitive: Primitive
    version = 0
    folder = "primitives"

    @property
    def message(self) -> str:
        return self.primitive.name

    def function(self, what: str) -> str:
        return f"{what}_primitive"

    def arguments(self, what: str, content: Any) -> tuple[Any, ...]:  # noqa: ARG002  # they are the same for both
        return self.primitive.name, copy_of(content)

    def write(self, content: Any) -> bytes:
        return self.primitive.encode(content)

    def read(self, wire: bytes) -> Any:
        return self.primitive.decode(wire).value

    def spans(self, wire: bytes) -> tuple[Span, ...]:
        return self.primitive.spans(wire)

    @property
    def schema(self) -> MessageSchema:
        """A message of this type alone, with one field, or without fields for the tag section."""
        return self.primitive.schema or _SECTION

    def content_of(self, value: Any) -> Any:
        """Return the only field of a value of `schema`, or its tags."""
        return value.get(VALUE) if self.primitive.schema else value.get(TAGS, [])

    def value_of(self, content: Any) -> dict[str, Any]:
        return {VALUE if self.primitive.schema else TAGS: content}

    def with_value(self, content: Any, value: Any) -> Any:  # noqa: ARG002  # nothing is around it
        return self.content_of(value)

    def enclosing(self, content: Any, body: bytes) -> bytes:  # noqa: ARG002  # nothing is around it
        return body

    def judge(self, wire: bytes) -> Verdict:
        return self._judge_number(wire) if self.primitive.range else self._judge_alone(wire)

    def _judge_alone(self, wire: bytes) -> Verdict:
        """Judge the bytes as a message of this type alone."""
        verdict = judge(self.schema, wire)
        if verdict.value is None:
            return verdict
        content = self.content_of(verdict.value)
        if verdict.result is Result.UNSPECIFIED and self._is_refused_alone(verdict.rules, content):
            return Verdict(Result.UNSPECIFIED, verdict.rules, ApacheKafka.REJECTS)
        return Verdict(verdict.result, verdict.rules, ApacheKafka.ACCEPTS, value=content, consumed=verdict.consumed)

    def _is_refused_alone(self, rules: tuple[str, ...], content: Any) -> bool:
        """Return whether Apache Kafka's class for this wire type refuses bytes that its messages accept.

        These classes refuse a count of 2^31 and more for null in a compact array. They also refuse a tag that is not
        above the previous one as a signed number. `kafka-conformance prove` puts every vector to them.
        """
        if self.primitive.schema is None:
            tags = [-1, *(as_int32(tag) for tag, _ in content)]
            return any(after <= before for before, after in pairwise(tags))
        return self.message.startswith("compact-nullable-array") and "null.other-negative" in rules

    def _judge_number(self, wire: bytes) -> Verdict:
        """Judge the bytes of a variable-length number.

        Where strict reading leaves them unspecified, lenient reading decides.
        """
        verdict = super().judge(wire)
        if verdict.result is Result.INVALID:
            return verdict
        try:
            read = self.primitive.decode_leniently(wire)
        except Malformed:
            return replace(verdict, apache_kafka=ApacheKafka.REJECTS)
        return replace(verdict, apache_kafka=ApacheKafka.ACCEPTS, value=read.value, consumed=read.consumed)

    def expected(self, claims: Claims, content: Any) -> Any:  # noqa: ARG002  # a wire type has no tags
        return content

    def difference(self, claims: Claims, expected: Any, actual: Any) -> Difference | None:  # noqa: ARG002
        if are_equal(expected, actual):
            return None
        return Difference("", expected, actual, "value" if type(expected) is type(actual) else "type")

    def corrected(self, content: Any, correct: Correct) -> Any:
        return content if self.primitive.schema is None else correct(self.primitive.schema.fields[0], content)

    def contents(self) -> Contents:
        """Yield values, some of them without bytes."""
        from conformance.targets.wire_type.wire_type_contents import primitive_values  # noqa: PLC0415  # no child needs it

        return ((CaseOrigin(), value) for value in primitive_values(self.primitive))

    def damages(self) -> Damages:
        """Yield bytes, most of them invalid: the reference decides about each."""
        from conformance.targets.wire_type.wire_type_contents import broken_primitives  # noqa: PLC0415  # no child needs it

        return ((CaseOrigin(), wire) for wire in broken_primitives(self.primitive))

    def to_json(self, content: Any) -> Any:
        return self.primitive.to_json(content)

    def from_json(self, form: Any) -> Any:
        return self.primitive.from_json(form)

    def identity(self, what: str) -> Json:  # noqa: ARG002  # its name is all in both directions
        return {"name": self.message}
