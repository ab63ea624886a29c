"""The contract between the suite and an implementation.

An adapter connects one implementation to the suite. It is a module, an object, or a class or function without arguments
that makes one. It has the members of `Adapter`, and those of `Encodes` or `Decodes` or both. Everything else is
optional. An adapter for record batches alone has a function of `KnowsRecords`, and may leave out all of these.
docs/tutorials/python-codec.md has a complete small adapter.

An adapter need not inherit from the protocols below; they are for mypy. The suite loads the adapter, checks its members
before the first test, and raises `AdapterError` for a mistake (`conformance.codec.bridge.loading`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from reference import ConformanceError
from reference.paths import joined
from reference.suggestions import closed

if TYPE_CHECKING:
    from reference import MessageSchema, Release

Direction = Literal["encode", "decode"]
DIRECTIONS: tuple[Direction, ...] = ("encode", "decode")

CAPABILITIES = frozenset({"unknown-tags", "absent-fields", "partial-values"})
"""Abilities not visible from the functions of an adapter.

`unknown-tags`: unknown tagged fields are kept on decode and written on encode, under the key `"_tags"`. In frames,
those of the header are `header_tags`.
`absent-fields`: `encode` accepts values with fields from other versions of the message.
`partial-values`: `encode` accepts values without some tagged and ignorable fields, and writes their defaults.
"""

REPRESENTATIONS = {
    "absent-struct-as-null": "a tagged struct that may not be null is null when it is absent",
    "null-array-as-empty": "null for an array that may not be null in version 0 is written as an empty array",
    "zero-uuid-as-null": "a uuid of zeros is null",
}
"""Meanings of null in fields that may not be null; no information is lost by them.

An adapter lists some of these names as `representations`. The suite then compares under that reading. A null from
`decode` counts as the value that it stands for, and a null given to `encode` must be written as that value. Summary and
report list the names.
"""

Value = dict[str, Any]
"""A message as plain Python. Keys are the field names of the definition."""

Versions = Mapping[str, Iterable[int]]
"""Message names, as in the definitions, with their versions."""


class Unsupported(Exception):  # no name in -Error: it is an answer, not an error
    """The adapter does not offer a message, version or direction. The suite skips and counts the case."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unrepresentable(Exception):  # as above
    """The types of the implementation cannot hold a legal value.

    `encode` raises it. The suite skips and counts the case.

    Attributes:
        reason: why the value does not fit.
        path: the field, as `Topics[0].Name`; empty for the message itself.
    """

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(reason, path)
        self.reason = reason
        self.path = path

    def under(self, place: str) -> Unrepresentable:
        """Return the same answer with the path seen from the parent, where `place` is the field, or as `[0]`."""
        return Unrepresentable(self.reason, joined(place, self.path))

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


class AdapterError(ConformanceError):
    """The suite cannot use an adapter.

    Attributes:
        spec: the value of `--impl`.
        problem: what is wrong, and where.
        hint: what to do about it.
    """

    def __init__(self, spec: str, problem: str, hint: str) -> None:
        super().__init__(spec, problem, hint)
        self.spec = spec
        self.problem = problem
        self.hint = hint

    def __str__(self) -> str:
        return f"--impl={self.spec}: {self.problem}. {closed(self.hint)}"


@dataclass(frozen=True)
class Decoded:
    """A decoded value with the number of bytes read. `decode` may return it in place of a bare value."""

    value: Any
    consumed: int | None = None
    """The number of bytes read; None if the implementation does not report it."""


@dataclass(frozen=True)
class FrameContent:
    """The content of a frame, apart from the identity of its message.

    `decode_frame` may return any object with these attributes.
    """

    correlation_id: Any
    client_id: Any
    """None if the header has none, as in a response. The null id of a request may also be read as the empty text."""
    value: Any
    header_tags: Any = None
    """The unknown tagged fields of the header, `[(tag, bytes), ...]`; None or left out if not reported."""
    consumed: Any = None
    """The number of bytes of the frame, its size included; None or left out if not reported."""


@dataclass(frozen=True)
class StoredMessage:
    """A message from storage. `decode_prefixed` and `decode_record` may return any object with these attributes."""

    message: Any
    """The name of the message, as in the definitions."""
    version: Any
    value: Any


class Adapter(Protocol):
    """The members of every adapter. `name` defaults to the name of the module, `version` to "unknown"."""

    name: str
    """The implementation's name, as reports show it."""

    version: str
    """The implementation's version, as reports show it."""

    def supported(self) -> Versions | Mapping[str, Versions]:
        """Return the messages and versions of the implementation.

        The result has message names with their versions: `{"FetchRequest": range(4, 18)}`. If the directions differ,
        the result has a mapping for each: `{"encode": {...}, "decode": {...}}`.
        """


class Declares(Protocol):
    """An adapter with more facts about its implementation. Each member may be left out."""

    capabilities: frozenset[str]
    """Some of the names in `CAPABILITIES`."""

    representations: frozenset[str]
    """Some of the names in `REPRESENTATIONS`."""

    hidden: Mapping[str, Sequence[str]]
    """Fields that the implementation drops when it reads a message. They are not compared.

    An example: `{"FetchResponse": ["Responses.TopicId:13"]}` for this field in version 13.
    """

    limits: Mapping[str, int]
    """Size limits of the implementation for input that the protocol allows: `{"tags": 64, "tag-bytes": 65_536}`.

    The names are `tags` (in one tag section), `tag-bytes` (of one tagged field), `elements` (of one array),
    `array-bytes` (of one array), and `decompressed-bytes` (from one compressed stream).
    """

    notes: Sequence[str]
    """Sentences for summary and report, for example about a class without tests."""

    def describe(self) -> Mapping[str, Any]:
        """Return the implementation's own schema in the form of Kafka's definitions (docs/reference/bridge.md)."""


