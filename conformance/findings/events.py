"""What came of a case, as data: what was expected, what was observed, and the event of a rule that is broken.

Nothing here is a text for people: `conformance.findings.report.texts` makes those. What may be long, bytes and values,
is held by its beginning, its size and its hash, so that two of them can be compared wherever they have been.
"""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from conformance.implementation.outcome import Kind, Outcome

if TYPE_CHECKING:
    from reference import Difference

MAXIMUM_TEXT = 2_000
"""Characters of a value, hex digits of bytes, that an event has."""

Hex = Annotated[str, Meta(pattern="^(?:[0-9a-f]{2})*$")]
Count = Annotated[int, Meta(ge=0)]


class Held(Struct, frozen=True, omit_defaults=True):
    """A text, by its beginning, its length and its hash.

    Attributes:
        start: the whole text, or its beginning.
        length: how many characters it has.
        sha256: of a text that is not whole.
    """

    start: str
    length: Count
    sha256: str = ""

    @classmethod
    def of(cls, text: str) -> Held:
        """Return a text."""
        if len(text) <= MAXIMUM_TEXT:
            return cls(text, len(text))
        return cls(text[:MAXIMUM_TEXT], len(text), sha256(text.encode(errors="surrogatepass")).hexdigest())

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return not self.sha256


class Nothing(StrEnum):
    """The values that codecs take for one another."""

    NULL = "null"
    EMPTY = "empty"


class Shown(Struct, frozen=True, omit_defaults=True):
    """A value.

    Attributes:
        text: its `repr`.
        nothing: whether it is null or empty; None: it is neither.
    """

    text: Held
    nothing: Nothing | None = None

    @classmethod
    def of(cls, value: Any) -> Shown:
        """Return a value, which may be anything."""
        is_empty = value is not None and type(value) in {list, str, bytes} and not value
        nothing = Nothing.NULL if value is None else Nothing.EMPTY if is_empty else None
        return cls(Held.of(repr(value)), nothing)


class Expected(StrEnum):
    """What had to be done."""

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
    """Neither crash nor hang nor take memory out of proportion, whatever it is given."""
    HEADER_VERSION = "header-version"
    """Choose this header."""
    RESPONSE = "response"
    """Answer in this version."""
    NO_RESPONSE = "no-response"
    """Answer what was asked, and nothing else."""
    RESPONSE_OR_ERROR = "response-or-error"
    """Answer in this version, or in another one with this error code."""
    RESPONSES = "responses"
    """Answer so many requests."""
    ERROR_RESPONSE = "error-response"
    """Answer in this version, with this error code."""
    FRAME_REFUSAL = "frame-refusal"
    """Answer with an error, or close the connection."""
    CLOSED_CONNECTION = "closed-connection"
    ANNOUNCED_ONCE = "announced-once"
    """Announce each API once, with a range of versions that is one."""
    CORRELATION_ID = "correlation-id"
    CORRELATION_IDS = "correlation-ids"
    NEXT_CONNECTION = "next-connection"
    """Serve the next connection."""
    OWN_MEMORY = "own-memory"
    """Take memory for what has come, and not for what is announced."""
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
    """Write a batch that a broker takes."""
    NOTHING_BEHIND = "nothing-behind"
    """Write so many bytes, and nothing behind them."""
    WRITABLE_VALUE = "writable-value"
    """Write a value that has bytes."""
    ANNOUNCED_VERSION = "announced-version"
    """Ask for a version that was announced."""


class Expectation(Struct, frozen=True, omit_defaults=True):
    """What had to be done, with its data.

    Attributes:
        what: the kind.
        wire: bytes, in hex.
        path: where in a value.
        value: a value, there.
        numbers: sizes, versions, ids, whichever `what` has.
        name: of a message.
    """

    what: Expected
    wire: Held | None = None
    path: str = ""
    value: Shown | None = None
    numbers: tuple[int, ...] = ()
    name: str = ""

    @property
    def length(self) -> int:
        """How much there is to compare: of two cases the one with less tells more."""
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
"""What is expected of who is given something invalid, or anything at all."""


def these_bytes(wire: bytes) -> Expectation:
    """Return that these bytes have to be written."""
    return Expectation(Expected.BYTES, wire=Held.of(wire.hex()))


def value_at(path: str, value: Any) -> Expectation:
    """Return that a value has to be read at a place."""
    return Expectation(Expected.VALUE, path=path, value=Shown.of(value))


def number(what: Expected, *numbers: int) -> Expectation:
    """Return what is expected of a number."""
    return Expectation(what, numbers=numbers)


class Answered(Struct, frozen=True, omit_defaults=True, tag="outcome"):
    """The outcome of a call.

    Attributes:
        outcome: its kind.
        wire: what was written, in hex.
        value: what was read.
        said: the exception, or another explanation, as the implementation gave it.
    """

    outcome: str
    wire: Held | None = None
    value: Shown | None = None
    said: str = ""

    @classmethod
    def of(cls, outcome: Outcome) -> Answered:
        """Return an outcome."""
        wire = None if outcome.wire is None else Held.of(outcome.wire.hex())
        value = Shown.of(outcome.value) if outcome.kind is Kind.VALUE else None
        return cls(str(outcome.kind), wire, value, outcome.text)


