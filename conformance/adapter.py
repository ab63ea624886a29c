"""The contract between the suite and an implementation: what an adapter is, and the words it answers with.

An adapter is a module, an object, or a class without arguments, with the members of `Adapter` and of at least one
of `Encodes` and `Decodes`. Everything else is optional. docs/tutorials/python-codec.md has a whole one.

Nobody needs to inherit from the protocols below: mypy can check against them. `conformance.codec.bridge.loading` finds
an adapter and says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from reference import ConformanceError
from reference.paths import joined

if TYPE_CHECKING:
    from reference import MessageSchema, Release

Direction = Literal["encode", "decode"]
DIRECTIONS: tuple[Direction, ...] = ("encode", "decode")

CAPABILITIES = frozenset({"unknown-tags", "absent-fields", "partial-values"})
"""What cannot be told from the presence of a function.

`unknown-tags`: unknown tagged fields are kept on decode and written on encode, under the key `"_tags"`; those of a
header, if there are frames, as `header_tags`.
`absent-fields`: `encode` may be handed fields that the message has only in other versions.
`partial-values`: `encode` may be handed values that leave out tagged and ignorable fields: they are at their defaults.
"""

REPRESENTATIONS = {
    "absent-struct-as-null": "a tagged struct that may not be null is null when it is absent",
    "null-array-as-empty": "null for an array that may not be null in version 0 is written as an empty array",
    "zero-uuid-as-null": "a uuid of zeros is null",
}
"""What null may stand for in an implementation, in fields that may not be null: each loses nothing.

An adapter lists some of these names as `representations`. The suite compares under that reading: null that was read is
the value that it stands for, null that was handed over must be written as that value. Summary and report list them.
"""

Value = dict[str, Any]
"""A message as plain Python: keys are the field names of the definition."""

Versions = Mapping[str, Iterable[int]]
"""Message names, as in the definitions, and their versions."""


class Unsupported(Exception):  # it is an answer, not an error
    """Raised by an adapter: this is not offered. The case is skipped and counted."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unrepresentable(Exception):  # it is an answer, not an error
    """Raised by `encode`: a legal value that the types of the implementation cannot hold. Skipped and counted.

    Attributes:
        reason: why it cannot.
        path: the field, as `Topics[0].Name`; empty for the message itself.
    """

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(reason, path)
        self.reason = reason
        self.path = path

    def under(self, place: str) -> Unrepresentable:
        """The same answer, seen from what holds the field: `place` is a field's name, or `[0]`."""
        return Unrepresentable(self.reason, joined(place, self.path))

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.path else self.reason


class AdapterError(ConformanceError):
    """An adapter that cannot be used.

    Attributes:
        spec: what was given to `--impl`.
        problem: what is wrong, and where.
        remedy: what to do about it.
    """

    def __init__(self, spec: str, problem: str, remedy: str) -> None:
        super().__init__(spec, problem, remedy)
        self.spec = spec
        self.problem = problem
        self.remedy = remedy

    def __str__(self) -> str:
        return f"--impl={self.spec}: {self.problem}. {self.remedy}."


@dataclass(frozen=True)
class Decoded:
    """What `decode` may return, in place of a bare value, to say how many bytes the message took."""

    value: Any
    consumed: int | None = None
    """The number of bytes read; None if the implementation does not tell."""


@dataclass(frozen=True)
class FrameContent:
    """What a frame says, beside which message it is. `decode_frame` may return any object with these attributes."""

    correlation_id: Any
    client_id: Any
    """None if the header has none; a response never has one."""
    value: Any
    header_tags: Any = None
    """The unknown tagged fields of the header, `[(tag, bytes), ...]`; None, or left out, if they are not told."""
    consumed: Any = None
    """The number of bytes that the frame takes, its size included; None, or left out, if it is not told."""


@dataclass(frozen=True)
class StoredMessage:
    """A message as it is stored, read. `decode_prefixed` and `decode_record` may return any object like this."""

    message: Any
    """The name of the message, as in the definitions."""
    version: Any
    value: Any


class Adapter(Protocol):
    """What every adapter has. `name` and `version` have defaults: the module's name, and "unknown"."""

    name: str
    """The implementation's name, as reports show it."""

    version: str
    """The implementation's version, as reports show it."""

    def supported(self) -> Versions | Mapping[str, Versions]:
        """What the implementation offers: `{"FetchRequest": range(4, 18)}`.

        Where the directions differ: `{"encode": {...}, "decode": {...}}`.
        """


