"""What vectors are about, as an implementation sees it: a message, a frame, a stored message, or a wire type alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from conformance.adapter import FrameContent, StoredMessage
from conformance.golden.parts import FRAME, PRIMITIVE, STORED, Part
from conformance.implementation import targets
from conformance.implementation.outcome import Kind, Outcome
from conformance.implementation.targets import StoredForm, Target
from conformance.implementation.targets import WholeFrame as FrameTarget
from reference import (
    TAGS,
    MessageSchema,
    Primitive,
    difference,
    from_json,
    header_schema,
    load_release,
    primitive,
)
from reference.values.comparison import float_bits

if TYPE_CHECKING:
    from conformance.implementation.driver import Implementation


class Subject(Protocol):
    """One thing that an implementation reads and writes. Values are in the JSON form of the vectors."""

    @property
    def target(self) -> Target:
        """What the child is asked to read."""

    @property
    def is_read(self) -> bool:
        """Whether the implementation says that it can."""

    def read(self, wire: bytes) -> Outcome:
        """Have it read, in this process."""

    def write(self, form: Any) -> Outcome:
        """Have it write."""

    def size(self, form: Any) -> int | Outcome | None:
        """How many bytes it says that it will write; None if it says nothing."""

    def consumed(self, outcome: Outcome) -> int | None:
        """How many bytes it says that it has read; None if it says nothing."""

    def other(self, form: Any, outcome: Outcome) -> str | None:
        """Where what was read is not that value."""


def subject_of(implementation: Implementation, part: Part) -> Subject:
    """What a group of vectors is about."""
    if part.kind == PRIMITIVE:
        return WireType(implementation, primitive(part.message))
    release = load_release(part.release)
    schema = release.schema(part.message, part.version)
    if part.kind == FRAME:
        return WholeFrame(implementation, FrameTarget(schema, release))
    return Stored(implementation, StoredForm(schema, release)) if part.kind == STORED else Body(implementation, schema)


class Body:
    """A message without anything around it."""

    def __init__(self, implementation: Implementation, schema: MessageSchema) -> None:
        self._implementation = implementation
        self._schema = schema
        self.target: Target = targets.Body(schema)
        self.is_read = implementation.offers("decode", schema)

    def read(self, wire: bytes) -> Outcome:
        """As `Subject`."""
        return self._implementation.decode(self._schema, wire)

    def write(self, form: Any) -> Outcome:
        """As `Subject`."""
        if not self._implementation.offers("encode", self._schema):
            return Outcome(Kind.UNSUPPORTED)
        return self._implementation.encode(self._schema, from_json(self._schema, form))

    def size(self, form: Any) -> int | Outcome | None:
        """As `Subject`."""
        if self._implementation.adapter.size is None:
            return None
        return self._implementation.size(self._schema, from_json(self._schema, form))

    def consumed(self, outcome: Outcome) -> int | None:
        """As `Subject`."""
        return outcome.consumed

    def other(self, form: Any, outcome: Outcome) -> str | None:
        """As `Subject`."""
        return other_value(self._implementation, self._schema, form, outcome.value)


def other_value(implementation: Implementation, schema: MessageSchema, form: Any, actual: Any) -> str | None:
    """Where a value is not the one of a JSON form, as far as the implementation says that it keeps it."""
    expected, judged = implementation.judged(from_json(schema, form)), implementation.judged(actual)
    found = difference(schema, expected, judged, absent=implementation.takes_absent_fields)
    if found is None:
        return None
    return f"{found.path or 'the message'} is {found.actual!r:.80}, not {found.expected!r:.80}"


class WholeFrame:
    """A request or response with its size and header."""

    def __init__(self, implementation: Implementation, target: FrameTarget) -> None:
        schema = target.schema
        self._implementation = implementation
        direction = schema.direction
        self._header = header_schema(target.release, direction, schema.api_key or 0, schema.version)
        self.target = target
        self.is_read = implementation.adapter.decode_frame is not None

    def read(self, wire: bytes) -> Outcome:
        """As `Subject`."""
        return self.target.decode(self._implementation, wire)

    def write(self, form: Any) -> Outcome:
        """As `Subject`."""
        return self._implementation.encode_frame(self.target.release, self.target.schema, self._content(form))

    def size(self, _form: Any) -> None:
        """No adapter announces the size of frames."""

    def consumed(self, outcome: Outcome) -> int | None:
        """As `Subject`."""
        count: int | None = outcome.value.consumed
        return count

    def other(self, form: Any, outcome: Outcome) -> str | None:
        """As `Subject`."""
        expected, actual = self._content(form), outcome.value
        for name in ("correlation_id", "client_id"):
            ours, theirs = getattr(expected, name), getattr(actual, name)
            if ours != theirs:
                return f"{name} is {theirs!r:.80}, not {ours!r:.80}"
        told = None if actual.header_tags is None else comparable(list(actual.header_tags))
        if self._implementation.keeps_unknown_tags and told not in (None, comparable(list(expected.header_tags))):
            return f"header_tags are {actual.header_tags!r:.80}, not {expected.header_tags!r:.80}"
        return other_value(self._implementation, self.target.schema, form["body"], actual.value)

    def _content(self, form: Any) -> FrameContent:
        header = from_json(self._header, form["header"])
        tags = header.get(TAGS, [])
        body = from_json(self.target.schema, form["body"])
        return FrameContent(header["CorrelationId"], header.get("ClientId"), body, tags)


class Stored:
    """A message behind what says which it is."""

    def __init__(self, implementation: Implementation, target: StoredForm) -> None:
        self._implementation = implementation
        self.target = target
        self.is_read = getattr(implementation.adapter, f"decode_{target.form}") is not None

    def read(self, wire: bytes) -> Outcome:
        """As `Subject`."""
        return self.target.decode(self._implementation, wire)

    def write(self, form: Any) -> Outcome:
        """As `Subject`."""
        return self._implementation.encode_stored(self.target.schema, from_json(self.target.schema, form))

    def size(self, _form: Any) -> None:
        """No adapter announces the size of stored messages."""

    def consumed(self, _outcome: Outcome) -> None:
        """No adapter says it: a stored message is all there is."""

    def other(self, form: Any, outcome: Outcome) -> str | None:
        """As `Subject`."""
        schema, read = self.target.schema, outcome.value
        assert isinstance(read, StoredMessage)  # noqa: S101  # what decode_framed gives
        if (read.message, read.version) != (schema.message, schema.version):
            return f"it is {read.message!r:.80} version {read.version!r:.80}, not {schema}"
        return other_value(self._implementation, schema, form, read.value)


class WireType:
    """One value of a wire type alone."""

    def __init__(self, implementation: Implementation, target: Primitive) -> None:
        self._implementation = implementation
        self.primitive = target
        self.target: Target = targets.WireType(target)
        self.is_read = implementation.adapter.decode_primitive is not None

    def read(self, wire: bytes) -> Outcome:
        """As `Subject`."""
        return self._implementation.decode_primitive(self.primitive.name, wire)

    def write(self, form: Any) -> Outcome:
        """As `Subject`."""
        return self._implementation.encode_primitive(self.primitive.name, self.primitive.from_json(form))

    def size(self, _form: Any) -> None:
        """No adapter announces the size of wire types."""

    def consumed(self, outcome: Outcome) -> int | None:
        """As `Subject`."""
        return outcome.consumed

    def other(self, form: Any, outcome: Outcome) -> str | None:
        """As `Subject`."""
        expected, actual = self.primitive.from_json(form), outcome.value
        same = type(expected) is type(actual) and comparable(expected) == comparable(actual)
        return None if same else f"it is {actual!r:.80}, not {expected!r:.80}"


def comparable(value: Any) -> Any:
    """Floats by their bits, pairs as tuples."""
    if isinstance(value, list):
        return [tuple(each) if isinstance(each, list) else each for each in value]
    return float_bits(value) if isinstance(value, float) else value
