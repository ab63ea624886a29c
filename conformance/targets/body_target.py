"""Targets with a message in them, and the comparison of messages."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from conformance.adapter import FrameContent, StoredMessage
from conformance.targets.hidden import restored
from conformance.targets.target import Target
from reference import Difference, MessageSchema, difference, encode
from reference.values.comparison import same_value
from reference.values.defaults import has_nan_elsewhere

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.targets.claims import Claims
    from conformance.targets.faults.fault import FaultModel
    from conformance.targets.target import Contents, Correct, Damages


class BodyTarget(Target):
    """A target whose content has a value of a schema, so that mistakes in the schema's codec explain what it does."""

    if TYPE_CHECKING:

        @property
        def schema(self) -> MessageSchema:
            """The schema of the value."""

    @abstractmethod
    def content_of(self, value: Any) -> Any:
        """Return the plainest content with a value of the schema."""

    @abstractmethod
    def value_of(self, content: Any) -> Any:
        """Return the value of the schema in a content, which may be any object in place of one."""

    @abstractmethod
    def with_value(self, content: Any, value: Any) -> Any:
        """Return a content with another value of the schema."""

    @abstractmethod
    def enclosing(self, content: Any, body: bytes) -> bytes:
        """Return the bytes of a content with other bytes in place of its body. What is around fits them."""

    @property
    def codec(self) -> Any:
        """The valid codec, whose parts faults change."""
        from conformance.targets.faults.schema_codec import sound_codec  # noqa: PLC0415  # no child needs it

        return sound_codec(self.schema)

    def head_faults(self, header_version: int | None = None) -> Iterator[FaultModel[Any]]:  # noqa: ARG002  # of frames alone
        """Yield every mistake in what is around the body, the more probable of two with equal effect first.

        Args:
            header_version: the version of the header that the implementation gives on request, None if it is unknown.
                If it is right, a header without its tag section is not the previous version.
        """
        return iter(())


@dataclass(frozen=True)
class SchemaTarget(BodyTarget):
    """A target with a message in it."""

    schema: MessageSchema

    @property
    def message(self) -> str:
        return self.schema.message

    @property
    def version(self) -> int:
        return self.schema.version

    @property
    def pair(self) -> str:
        return str(self.schema)

    def enclosing(self, content: Any, body: bytes) -> bytes:
        wire = self.write(content)
        return wire[: len(wire) - len(encode(self.schema, self.value_of(content)))] + body

    @abstractmethod
    def contents(self) -> Contents:
        """Yield the contents of the fixed cases, the plainest first."""

    def refused(self) -> Contents:
        """Yield contents without bytes, each for one rule."""
        return iter(())

    @abstractmethod
    def damages(self, content: Any) -> Damages:
        """Yield changes of the bytes of a content. Most are invalid: the reference decides about each."""

    def judged(self, claims: Claims, content: Any) -> Any:
        value = self.value_of(content)
        judged = claims.judged(value)
        return content if judged is value else self.with_value(content, judged)

    def missing(self, claims: Claims, content: Any) -> str:
        return "" if self._is_other(content) else claims.hidden.missing(self.schema, self.value_of(content))

    def may_be_refused(self, wire: bytes) -> bool:
        return has_nan_elsewhere(self.schema.body, self.value_of(self.read(wire)))

    def has_any_field(self, content: Any) -> bool:
        value = self.value_of(content)
        names = {field.name for field in (*self.schema.fields, *self.schema.absent_fields)}
        return not names or not isinstance(value, dict) or not names.isdisjoint(value)

    def corrected(self, content: Any, correct: Correct) -> Any:
        if self._is_other(content):
            return content
        return self.with_value(content, correct(self.schema.body, self.value_of(content)))

    def restored(self, content: Any, names: frozenset[str]) -> Any:
        return self.with_value(content, restored(self.schema, self.value_of(content), names))

    def _is_other(self, content: Any) -> bool:
        """Return whether a content is of another message or version, as bytes from storage may state."""
        return isinstance(content, StoredMessage) and (content.message, content.version) != (self.message, self.version)

    def content_of(self, value: Any) -> Any:
        return value

    def value_of(self, content: Any) -> Any:
        return content.value if isinstance(content, FrameContent | StoredMessage) else content

    def with_value(self, content: Any, value: Any) -> Any:
        return replace(content, value=value) if isinstance(content, FrameContent | StoredMessage) else value


def are_equal(expected: Any, actual: Any) -> bool:
    """Return whether two values of a wire type have the same types and contents.

    Pairs may be tuples or lists.
    """
    return same_value(_with_tuples(expected), _with_tuples(actual))


def _with_tuples(value: Any) -> Any:
    if isinstance(value, list):
        return [tuple(item) if isinstance(item, list) else item for item in value]
    return value


def part(name: str, expected: Any, actual: Any) -> Difference:
    """Return a difference in one attribute of a content."""
    return Difference(name, getattr(expected, name), getattr(actual, name), "value")


def kept(claims: Claims, schema: MessageSchema, value: Any) -> Any:
    """Return the parts of a body that the implementation claims to keep when it reads.

    The others are at their defaults.
    """
    return claims.hidden.without(schema, claims.judged(value))


def body_difference(claims: Claims, schema: MessageSchema, expected: Any, actual: Any) -> Difference | None:
    """Compare the parts of two bodies that the implementation claims to keep."""
    sides = kept(claims, schema, expected), kept(claims, schema, actual)
    return difference(schema, *sides, absent=claims.takes_absent_fields)
