"""The facts of one run, as its report has them: what was tested, how much, what was found and what is known.

Everything is read from the file of a report and nothing from the machine. `conformance.report.report_reading` makes
these.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from conformance.codec.selection import NOTHING_SHARED, Shared
from conformance.judge.findings.extent import COMPLETE, Extent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from conformance.judge.findings.lines import Coverage, FindingLine, KnownFailureLine, Seen, ViolationLine
    from conformance.judge.forms import Broken

ADDRESS = 10
"""Hex digits of a hash by which a case or a finding is addressed."""

RunKind = Literal["codec", "server", "client", "capture"]
"""What was tested: a codec by its functions, a server or a client behind a port, or the frames of a capture."""


class AcceptanceProfile(NamedTuple):
    """How often an implementation accepted, and rejected, what a rule leaves open."""

    accepts: int = 0
    rejects: int = 0

    @property
    def text(self) -> str:
        """What it does: accepts, rejects or accepts some."""
        return "accepts" if not self.rejects else "rejects" if not self.accepts else "accepts some"


class UntestedCalls(NamedTuple):
    """Calls for a message that gave neither right nor wrong: `kind` is unsupported, unrepresentable or not-run."""

    kind: str
    message: str
    reason: str
    calls: int


def address_of(*facts: object) -> str:
    """Return a short hash of facts, by which a page is addressed."""
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:ADDRESS]


def case_address(case: Broken) -> str:
    """Return a short hash of a case of a finding, which is the same in every report that has it."""
    place = (case.rule, case.outcome, case.kind, case.message, case.version, case.path, case.direction)
    return address_of(*place, case.case, case.wire, case.value)


def finding_address(finding: FindingLine) -> str:
    """Return a short hash of a finding, which is the same in every report that has it."""
    return address_of(*finding.key, finding.entry)


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
        conclusive: by sort of case, the fraction that rests on a value that is read or written.
        inconclusive: by sort and pair, cases that rest on a refused base.
        adapted_bases: pair and path of fields in which other values than the usual ones are used.
        reasons: by the reference's reason and the given one, how often a refusal had it.
        seen: of captures and clients by pair.
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
    findings: tuple[FindingLine, ...] = ()
    known: tuple[KnownFailureLine, ...] = ()
    violations: tuple[ViolationLine, ...] = ()
    coverage: Mapping[str, Mapping[str, Coverage]] = field(default_factory=dict)
    tried: Mapping[str, int] = field(default_factory=dict)
    profiles: Mapping[str, AcceptanceProfile] = field(default_factory=dict)
    readings: Mapping[tuple[str, str], int] = field(default_factory=dict)
    shared: Shared = NOTHING_SHARED
    parts: tuple[tuple[str, str], ...] = ()
    untested: tuple[UntestedCalls, ...] = ()
    declared: tuple[tuple[str, str], ...] = ()
    conclusive: Mapping[str, float] = field(default_factory=dict)
    inconclusive: Mapping[tuple[str, str], int] = field(default_factory=dict)
    adapted_bases: tuple[tuple[str, str], ...] = ()
    reasons: Mapping[tuple[str, str], int] = field(default_factory=dict)
    seen: Mapping[str, Seen] = field(default_factory=dict)
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
    def all_findings(self) -> tuple[FindingLine, ...]:
        """New findings, then known ones."""
        return (*self.findings, *self.known)
