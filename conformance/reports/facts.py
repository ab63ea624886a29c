"""The facts of one run, as its report has them: what was tested, how much, what was found and what is known.

Everything is read from the file of a report and nothing from the machine. `conformance.reports.reading` makes these.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from conformance.catalogue.rules import catalogue

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = dict[str, Any]

RunKind = Literal["codec", "server", "client", "capture"]
"""What was tested: a codec by its functions, a server or a client behind a port, or the frames of a capture."""

Status = Literal["new", "known"]

ADDRESS = 10
"""Hex digits of a hash by which a case or a finding is addressed."""

UNKNOWN_LEVEL = "must"
"""The level of a rule that this version of the catalogue does not have."""

PLACES = ("rule", "outcome", "kind", "message", "version", "path", "direction", "case", "wire", "value")
"""The facts of an event that tell one case of a finding from all others."""


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
        replay: the command that tries it again; empty if the report does not say.
    """

    event: Json = field(hash=False)
    count: int = 1
    fields: Mapping[str, int] = field(default_factory=dict, hash=False)
    replay: str = ""

    @property
    def key(self) -> FindingKey:
        """The finding that it is a case of."""
        return FindingKey(self.rule, self.outcome, str(self.event["cluster"]))

    @property
    def rule(self) -> str:
        """The rule."""
        return str(self.event["rule"])

    @property
    def outcome(self) -> str:
        """What the implementation did."""
        return str(self.event["outcome"])

    @property
    def message(self) -> str:
        """The message, or the wire type."""
        return str(self.event["message"])

    @property
    def version(self) -> int:
        """The version of the message."""
        return int(self.event["version"])

    @property
    def pair(self) -> str:
        """Message and version, as `FetchRequest-v17`."""
        return f"{self.message}-v{self.version}"

    @property
    def path(self) -> str:
        """The field; empty for the message itself."""
        return str(self.event["path"])

    @property
    def direction(self) -> str:
        """The direction: encode or decode; frame, stored or header for what is around a body."""
        return str(self.event["direction"])

    @property
    def name(self) -> str:
        """The name of the case."""
        return str(self.event["case"])

    @property
    def kind(self) -> str:
        """The kind of case."""
        return str(self.event["kind"])

    @property
    def expected(self) -> str:
        """What should have been done: bytes in hex, or words."""
        return str(self.event["expected"])

    @property
    def actual(self) -> str:
        """What was done instead: bytes in hex, or words."""
        return str(self.event["actual"])

    @property
    def wire(self) -> bytes:
        """The bytes of the case; none if it is a value."""
        return bytes.fromhex(self.event["wire"])

    @property
    def value(self) -> str:
        """The JSON text of the value; empty if the case is bytes."""
        return str(self.event["value"])

    @property
    def deterministic(self) -> bool:
        """Whether every run tries it."""
        return bool(self.event["deterministic"])

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
        harm: what it does to users, as `sound-refused`; empty if the report does not say.
        follows: what it follows from; None: it is a cause, or a known failure.
        entry: the entry of known failures, with its rule, outcome and messages; empty for a new finding.
        reason, link: of the entry.
    """

    key: FindingKey
    example: ReportedCase
    count: int
    pairs: tuple[str, ...]
    fields: Mapping[str, int] = field(hash=False)
    harm: str = ""
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


class Coverage(NamedTuple):
    """How much one test of the suite did for one pair.

    Attributes:
        tried: cases.
        failed: distinct cases that broke a rule, and not only as known failures do.
        known: distinct cases that broke a rule, all of them as known failures do.
        skipped: calls without an answer: not offered, not to be held by the types, not run.
        resting: cases that tell nothing, since the valid value behind them is refused; they are not in `tried`.
    """

    tried: int = 0
    failed: int = 0
    known: int = 0
    skipped: int = 0
    resting: int = 0

    def plus(self, other: Coverage) -> Coverage:
        """Return the sum of both."""
        return Coverage(*(one + more for one, more in zip(self, other, strict=True)))


class Profile(NamedTuple):
    """How often an implementation accepted, and rejected, what a rule leaves open."""

    accepts: int = 0
    rejects: int = 0

    @property
    def text(self) -> str:
        """What it does: accepts, rejects or both."""
        return "accepts" if not self.rejects else "rejects" if not self.accepts else "both"


class Untested(NamedTuple):
    """Calls for a message that gave neither right nor wrong: `kind` is unsupported, unrepresentable or not-run."""

    kind: str
    message: str
    reason: str
    calls: int


@dataclass(frozen=True)
class RunReport:
    """Everything that one report says.

    Attributes:
        source: the name of the file, without its folder.
        kind: what was tested.
        implementation, version: as the adapter names them; of a client the name of its program.
        impl: as commands name it: an adapter, `broker:HOST:PORT`, a command, a capture.
        release: the Kafka release of the definitions.
        suite: the version of the suite.
        depth: how many random values were tried; empty where nothing is drawn.
        pairs: how many messages and versions were selected; None: the report does not say.
        options: options that commands about the run need.
        cases: by sort of case.
        outcomes: by direction and kind of outcome.
        findings: new ones, gravest first, each cause before what follows from it.
        known: what entries of known failures cover, in the order of their file.
        violations: of each item of the suite the most telling case of each new finding.
        coverage: by pair and test of the suite; None: the report has none, as those of earlier versions.
        tried: by rule, in how many pairs a deterministic case tried it; None likewise.
        profiles: by rule that leaves something open.
        readings: by rule and reading, how often accepted bytes were read otherwise than by Apache Kafka.
        parts: parts of the suite that the adapter does not offer, with the reason.
        untested: calls that gave neither right nor wrong.
        declared: sort (representation, not-compared, note) and text of what the adapter says.
        effective: by sort of case, the fraction that rests on a value that is read or written.
        refused_bases: by sort and pair, cases that rest on a refused base.
        tamed_bases: pair and path of fields in which other values than the usual ones are used.
        reasons: by the reference's reason and the given one, how often a refusal had it.
        seen: of captures and clients by pair: frames, canonical, departing, unknown.
        faults: mistakes of the adapter: kind, text, count.
        errors: tests that ended in an error of the suite.
        stale: entries of known failures that no case matches any more.
    """

    source: str
    kind: RunKind
    implementation: str
    version: str
    impl: str
    release: str
    suite: str
    depth: str = ""
    pairs: int | None = None
    options: tuple[str, ...] = ()
    cases: Mapping[str, int] = field(default_factory=dict)
    outcomes: Mapping[tuple[str, str], int] = field(default_factory=dict)
    findings: tuple[ReportedFinding, ...] = ()
    known: tuple[ReportedFinding, ...] = ()
    violations: tuple[ReportedCase, ...] = ()
    coverage: Mapping[str, Mapping[str, Coverage]] | None = None
    tried: Mapping[str, int] | None = None
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    readings: Mapping[tuple[str, str], int] = field(default_factory=dict)
    parts: tuple[tuple[str, str], ...] = ()
    untested: tuple[Untested, ...] = ()
    declared: tuple[tuple[str, str], ...] = ()
    effective: Mapping[str, float] = field(default_factory=dict)
    refused_bases: Mapping[tuple[str, str], int] = field(default_factory=dict)
    tamed_bases: tuple[tuple[str, str], ...] = ()
    reasons: Mapping[tuple[str, str], int] = field(default_factory=dict)
    seen: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    faults: tuple[tuple[str, str, int], ...] = ()
    errors: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The implementation with its version."""
        return f"{self.implementation} {self.version}".strip()

    @cached_property
    def counts_by_rule(self) -> dict[str, tuple[int, int]]:
        """How many new and known findings each rule has that has any."""
        new = Counter(key.rule for key in {finding.key for finding in self.findings})
        known = Counter(key.rule for key in {finding.key for finding in self.known})
        return {rule: (new[rule], known[rule]) for rule in {*new, *known}}

    @property
    def all_findings(self) -> tuple[ReportedFinding, ...]:
        """New findings, then known ones."""
        return (*self.findings, *self.known)


def address_of(*facts: object) -> str:
    """Return a short hash of facts."""
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:ADDRESS]
