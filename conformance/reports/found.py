"""What a run has found: findings, and the cases that show them, as its report has them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from conformance.catalogue.rules import catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]

Status = Literal["new", "known"]

ADDRESS = 10
"""Hex digits of a hash by which a case or a finding is addressed."""

UNKNOWN_LEVEL = "must"
"""The level of a rule that this version of the catalogue does not have."""

PLACES = ("rule", "outcome", "kind", "message", "version", "path", "direction", "case", "wire", "value")
"""The facts of an event that tell one case of a finding from all others."""


FACTS = ("message", "version", "path", "direction", "kind", "expected", "actual", "value", "deterministic")
"""The facts of an event that a case has under the same names."""


class FindingKey(NamedTuple):
    """What the cases of a finding have in common."""

    rule: str
    outcome: str
    cluster: str


@dataclass(frozen=True)
class ReportedCase:
    """One rule broken in one case.

    Attributes:
        event: the event as the report has it, with what kinds of cases add.
        count: how many cases of the finding there were in the same item of the suite; 0: only random search met it.
        fields: the fields in which they are, with the number of cases.
        replay: the command that tries it again; empty for a violation.
        key: the finding that it is a case of.
        message: the message, or the wire type.
        path: the field; empty for the message itself.
        direction: encode or decode; frame, stored or header for what is around a body.
        name, kind: of the case.
        expected, actual: what should have been done, and what was done: bytes in hex, or words.
        wire: the bytes of the case; none if it is a value.
        value: the JSON text of the value; empty if the case is bytes.
        deterministic: whether every run tries it.
    """

    event: Json = field(hash=False)
    count: int
    fields: Mapping[str, int] = field(hash=False)
    replay: str
    key: FindingKey
    message: str
    version: int
    path: str
    direction: str
    name: str
    kind: str
    expected: str
    actual: str
    wire: bytes
    value: str
    deterministic: bool

    @classmethod
    def of(cls, event: Json, count: int, fields: Mapping[str, int], replay: str = "") -> ReportedCase:
        """Return the case of an event."""
        key = FindingKey(event["rule"], event["outcome"], event["cluster"])
        facts = {name: event[name] for name in FACTS}
        return cls(event, count, fields, replay, key, name=event["case"], wire=bytes.fromhex(event["wire"]), **facts)

    @property
    def rule(self) -> str:
        """The rule that is broken."""
        return self.key.rule

    @property
    def outcome(self) -> str:
        """What the implementation did."""
        return self.key.outcome

    @property
    def pair(self) -> str:
        """Message and version, as `FetchRequest-v17`."""
        return f"{self.message}-v{self.version}"

    @cached_property
    def address(self) -> str:
        """A short hash of the case, which is the same in every report that has it."""
        return address_of(*(self.event[name] for name in PLACES))


@dataclass(frozen=True)
class Origin:
    """The finding that another one follows from, and why."""

    key: FindingKey
    why: str


@dataclass(frozen=True)
class ReportedFinding:
    """All cases with one rule, outcome and cluster; of known failures, those that one entry covers.

    Attributes:
        count: deterministic cases, and of random search one for each pair.
        pairs: as `FetchRequest-v17`, sorted.
        fields: with the number of cases, the most frequent first.
        harm: what it does to users, as `sound-refused`.
        follows: what it follows from; None: it is a cause, or a known failure.
        entry: the entry of known failures, with its rule, outcome and messages; empty for a new finding.
        reason, link: of the entry.
    """

    key: FindingKey
    example: ReportedCase
    count: int
    pairs: tuple[str, ...]
    fields: Mapping[str, int] = field(hash=False)
    harm: str
    follows: Origin | None = None
    entry: str = ""
    reason: str = ""
    link: str = ""

    @property
    def rule(self) -> str:
        """The rule."""
        return self.key.rule

    @property
    def outcome(self) -> str:
        """What the implementation did."""
        return self.key.outcome

    @property
    def cluster(self) -> str:
        """What the implementation says, without values."""
        return self.key.cluster

    @property
    def status(self) -> Status:
        """Whether the file of known failures has it."""
        return "known" if self.entry else "new"

    @property
    def level(self) -> str:
        """The level of its rule: must, should or unspecified."""
        rule = catalogue().get(self.rule)
        return rule.level if rule else UNKNOWN_LEVEL

    @cached_property
    def address(self) -> str:
        """A short hash of the finding, which is the same in every report that has it."""
        return address_of(*self.key, self.entry)


def address_of(*facts: object) -> str:
    """Return a short hash of facts."""
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:ADDRESS]
