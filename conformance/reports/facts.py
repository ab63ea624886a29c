"""The facts of one run, as its report has them: what was tested, how much, what was found and what is known.

Everything is read from the file of a report and nothing from the machine. `conformance.reports.reading` makes these.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from conformance.findings.report.extent import COMPLETE, Extent
from conformance.implementation.selection import NOTHING_SHARED, Shared
from conformance.reports.found import (
    UNKNOWN_LEVEL,
    FindingKey,
    Json,
    Origin,
    ReportedCase,
    ReportedFinding,
    address_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "UNKNOWN_LEVEL",
    "Coverage",
    "FindingKey",
    "Json",
    "Origin",
    "Profile",
    "ReportedCase",
    "ReportedFinding",
    "RunKind",
    "RunReport",
    "Untested",
    "address_of",
]

RunKind = Literal["codec", "server", "client", "capture"]
"""What was tested: a codec by its functions, a server or a client behind a port, or the frames of a capture."""


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
        extent: how much of a run it is.
        depth: how many random values were tried; empty where nothing is drawn.
        pairs: how many messages and versions were selected; None: it was not about a selection.
        options: options that commands about the run need.
        cases: by sort of case.
        outcomes: by direction and kind of outcome.
        findings: new ones, gravest first, each cause before what follows from it.
        known: what entries of known failures cover, in the order of their file.
        violations: of each item of the suite the most telling case of each new finding.
        coverage: by pair and test of the suite.
        tried: by rule, in how many pairs a deterministic case tried it.
        profiles: by rule that leaves something open.
        readings: by rule and reading, how often accepted bytes were read otherwise than by Apache Kafka.
        shared: what is left to a run against a base release.
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
    extent: Extent = COMPLETE
    depth: str = ""
    pairs: int | None = None
    options: tuple[str, ...] = ()
    cases: Mapping[str, int] = field(default_factory=dict)
    outcomes: Mapping[tuple[str, str], int] = field(default_factory=dict)
    findings: tuple[ReportedFinding, ...] = ()
    known: tuple[ReportedFinding, ...] = ()
    violations: tuple[ReportedCase, ...] = ()
    coverage: Mapping[str, Mapping[str, Coverage]] = field(default_factory=dict)
    tried: Mapping[str, int] = field(default_factory=dict)
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    readings: Mapping[tuple[str, str], int] = field(default_factory=dict)
    shared: Shared = NOTHING_SHARED
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
