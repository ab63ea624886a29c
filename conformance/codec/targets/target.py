"""The base class of every target, and functions shared by several."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from conformance.adapter import FrameContent, StoredMessage
from conformance.codec.hidden import NOTHING_HIDDEN, HiddenFields, restored
from conformance.codec.record_claims import EVERY_RECORD, RecordsClaims
from reference import ApacheKafka, CodecError, Difference, Malformed, MessageSchema, Result, Verdict, difference
from reference.values.comparison import same_value
from reference.values.defaults import has_nan_elsewhere

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.adapter import Direction
    from conformance.codec.driver import Implementation
    from conformance.codec.outcome import Outcome
    from reference import FieldSchema, Span

    Correct = Callable[[FieldSchema, Any], Any]

Json = dict[str, Any]


class Claims(Protocol):
    """The parts of a value that an implementation claims to keep.

    `Implementation` has these members.
    """

    @property
    def keeps_unknown_tags(self) -> bool:
        """Whether unknown tagged fields count."""

    @property
    def takes_absent_fields(self) -> bool:
        """Whether fields of other versions count."""

    @property
    def records(self) -> RecordsClaims:
        """Its claims about record batches."""

    @property
    def hidden(self) -> HiddenFields:
        """The fields that it drops when it reads."""

    takes_partial_values: Any
    representations: Any

    @property
    def is_over_bridge(self) -> bool:
        """Stub"""

    def judged(self, value: Any) -> Any:
        """Return the judged part of a value."""


class _Everything:
    """The claims of an implementation that keeps everything.

    It keeps unknown tags, and fields of other versions at their defaults.
    """

    keeps_unknown_tags = True
    takes_absent_fields = True
    takes_partial_values = True
    representations = frozenset()
    is_over_bridge = False
    records = EVERY_RECORD
    hidden = NOTHING_HIDDEN

    def judged(self, value: Any) -> Any:
        """Return the value as it is."""
        return value


EVERYTHING: Claims = _Everything()
"""The claims of Apache Kafka's own classes."""


class Target(ABC):
    """One thing on the wire that an implementation writes and reads."""

    @property
    @abstractmethod
    def message(self) -> str:
        """The name of the message, or of the wire type."""

    @property
    @abstractmethod
    def version(self) -> int:
        """The version of the message, or 0 for a wire type."""

    @property
    def pair(self) -> str:
        """Message and version, as `FetchRequest-v17`, or the name alone for targets without versions."""
        return self.message

    @property
    @abstractmethod
    def folder(self) -> str:
        """The folder of its golden vectors.

        It is `messages`, `headers`, `frames`, `stored`, `records` or `primitives`.
        """

    @abstractmethod
    def function(self, direction: Direction) -> str:
        """Return the name of the adapter's function, such as `encode_frame` or `decode_primitive`."""

    def operation(self, direction: Direction) -> str:
        """Return the name of the operation of the bridge protocol, such as `encode-frame`."""
        return self.function(direction).replace("_", "-")

    def is_offered(self, implementation: Implementation, direction: Direction) -> bool:
        """Return whether the adapter has a function for it."""
        return getattr(implementation.adapter, self.function(direction)) is not None

    @abstractmethod
    def encode(self, implementation: Implementation, content: Any) -> Outcome:
        """Have the implementation write a content."""

    @abstractmethod
    def decode(self, implementation: Implementation, wire: bytes) -> Outcome:
        """Have the implementation read bytes, in this process."""

    def size(self, implementation: Implementation, content: Any) -> int | Outcome | None:  # noqa: ARG002  # only bodies have one
        """Return the implementation's size of a content, or None if it announces none for this target."""
        return None

    def header_version(self, implementation: Implementation) -> int | Outcome | None:  # noqa: ARG002  # only frames have one
        """Return the implementation's answer for the header before the target, or None if it gives none."""
        return None

    @abstractmethod
    def write(self, content: Any) -> bytes:
        """Return the canonical bytes, as the reference writes them.

        Raises:
            Unencodable: there are none.
        """

    @abstractmethod
    def read(self, wire: bytes) -> Any:
        """Return the content, as the reference reads it strictly.

        Raises:
            Malformed: the bytes are invalid, or unspecified (then the reason is None).
        """

    @abstractmethod
    def spans(self, wire: bytes) -> tuple[Span, ...]:
        """Return the meaning of every byte for a lenient reader.

        Raises:
            Malformed: the bytes are invalid.
        """

    def judge(self, wire: bytes) -> Verdict:
        """Return the protocol's verdict on these bytes, with a content as its value.

        Outside of bodies only strict reading is defined. Bytes for which it gives no result are unspecified.
        """
        try:
            return Verdict(Result.VALID, (), ApacheKafka.ACCEPTS, value=self.read(wire))
        except Malformed as error:
            rules = (error.rule,)
            if error.reason is None:
                return Verdict(Result.UNSPECIFIED, rules, None)
            return Verdict(Result.INVALID, rules, ApacheKafka.REJECTS, error.reason, error.offset, error.path)
        except CodecError:  # a frame of an API that the release lacks, or of another message
            return Verdict(Result.UNSPECIFIED, (), None)

    def stop_of(self, wire: bytes) -> Malformed | None:  # noqa: ARG002  # only frames have unspecified parts
        """Return the error at which a lenient reader stops, or None if it reads everything."""
        return None

    def may_be_refused(self, wire: bytes) -> bool:  # noqa: ARG002  # only messages have fields of other versions
        """Return whether a writer may refuse the content of these valid bytes."""
        return False

    @abstractmethod
    def expected(self, implementation: Claims, content: Any) -> Any:
        """Return the parts of a written content that the implementation must read."""

    @abstractmethod
    def difference(self, implementation: Claims, expected: Any, actual: Any) -> Difference | None:
        """Return the first difference between the value read and the expected one.

        `actual` may be any object.
        """

    def consumed(self, outcome: Outcome) -> int | None:
        """Return the number of bytes read, as the implementation reports it, or None."""
        return outcome.consumed

    def missing(self, implementation: Claims, content: Any) -> str:  # noqa: ARG002  # only messages have fields
        """Return the path of a missing field that is not hidden, empty if there is none."""
        return ""

    def has_any_field(self, content: Any) -> bool:  # noqa: ARG002  # only messages have fields
        """Return whether a content has a field of its message, or may have none."""
        return True

    def corrected(self, content: Any, correct: Correct) -> Any:  # noqa: ARG002  # as above
        """Return a content with its value as `correct` returns it for the definition."""
        return content

    def restored(self, content: Any, names: frozenset[str]) -> Any:  # noqa: ARG002  # only messages have such fields
        """Return a content with each null replaced by its meaning under these representations."""
        return content

    @abstractmethod
    def to_json(self, content: Any) -> Any:
        """Return the JSON form of a content, as in the golden vectors."""

    @abstractmethod
    def from_json(self, form: Any) -> Any:
        """Return the content of a JSON form.

        Raises:
            NotJsonForm: it is not the form of such a content.
        """

    @abstractmethod
    def write_request(self, content: Any) -> Json:
        """Return the request of the bridge protocol to write a content."""

    def header_request(self) -> Json:
        """Return the request for the version of the header, which only frames have."""
        raise NotImplementedError

    @abstractmethod
    def read_request(self, wire: bytes) -> Json:
        """Return the request of the bridge protocol to read bytes."""

    @abstractmethod
    def parse(self, reply: Json) -> Any:
        """Return the content of a reply with a value.

        Raises:
            NotJsonForm: the value is not of this target.
        """


