"""Forms of cases and of broken rules in files and between processes: JSON, decoded into the classes that wrote it."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType

from conformance.judge.events import Count, Expectation, Hex, Observation, side_of

Pair = tuple[str, int]
"""A message and a version; for a single wire type, its name and 0."""

EXCHANGE = "exchange"
"""The kind of the cases of servers."""


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
        run: who was tested: see `conformance.judge.findings.lines.Run`.
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

    @property
    def side(self) -> str:
        """Whose rule it is: `decode`, a reader's, or `encode`, a writer's."""
        return side_of(self.direction, self.expectation.what)


def as_json(struct: Struct) -> Any:
    """Return the JSON form of an event."""
    return msgspec.to_builtins(struct)


class Limit(Struct, tag_field="event", tag="limit"):
    """The sizes of a sort that were tried, up to the declared limit and beyond it.

    Attributes:
        name: of the limit, as `tags`.
        taken: the largest size that was taken.
        refused: the smallest that was refused; -1: none was.
        declared: the limit; -1: there is none.
    """

    name: str
    taken: Count
    refused: int
    declared: int
