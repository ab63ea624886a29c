"""Expectations and observations of a case, as data.

`conformance.judge.findings.wording` makes texts of them for people. Long bytes and values are held by beginning, length
and hash, so that any process can compare two of them.
"""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct

from conformance.adapter import DIRECTIONS
from conformance.targets.outcome import Kind, Outcome

if TYPE_CHECKING:
    from reference import Difference

MAXIMUM_TEXT = 2_000
"""The largest number of characters of a value, or of hex digits of bytes, in an event."""

Hex = Annotated[str, Meta(pattern="^(?:[0-9a-f]{2})*$")]
Count = Annotated[int, Meta(ge=0)]


class Held(Struct, frozen=True, omit_defaults=True):
    """A text, held by its beginning, its length and its hash.

    Attributes:
        start: the whole text, or its beginning.
        length: its number of characters.
        sha256: the hash of a shortened text, else empty.
    """

    start: str
    length: Count
    sha256: str = ""

    @classmethod
    def of(cls, text: str) -> Held:
        """Return the held form of a text."""
        if len(text) <= MAXIMUM_TEXT:
            return cls(text, len(text))
        # A read text may have lone surrogates, which plain UTF-8 cannot encode.
        return cls(text[:MAXIMUM_TEXT], len(text), sha256(text.encode(errors="surrogatepass")).hexdigest())

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return not self.sha256


class Nothing(StrEnum):
    """The values that codecs confuse with one another."""

    NULL = "null"
    EMPTY = "empty"


class Shown(Struct, frozen=True, omit_defaults=True):
    """A value, held for display and comparison.

    Attributes:
        text: its `repr`.
        nothing: whether it is null or empty; None if it is neither.
    """

    text: Held
    nothing: Nothing | None = None

    @classmethod
    def of(cls, value: Any) -> Shown:
        """Return the shown form of a value of any type."""
        is_empty = value is not None and type(value) in {list, str, bytes} and not value
        nothing = Nothing.NULL if value is None else Nothing.EMPTY if is_empty else None
        return cls(Held.of(repr(value)), nothing)


class Expected(StrEnum):
    """The required result of a case."""

    BYTES = "bytes"
    """Write these bytes; any, if there are none."""
    SIZE = "size"
    """Announce the size that is written."""
    VALUE = "value"
    """Read this value."""
    FRAME = "frame"
    """Read a frame as it was written."""
    FIRST_FRAME = "first-frame"
    """Read the first of several frames alone."""
    ACCEPTANCE = "acceptance"
    """Read valid bytes."""
    CONSUMPTION = "consumption"
    """Count the bytes of the message and no others."""
    OWN_VALUE = "own-value"
    """Read what it wrote itself."""
    SAME_VALUE = "same-value"
    """Read the same each time."""
    VALUE_AS_BEFORE = "value-as-before"
    """Read the same after a failure."""
    REFUSAL = "refusal"
    """Refuse to write."""
    REJECTION = "rejection"
    """Refuse to read."""
    SURVIVAL = "survival"
    """Neither crash nor hang nor take memory out of proportion, whatever the input."""
    HEADER_VERSION = "header-version"
    """Choose this header."""
    RESPONSE = "response"
    """Answer in this version."""
    NO_RESPONSE = "no-response"
    """Answer the requests, and send nothing else."""
    ANSWERS_ASKED = "answers-asked"
    """Answer each requested thing, and no other."""
    RESPONSE_OR_ERROR = "response-or-error"
    """Answer in this version, or in another one with this error code."""
    RESPONSES = "responses"
    """Answer this number of requests."""
    ERROR_RESPONSE = "error-response"
    """Answer in this version, with this error code."""
    FRAME_REFUSAL = "frame-refusal"
    """Answer with an error, or close the connection."""
    CLOSED_CONNECTION = "closed-connection"
    ANNOUNCED_ONCE = "announced-once"
    """Announce each API once, with a valid range of versions."""
    CORRELATION_ID = "correlation-id"
    CORRELATION_IDS = "correlation-ids"
    NEXT_CONNECTION = "next-connection"
    """Serve the next connection."""
    OWN_MEMORY = "own-memory"
    """Take memory for received bytes, not for announced ones."""
    DESCRIPTORS = "descriptors"
    """Hold as many descriptors as before."""
    PLAIN_END = "plain-end"
    """End as with plain answers."""
    MESSAGE = "message"
    """Write this message."""
    REQUEST_HEADER = "request-header"
    FRAME_SIZE = "frame-size"
    """Write a size up to this one."""
    SOUND_RECORDS = "sound-records"
    TAKEN_BATCH = "taken-batch"
    """Write a batch that a broker accepts."""
    NOTHING_AFTER = "nothing-after"
    """Write this number of bytes, and nothing after them."""
    WRITABLE_VALUE = "writable-value"
    """Write a value that has bytes."""
    ANNOUNCED_VERSION = "announced-version"
    """Request an announced version."""
    ALLOWED_VALUE = "allowed-value"
    """Write a value allowed by the version of the message."""


OF_READERS = frozenset(
    (
        Expected.VALUE,
        Expected.FRAME,
        Expected.FIRST_FRAME,
        Expected.ACCEPTANCE,
        Expected.CONSUMPTION,
        Expected.OWN_VALUE,
        Expected.SAME_VALUE,
        Expected.VALUE_AS_BEFORE,
        Expected.REJECTION,
    )
)
"""The results required of readers only."""


def side_of(direction: str, expected: Expected) -> str:
    """Return the side with the broken rule, `decode` for a reader or `encode` for a writer.

    Around a body the direction does not decide it, but the expected result does.
    """
    return direction if direction in DIRECTIONS else "decode" if expected in OF_READERS else "encode"


