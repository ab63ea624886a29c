"""One call of an implementation, the base class of every target, and functions shared by several."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from conformance.adapter import Decoded
from conformance.targets.given_types import word_of
from conformance.targets.outcome import Kind, Outcome
from conformance.targets.plain_values import PLAIN, UnsupportedType, describe, plain, short_repr
from reference import ApacheKafka, CodecError, Difference, Malformed, Result, Verdict
from reference.paths import field_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.generate.origin import CaseOrigin
    from conformance.targets.claims import Claims
    from reference import FieldSchema, Span

    Contents = Iterator[tuple[CaseOrigin, Any]]
    Damages = Iterator[tuple[CaseOrigin, bytes]]
    Correct = Callable[[FieldSchema, Any], Any]

Json = dict[str, Any]

ENCODE: Final = "encode"
DECODE: Final = "decode"
SIZE: Final = "size"
HEADER: Final = "header-version"


class Ask(NamedTuple):
    """One call of an implementation.

    Attributes:
        what: `ENCODE`, `DECODE`, `SIZE` or `HEADER`.
        target: the thing on the wire.
        content: a content of the target, or bytes.
        name: the name of the answer in its case, if it has one of its own; else empty.
        isolated: whether the bytes may be invalid. They are read where a crash costs one outcome.
        here: whether valid bytes are read in the process that writes, wherever others are.
        hang_group: the hang group of the input; empty for none.
    """

    what: str
    target: Target
    content: Any = None
    name: str = ""
    isolated: bool = False
    hang_group: str = ""
    here: bool = False

    @property
    def key(self) -> str:
        """The name of its answer."""
        return self.name or self.what

    @property
    def request(self) -> Json:
        """The request of the bridge protocol."""
        target, what = self.target, self.what
        request = {"op": target.function(what).replace("_", "-"), **target.identity(what)}
        if what == DECODE:
            request["wire"] = self.content.hex()
        elif what != HEADER:
            request |= target.members(self.content)
        return request


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

    def __str__(self) -> str:
        return self.pair

    @property
    @abstractmethod
    def folder(self) -> str:
        """The folder of its golden vectors.

        It is `messages`, `headers`, `frames`, `stored`, `records` or `primitives`.
        """

    content_class: ClassVar[type[Any] | None] = None
    """The class of the contract for a message with its surroundings."""

    @abstractmethod
    def function(self, what: str) -> str:
        """Return the name of the adapter's function, such as `encode_frame`, or no name of one."""

    def is_offered(self, claims: Claims, what: str) -> bool:
        """Return whether an implementation has a function for it."""
        return self.function(what) in claims.functions

    @abstractmethod
    def arguments(self, what: str, content: Any) -> tuple[Any, ...]:
        """Return the arguments of the adapter's function, the bytes last if it reads."""

    def keywords(self, content: Any) -> dict[str, Any]:  # noqa: ARG002  # only frames have some
        """Return further arguments of the function that writes."""
        return {}

    def unasked(self, ask: Ask, claims: Claims) -> Outcome | None:  # noqa: ARG002  # only frames keep some calls back
        """Return the outcome of a call that an implementation does not get, or None if it gets it."""
        return None

    def taken(self, what: str, returned: Any) -> Outcome:
        """Return the outcome of a call of the adapter's function with this result, which may be any object."""
        if what == DECODE:
            return self._read(returned) if self.content_class is None else self._surrounded(returned)
        if what == ENCODE:
            if isinstance(returned, bytes | bytearray | memoryview):
                return Outcome(Kind.BYTES, wire=memoryview(returned).tobytes())
            return self.other(what, returned, "bytes")
        is_number = isinstance(returned, int) and not isinstance(returned, bool)
        return Outcome(Kind.VALUE, value=int.__int__(returned)) if is_number else self.other(what, returned, "an int")

    def other(self, what: str, returned: Any, expected: str) -> Outcome:
        """Return the outcome of a result of another type."""
        text = f"{self.function(what)} returned {type(returned).__name__}, not {expected}"
        return Outcome(Kind.PROTOCOL_ERROR, text=text)

    def _read(self, returned: Any) -> Outcome:
        """Return the outcome with a plain value and a valid count."""
        read = returned if isinstance(returned, Decoded) else Decoded(returned)
        if read.consumed is not None and type(read.consumed) is not int:
            given = f"{self.function(DECODE)} returned Decoded(consumed={short_repr(read.consumed)})"
            return Outcome(Kind.PROTOCOL_ERROR, text=f"{given}, not a number of bytes or None")
        try:
            return self.checked(Outcome(Kind.VALUE, value=plain(read.value), consumed=read.consumed))
        except UnsupportedType as error:
            return _not_plain(self.function(DECODE), error, self.defined)

    def _surrounded(self, returned: Any) -> Outcome:
        """Return the outcome with the contract's own class, which has plain attributes."""
        form: Any = self.content_class
        try:
            parts = {field.name: plain(_attribute(returned, field)) for field in fields(form)}
        except (UnsupportedType, Exception) as error:  # noqa: BLE001  # an attribute may be foreign code
            return _not_plain(self.function(DECODE), error)
        return Outcome(Kind.VALUE, value=form(**parts))

    def checked(self, outcome: Outcome) -> Outcome:
        """Return the outcome of reading, a mistake of the adapter unless its value is of this target."""
        if self.content_class is None or outcome.kind is not Kind.VALUE or outcome.text:
            return outcome
        return self.taken(DECODE, outcome.value)

    @property
    def defined(self) -> FieldSchema | None:
        """The definition of its value, if the value is a message and nothing else."""
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

    def observed(self, wire: bytes) -> Verdict:
        """Return the verdict with the behaviour of Apache Kafka's own reader, if it is known."""
        return self.judge(wire)

    def stop_of(self, wire: bytes) -> Malformed | None:  # noqa: ARG002  # only frames have unspecified parts
        """Return the error at which a lenient reader stops, or None if it reads everything."""
        return None

    def may_be_refused(self, wire: bytes) -> bool:  # noqa: ARG002  # only messages have fields of other versions
        """Return whether a writer may refuse the content of these valid bytes."""
        return False

    @abstractmethod
    def expected(self, claims: Claims, content: Any) -> Any:
        """Return the parts of a written content that the implementation must read."""

    @abstractmethod
    def difference(self, claims: Claims, expected: Any, actual: Any) -> Difference | None:
        """Return the first difference between the value read and the expected one.

        `actual` may be any object.
        """

    def is_read(self, claims: Claims, content: Any, outcome: Outcome) -> bool:
        """Return whether an outcome has a written content, in the parts that the implementation claims to keep."""
        is_value = outcome.kind is Kind.VALUE
        return is_value and self.difference(claims, self.expected(claims, content), outcome.value) is None

    def judged(self, claims: Claims, content: Any) -> Any:  # noqa: ARG002  # only messages have unknown tags
        """Return the judged part of a content, which is written."""
        return content

    def consumed(self, outcome: Outcome) -> int | None:
        """Return the number of bytes read, as the implementation reports it, or None."""
        return outcome.consumed

    def missing(self, claims: Claims, content: Any) -> str:  # noqa: ARG002  # only messages have fields
        """Return the path of a missing field that is not hidden, empty if there is none."""
        return ""

    def has_any_field(self, content: Any) -> bool:  # noqa: ARG002  # only messages have fields
        """Return whether a content has a field of its message, or may have none."""
        return True

    def corrected(self, content: Any, correct: Correct) -> Any:  # noqa: ARG002  # only messages have fields
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
    def identity(self, what: str) -> Json:
        """Return the members of a request that name the target."""

    def members(self, content: Any) -> Json:
        """Return the members of a request to write with a content."""
        return {"value": self.to_json(content)}

    def parse(self, reply: Json) -> Any:
        """Return the content of a reply with a value.

        Raises:
            NotJsonForm: the value is not of this target.
        """
        return self.from_json(reply["value"])

    def reply(self, outcome: Outcome) -> Json:
        """Return the members of a reply with a value, the inverse of `parse`.

        Raises:
            Exception: the value has no JSON form.
        """
        return {"value": self.to_json(outcome.value), "consumed": outcome.consumed}


def _not_plain(name: str, error: Exception, defined: FieldSchema | None = None) -> Outcome:
    """Return the outcome of an answer with unreadable parts."""
    returned = error if isinstance(error, UnsupportedType) else describe(error)
    field = field_at(defined, error.path) if defined and isinstance(error, UnsupportedType) and error.path else None
    beside = f", where the definition has {word_of(field)}" if field else ""
    return Outcome(Kind.PROTOCOL_ERROR, text=f"{name} returned {returned}{beside}; {PLAIN}")


def _attribute(returned: Any, field: Field[Any]) -> Any:
    """Return the attribute, or its default if it is missing.

    An AttributeError from inside a property does not make it missing.
    """
    try:
        return getattr(returned, field.name)
    except AttributeError as error:
        if field.default is MISSING or error.obj is not returned:
            raise
        return field.default