class Differs(Struct, frozen=True, tag="difference"):
    """A value that was read otherwise.

    Attributes:
        path: where.
        expected, actual: the parts of both values there.
        aspect: what differs: value, type, null, length ….
    """

    path: str
    expected: Shown
    actual: Shown
    aspect: str

    @classmethod
    def of(cls, found: Difference) -> Differs:
        """Return a difference."""
        return cls(found.path, Shown.of(found.expected), Shown.of(found.actual), found.what)

    @property
    def outcome(self) -> str:
        """A value was read."""
        return str(Kind.VALUE)


class Another(Struct, frozen=True, tag="another-value"):
    """Another value than the time before."""

    @property
    def outcome(self) -> str:
        """A value was read."""
        return str(Kind.VALUE)


class Counted(Struct, frozen=True, tag="number"):
    """A wrong number.

    Attributes:
        outcome: of what: the bytes `consumed`, the `size` announced, the `header-version`.
        number: it.
    """

    outcome: Literal["consumed", "size", "header-version"]
    number: int


class Noted(Struct, frozen=True, omit_defaults=True, tag="note"):
    """What a program behind a port did, in the words of who watched it.

    Attributes:
        outcome: its kind.
        said: what was seen.
    """

    outcome: str
    said: str = ""


Observation = Answered | Differs | Another | Counted | Noted


def wrote(wire: bytes) -> Answered:
    """Return that bytes were written."""
    return Answered.of(Outcome(Kind.BYTES, wire=wire))


def wrote_such(said: str) -> Noted:
    """Return that bytes were written of which this is wrong."""
    return Noted(str(Kind.BYTES), said)


def observed(what: Outcome | Observation) -> Observation:
    """Return an outcome as an observation."""
    return Answered.of(what) if isinstance(what, Outcome) else what


def expected_bytes(expectation: Expectation) -> bytes | None:
    """Return the bytes that had to be written; None if there are none, or an event holds their beginning alone."""
    return _whole(expectation.wire)


def written_bytes(observation: Observation) -> bytes | None:
    """Return the bytes that were written; None if there are none, or an event holds their beginning alone."""
    return _whole(observation.wire) if isinstance(observation, Answered) else None


def _whole(wire: Held | None) -> bytes | None:
    return bytes.fromhex(wire.start) if wire is not None and wire.is_whole else None


class Key(NamedTuple):
    """What the violations of a finding have in common."""

    rule: str
    outcome: str
    cluster: str

    @property
    def kind(self) -> str:
        """Rule and outcome."""
        return f"{self.rule} ({self.outcome})"

    def __str__(self) -> str:
        return f"{self.kind}: {self.cluster}" if self.cluster else self.kind


class CaseForm(Struct, kw_only=True, frozen=True):
    """A case as files have it; what only some kinds have is left out of the others.

    Attributes:
        kind: the kind of case.
        message: the message, the wire type, or `record-batches`.
        version: of the message.
        case: its name.
        path: the field that it is about, or of an event where the rule is broken; empty for the message.
        rule: the rule that it is about, or that is broken.
        wire: bytes in hex; empty: it is a value.
        value: the JSON text of a value; empty: it is bytes.
        deterministic: whether every run tries it.
        before: of a message after a refusal: the refused bytes in hex, or the JSON form of the refused value.
        whole: of a value without a field: the JSON form of the whole value.
        frames, connections, times, is_authenticated, answer, is_whole, release: of a server: see `ExchangeCase`.
        answers, cap: of a client: see `AnswerCase`.
        frame, within: of a capture: see `SeenCase`.
    """

    kind: str
    rule: str
    message: str
    version: int
    path: str
    case: str
    wire: Hex
    value: str
    deterministic: bool
    before: Any | UnsetType = UNSET
    whole: dict[str, Any] | UnsetType = UNSET
    frames: list[Hex] | UnsetType = UNSET
    connections: list[Count] | UnsetType = UNSET
    times: Count | UnsetType = UNSET
    is_authenticated: bool | UnsetType = UNSET
    answer: Hex | UnsetType = UNSET
    is_whole: bool | UnsetType = UNSET
    release: str | UnsetType = UNSET
    answers: str | UnsetType = UNSET
    cap: Count | UnsetType = UNSET
    frame: Count | UnsetType = UNSET
    within: str | UnsetType = UNSET


class FoundForm(CaseForm, kw_only=True, frozen=True):
    """A found case, as its file has it.

    Attributes:
        format: a number that changes with the form.
        release: by whose definitions it was found.
        definitions: their hash, if they are those of a folder; else empty.
        run: who was tested: see `conformance.findings.report.lines.Run`.
    """

    format: Literal[1]
    release: str
    definitions: str = ""
    run: dict[str, Any] = {}


class Broken(CaseForm, kw_only=True, frozen=True):
    """A rule that is broken in one case.

    Attributes:
        outcome: what the implementation did.
        cluster: what it says, without values.
        direction: encode or decode; frame, stored or header for what is around a body.
        expectation: what it had to do.
        observation: what it did.
        expected, actual: both in words, for people.
    """

    outcome: str
    cluster: str
    direction: str
    expectation: Expectation
    observation: Observation
    expected: str = ""
    actual: str = ""

    @property
    def key(self) -> Key:
        """The finding that it is a case of."""
        return Key(self.rule, self.outcome, self.cluster)

    @property
    def pair(self) -> str:
        """Message and version, as `FetchRequest-v17`."""
        return f"{self.message}-v{self.version}"


def as_json(struct: Struct) -> Any:
    """Return the JSON form of an event."""
    return msgspec.to_builtins(struct)
