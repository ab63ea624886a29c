"""JSON forms of cases and of broken rules, in files and between processes.

They are decoded into the same classes that encode them.
"""

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
    """The common properties of all violations of a finding."""

    rule: str
    outcome: str
    cluster: str

    @property
    def kind(self) -> str:
        """The rule and the outcome."""
        return f"{self.rule} ({self.outcome})"

    def __str__(self) -> str:
        return f"{self.kind}: {self.cluster}" if self.cluster else self.kind


class CaseForm(Struct, kw_only=True, frozen=True):
    """The form of a case in files.

    Members of some kinds of cases are left out of the others.

    Attributes:
        kind: the kind of case.
        message: the message, the wire type, or `record-batches`.
        version: the version of the message.
        case: the name of the case.
        path: the field under test, or in an event the field where the rule is broken; empty for the message.
        rule: the rule under test, or the broken rule.
        wire: bytes in hex; empty for a value.
        value: the JSON text of a value; empty for bytes.
        deterministic: whether every run tries it.
        before: for a message after a refusal, the refused bytes in hex, or the JSON form of the refused value.
        whole: for a value without a field, the JSON form of the whole value.
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
    """The form of a found case in its file.

    Attributes:
        format: a number that changes with the form.
        release: the release by whose definitions it was found.
        definitions: the hash of definitions from a folder, else empty.
        run: the tested implementation: see `conformance.judge.findings.lines.Run`.
    """

    format: Literal[1]
    release: str
    definitions: str = ""
    run: dict[str, Any] = {}


class Broken(CaseForm, kw_only=True, frozen=True):
    """A rule broken in one case.

    Attributes:
        outcome: the outcome of the implementation.
        cluster: its text, without values.
        direction: encode or decode; frame, stored or header for bytes around a body.
        expectation: the required result.
        observation: the observed result.
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
        """The key of the finding of this case."""
        return Key(self.rule, self.outcome, self.cluster)

    @property
    def pair(self) -> str:
        """Message and version, as `FetchRequest-v17`."""
        return f"{self.message}-v{self.version}"

    @property
    def side(self) -> str:
        """The side with the broken rule, `decode` for a reader or `encode` for a writer."""
        return side_of(self.direction, self.expectation.what)


def as_json(struct: Struct) -> Any:
    """Return the JSON form of an event."""
    return msgspec.to_builtins(struct)