class Encodes(Protocol):
    """An adapter with an encoder of messages."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """Return the bytes of one message body, without size and header.

        Raises:
            Unsupported: the adapter does not offer this message, version or direction.
            Unrepresentable: the types of the implementation cannot hold the value.
            Exception: the implementation refuses to write the value. Any exception counts as a refusal, except
                MemoryError and RecursionError, which are failures.
        """


class Decodes(Protocol):
    """An adapter with a decoder of messages."""

    def decode(self, schema: MessageSchema, data: bytes) -> Value | Decoded:
        """Return the value of one message body.

        The value has every field of the version, tagged fields included.

        Raises:
            Unsupported: the adapter does not offer this message, version or direction.
            Exception: the implementation rejects the bytes. Any exception counts as a refusal, except MemoryError and
                RecursionError, which are failures.
        """


class Rejects(Protocol):
    """An adapter that explains refusals."""

    rejections: tuple[type[Exception], ...]
    """The exceptions of refusals on purpose. Others count as a refusal as well, but the report lists them."""

    def classify(self, exception: Exception) -> str | None:
        """Return why `decode` rejected bytes, as the text of a `reference.Reason`, or None. It may be left out."""


class Sizes(Protocol):
    """An adapter of an implementation that computes sizes."""

    def size(self, schema: MessageSchema, value: Value) -> int:
        """Return the number of bytes that `encode` will write for a value."""


class Frames(Protocol):
    """An adapter of an implementation with headers."""

    def header_version(self, api_key: int, api_version: int, direction: str) -> int:
        """Return the version of the header before a message. `direction` is "request" or "response"."""

    def encode_frame(  # noqa: PLR0913, PLR0917  # what a frame consists of
        self,
        release: Release,
        direction: str,
        api_key: int,
        api_version: int,
        correlation_id: int,
        client_id: str | None,
        value: Value,
        *,
        header_tags: Sequence[tuple[int, bytes]] = (),
    ) -> bytes:
        """Return size, header and body of one message.

        `header_tags` are the unknown tagged fields of the header, by tag and bytes; Kafka defines none of them up to
        4.4.0. The suite passes the argument only if there are any, and only under the capability `unknown-tags`. A
        function without the capability needs no such argument.
        """

    def decode_frame(
        self, release: Release, direction: str, api_key: int, api_version: int, data: bytes
    ) -> FrameContent:
        """Return the content of a frame, the inverse of `encode_frame`.

        The frame is at the beginning of `data`, its size included. Further bytes are of the next frame and are left
        alone.

        Raises:
            Unsupported: the adapter does not offer this message, version or direction.
            Exception: the implementation rejects the bytes, as in `Decodes.decode`.
        """


class StoresPrefixed(Protocol):
    """An adapter with messages after an int16 prefix, of the schema kinds "data" and "coordinator-..."."""

    def encode_prefixed(self, schema: MessageSchema, value: Value) -> bytes:
        """Return the prefix and the body of a message. Raises the exceptions of `encode`.

        The prefix is the version, for coordinator keys the type.
        """

    def decode_prefixed(self, release: Release, message: str, data: bytes) -> StoredMessage:
        """Return the message of a prefix and a body, the inverse of `encode_prefixed`.

        The version comes from the bytes; a coordinator key has only one. Raises the exceptions of `decode`.
        """


class StoresRecords(Protocol):
    """An adapter of an implementation with records of the metadata log, the schema kind "metadata"."""

    def encode_record(self, schema: MessageSchema, value: Value) -> bytes:
        """Return frame version, type, version and body of one record. Raises the exceptions of `encode`."""

    def decode_record(self, release: Release, source: str, data: bytes) -> StoredMessage:
        """Return the message of one record alone, the inverse of `encode_record`. Raises the exceptions of `decode`.

        `source` is the Kafka module with the record's log, as `kafka-metadata`. Each module numbers its types anew.
        """


class Primitives(Protocol):
    """An adapter of an implementation with access to single wire types."""

    def encode_primitive(self, name: str, value: Any) -> bytes:
        """Return the bytes of one value of a wire type, such as `unsigned-varint`."""

    def decode_primitive(self, name: str, data: bytes) -> Any:
        """Return the value of one wire type, bare or as `Decoded`."""


class KnowsRecords(Protocol):
    """An adapter of an implementation with record batches, the contents of a `records` field.

    A value is the dict of `reference.decode_records`; docs/reference/records.md lists its members.
    """

    records: Mapping[str, Any]
    """The implementation's batches, in the words of `conformance.targets.record_claims`. It may be left out."""

    def encode_records(self, value: Value) -> bytes:
        """Return the batches of a whole field, without its length. Raises the exceptions of `encode`."""

    def decode_records(self, data: bytes) -> Value | Decoded:
        """Return the batches of a whole field, and the incomplete one at its end. Raises the exceptions of `decode`."""