class Expectation(Struct, frozen=True, omit_defaults=True):
    """The required result, with its data.

    Attributes:
        what: its kind.
        wire: bytes, in hex.
        path: the place in a value.
        value: the value at this place.
        numbers: sizes, versions or ids, depending on `what`.
        name: the name of a message.
    """

    what: Expected
    wire: Held | None = None
    path: str = ""
    value: Shown | None = None
    numbers: tuple[int, ...] = ()
    name: str = ""

    @property
    def length(self) -> int:
        """The number of characters to compare.

        Of two cases the one with fewer is easier to read.
        """
        value = 0 if self.value is None else len(self.path) + self.value.text.length
        return (self.wire.length if self.wire else 0) + value


SURVIVAL = Expectation(Expected.SURVIVAL)
REJECTION = Expectation(Expected.REJECTION)
REFUSAL = Expectation(Expected.REFUSAL)
ACCEPTANCE = Expectation(Expected.ACCEPTANCE)
FRAME_REFUSAL = Expectation(Expected.FRAME_REFUSAL)
OWN_VALUE = Expectation(Expected.OWN_VALUE)
SOME_BYTES = Expectation(Expected.BYTES)

NOT_SOUND = frozenset((Expected.REFUSAL, Expected.REJECTION, Expected.SURVIVAL, Expected.FRAME_REFUSAL))
"""The results required for invalid or arbitrary inputs."""


def these_bytes(wire: bytes) -> Expectation:
    """Return the expectation of these bytes from a writer."""
    return Expectation(Expected.BYTES, wire=Held.of(wire.hex()))


def value_at(path: str, value: Any) -> Expectation:
    """Return the expectation of a value at a path from a reader."""
    return Expectation(Expected.VALUE, path=path, value=Shown.of(value))


def number(what: Expected, *numbers: int) -> Expectation:
    """Return an expectation with its numbers."""
    return Expectation(what, numbers=numbers)


class Answered(Struct, frozen=True, omit_defaults=True, tag="outcome"):
    """The outcome of a call.

    Attributes:
        outcome: its kind.
        wire: the written bytes, in hex.
        value: the read value.
        explanation: the exception, or another explanation, as the implementation gave it.
        place: the file and line of the adapter's own code in which Python raised it; empty for a refusal.
    """

    outcome: str
    wire: Held | None = None
    value: Shown | None = None
    explanation: str = ""
    place: str = ""

    @classmethod
    def of(cls, outcome: Outcome) -> Answered:
        """Return the observation of an outcome."""
        wire = None if outcome.wire is None else Held.of(outcome.wire.hex())
        value = Shown.of(outcome.value) if outcome.kind is Kind.VALUE else None
        return cls(str(outcome.kind), wire, value, outcome.text, outcome.place)


class Differs(Struct, frozen=True, omit_defaults=True, tag="difference"):
    """The difference of a read value from the expected one.

    Attributes:
        path: the place of the difference.
        expected, actual: the parts of both values at this place.
        aspect: the difference: value, type, null, length ….
        types: the types of both, if they differ.
    """

    path: str
    expected: Shown
    actual: Shown
    aspect: str
    types: tuple[str, ...] = ()

    @classmethod
    def of(cls, found: Difference) -> Differs:
        """Return the observation of a difference."""
        types = tuple(type(each).__name__ for each in (found.expected, found.actual)) if found.what == "type" else ()
        return cls(found.path, Shown.of(found.expected), Shown.of(found.actual), found.what, types)

    @property
    def outcome(self) -> str:
        """The outcome of a read value."""
        return str(Kind.VALUE)


class Another(Struct, frozen=True, tag="another-value"):
    """A value different from the previous one."""

    @property
    def outcome(self) -> str:
        """The outcome of a read value."""
        return str(Kind.VALUE)


class Counted(Struct, frozen=True, tag="number"):
    """A wrong number.

    Attributes:
        outcome: its meaning: the bytes `consumed`, the `size` announced, the `header-version`.
        number: the number itself.
    """

    outcome: Literal["consumed", "size", "header-version"]
    number: int


class Noted(Struct, frozen=True, omit_defaults=True, tag="note"):
    """An observation of a server or client, in words.

    Attributes:
        outcome: its kind.
        explanation: a text about it.
        detail: a further text, which does not separate causes.
    """

    outcome: str
    explanation: str = ""
    detail: str = ""


Observation = Answered | Differs | Another | Counted | Noted


def wrote(wire: bytes) -> Answered:
    """Return the observation of written bytes."""
    return Answered.of(Outcome(Kind.BYTES, wire=wire))


def wrote_such(text: str) -> Noted:
    """Return the observation of written bytes, with a text about their mistake."""
    return Noted(str(Kind.BYTES), text)


def observed(what: Outcome | Observation) -> Observation:
    """Return an outcome as an observation."""
    return Answered.of(what) if isinstance(what, Outcome) else what


def expected_bytes(expectation: Expectation) -> bytes | None:
    """Return the bytes due from a writer, or None if there are none.

    It is None as well if the event holds only their beginning.
    """
    return _whole(expectation.wire)


def written_bytes(observation: Observation) -> bytes | None:
    """Return the written bytes, or None if there are none.

    It is None as well if the event holds only their beginning.
    """
    return _whole(observation.wire) if isinstance(observation, Answered) else None


def _whole(wire: Held | None) -> bytes | None:
    return bytes.fromhex(wire.start) if wire is not None and wire.is_whole else None