@dataclass(frozen=True)
class SchemaTarget(Target):
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

    def missing(self, implementation: Claims, content: Any) -> str:
        if isinstance(content, StoredMessage) and (content.message, content.version) != (self.message, self.version):
            return ""
        value = content.value if isinstance(content, FrameContent | StoredMessage) else content
        return implementation.hidden.missing(self.schema, value)

    def may_be_refused(self, wire: bytes) -> bool:
        content = self.read(wire)
        value = content.value if isinstance(content, FrameContent | StoredMessage) else content
        return has_nan_elsewhere(self.schema.body, value)

    def has_any_field(self, content: Any) -> bool:
        value = content.value if isinstance(content, FrameContent | StoredMessage) else content
        names = {field.name for field in (*self.schema.fields, *self.schema.absent_fields)}
        return not names or not isinstance(value, dict) or not names.isdisjoint(value)

    def corrected(self, content: Any, correct: Correct) -> Any:
        if isinstance(content, StoredMessage) and (content.message, content.version) != (self.message, self.version):
            return content
        if isinstance(content, FrameContent | StoredMessage):
            return replace(content, value=correct(self.schema.body, content.value))
        return correct(self.schema.body, content)

    def restored(self, content: Any, names: frozenset[str]) -> Any:
        if isinstance(content, FrameContent | StoredMessage):
            return replace(content, value=restored(self.schema, content.value, names))
        return restored(self.schema, content, names)


def are_equal(expected: Any, actual: Any) -> bool:
    """Return whether two values of a wire type have the same types and contents.

    Pairs may be tuples or lists.
    """
    return same_value(_with_tuples(expected), _with_tuples(actual))


def _with_tuples(value: Any) -> Any:
    if isinstance(value, list):
        return [tuple(item) if isinstance(item, list) else item for item in value]
    return value


def pair(schema: MessageSchema) -> Json:
    """Return the members of a request with message and version."""
    return {"message": schema.message, "version": schema.version}


def part(name: str, expected: Any, actual: Any) -> Difference:
    """Return a difference in one attribute of a content."""
    return Difference(name, getattr(expected, name), getattr(actual, name), "value")


def kept(implementation: Claims, schema: MessageSchema, value: Any) -> Any:
    """Return the parts of a body that the implementation claims to keep when it reads.

    The others are at their defaults.
    """
    return implementation.hidden.without(schema, implementation.judged(value))


def body_difference(implementation: Claims, schema: MessageSchema, expected: Any, actual: Any) -> Difference | None:
    """Compare the parts of two bodies that the implementation claims to keep."""
    sides = kept(implementation, schema, expected), kept(implementation, schema, actual)
    return difference(schema, *sides, absent=implementation.takes_absent_fields)