class Declares(Protocol):
    """An adapter that says more of its implementation; each member may be left out."""

    capabilities: frozenset[str]
    """Some of `CAPABILITIES`."""

    representations: frozenset[str]
    """Some of `REPRESENTATIONS`."""

    hidden: Mapping[str, Sequence[str]]
    """Fields that are dropped when a message is read: `{"FetchResponse": ["Responses.TopicId:13"]}`; not compared."""

    limits: Mapping[str, int]
    """Sizes beyond which it refuses what the protocol allows: `{"tags": 64, "tag-bytes": 65_536}`.

    The names are `tags` in a section, `tag-bytes` of one, `elements` of an array, `array-bytes` of one, and
    `decompressed-bytes` out of a stream.
    """

    notes: Sequence[str]
    """Sentences for summary and report, as about a class that cannot be tested."""

    def describe(self) -> Mapping[str, Any]:
        """Its own schema in the words of Kafka's definition files, as docs/reference/bridge.md has them."""


class Encodes(Protocol):
    """An adapter that writes messages."""

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        """The bytes of one message body: no size, no header.

        Raises:
            Unsupported: this message, version or direction is not offered.
            Unrepresentable: the implementation's types cannot hold the value.
            Exception: any other: the implementation refuses to write the value.
        """


class Decodes(Protocol):
    """An adapter that reads messages."""

    def decode(self, schema: MessageSchema, data: bytes) -> Value | Decoded:
        """The value of one message body: every field of the version is there, tagged ones included.

        Raises:
            Unsupported: this message, version or direction is not offered.
            Exception: any other: the implementation rejects the bytes.
        """


class Rejects(Protocol):
    """An adapter that says how its implementation refuses."""

    rejections: tuple[type[Exception], ...]
    """The exceptions by which it refuses. Others count as a refusal as well, but the report shows them."""

    def classify(self, exception: Exception) -> str | None:
        """Why `decode` rejected bytes, in the words of `reference.Reason`; None if it cannot be told. Optional."""


class Sizes(Protocol):
    """An adapter of an implementation that computes sizes."""

    def size(self, schema: MessageSchema, value: Value) -> int:
        """How many bytes `encode` will write."""


class Frames(Protocol):
    """An adapter of an implementation that knows headers."""

    def header_version(self, api_key: int, api_version: int, direction: str) -> int:
        """The version of the header before a message; `direction` is "request" or "response"."""

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
        """Size, header and body of one message.

        `header_tags`, the tagged fields of the header by tag and bytes (up to 4.4.0 it knows none), is handed over only
        if there are any, and only under the capability `unknown-tags`: without it the function needs no such argument.
        """

    def decode_frame(
        self, release: Release, direction: str, api_key: int, api_version: int, data: bytes
    ) -> FrameContent:
        """What is in the bytes that `encode_frame` writes; `data` begins with one frame, its size included.

        Bytes behind it are of the next frame, and are left alone.

        Raises:
            Unsupported: this message, version or direction is not offered.
            Exception: any other: the implementation rejects the bytes.
        """


class StoresPrefixed(Protocol):
    """An adapter of an implementation that knows messages behind an int16: schema kinds "data", "coordinator-..."."""

    def encode_prefixed(self, schema: MessageSchema, value: Value) -> bytes:
        """The version, for coordinator keys the type, and the body; raises as `encode`."""

    def decode_prefixed(self, release: Release, message: str, data: bytes) -> StoredMessage:
        """What is in the bytes that `encode_prefixed` writes; raises as `decode`.

        The version is what they say; a key's is its only one.
        """


class StoresRecords(Protocol):
    """An adapter of an implementation that knows the records of the metadata log: schema kind "metadata"."""

    def encode_record(self, schema: MessageSchema, value: Value) -> bytes:
        """Frame version, type, version and body of one record; raises as `encode`."""

    def decode_record(self, release: Release, source: str, data: bytes) -> StoredMessage:
        """What is in the bytes that `encode_record` writes; raises as `decode`.

        `data` is one record, and nothing else. `source` is the module whose log it is from, as `kafka-metadata`: each
        numbers its types anew.
        """


class Primitives(Protocol):
    """An adapter of an implementation whose single wire types can be reached."""

    def encode_primitive(self, name: str, value: Any) -> bytes:
        """The bytes of one value of the wire type of that name, as `unsigned-varint`."""

    def decode_primitive(self, name: str, data: bytes) -> Any:
        """The value, or `Decoded`, of one wire type."""


class KnowsRecords(Protocol):
    """An adapter of an implementation that knows record batches, the contents of a `records` field.

    A value is the dict of `reference.decode_records`; docs/reference/records.md says which members it has.
    """

    records: Mapping[str, Any]
    """What it takes and shows, in the words of `conformance.codec.record_claims`; may be left out."""

    def encode_records(self, value: Value) -> bytes:
        """The batches of a whole field, without its length; raises as `encode`."""

    def decode_records(self, data: bytes) -> Value | Decoded:
        """The batches of a whole field, and the incomplete one at its end; raises as `decode`."""
