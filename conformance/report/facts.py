"""The facts of one run, from the lines of its report and not from the machine.

`conformance.report.report_reading` makes these objects, of a file or of the lines of a run that has just ended. All
outputs are functions of them.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec import structs

from conformance.codec.selection import NOTHING_SHARED, Shared
from conformance.judge.findings.extent import COMPLETE, Extent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from conformance.judge.count_lines import Limit, Untried
    from conformance.judge.findings.lines import (
        AdapterFindingLine,
        Coverage,
        FindingLine,
        KnownFailureLine,
        Remark,
        Seen,
        SuiteError,
        ViolationLine,
    )
    from conformance.judge.forms import Broken, Key

ADDRESS = 10
"""The number of hex digits of a hash in the address of a case or a finding."""

RunKind = Literal["codec", "server", "client", "capture"]
"""The kind of tested program: a codec by its functions, a server or client by its port, or the frames of a capture."""


class AcceptanceProfile(NamedTuple):
    """The numbers of accepted and of rejected inputs that a rule leaves unspecified."""

    accepts: int = 0
    rejects: int = 0

    @property
    def text(self) -> str:
        """The behaviour in words, `accepts`, `rejects` or `accepts some`."""
        return "accepts" if not self.rejects else "rejects" if not self.accepts else "accepts some"


def address_of(*facts: object) -> str:
    """Return a short hash of facts, for the address of a page."""
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:ADDRESS]


def rule_page(rule_id: str) -> str:
    """Return the address of a rule's page, relative to a site."""
    return f"rules/{rule_id}.html"


def case_address(case: Broken) -> str:
    """Return a short hash of a case, the same in every report."""
    place = (case.rule, case.outcome, case.kind, case.message, case.version, case.path, case.direction)
    return address_of(*place, case.case, case.wire, case.value)


def key_address(key: Key) -> str:
    """Return a short hash of a cause, the same in every report, whether it is new or known."""
    return address_of(*key)


class ReportedCause(NamedTuple):
    """A finding and those that follow from it, which one fix repairs. Known failures with one key are one finding."""

    finding: FindingLine
    followers: tuple[FindingLine, ...] = ()

    @property
    def findings(self) -> tuple[FindingLine, ...]:
        """The finding, then those that follow from it."""
        return (self.finding, *self.followers)

    @property
    def is_known(self) -> bool:
        """Whether the file of known failures has it."""
        return bool(self.finding.entry)


def causes_in(findings: Iterable[FindingLine]) -> tuple[ReportedCause, ...]:
    """Return the causes among the new findings of a report, or among its known failures, in their order."""
    by_key: dict[Key, FindingLine] = {}
    for finding in findings:
        same = by_key.get(finding.key)
        by_key[finding.key] = finding if same is None else _joined(same, finding)
    followers: defaultdict[Key, list[FindingLine]] = defaultdict(list)
    heads = []
    for finding in by_key.values():
        if finding.follows and finding.follows.key in by_key:
            followers[finding.follows.key].append(finding)
        else:
            heads.append(finding)
    return tuple(ReportedCause(head, tuple(followers[head.key])) for head in heads)


def _joined(one: FindingLine, other: FindingLine) -> FindingLine:
    """Return two known failures with the same key as one, with the example of the first."""
    fields = Counter(one.fields) + Counter(other.fields)
    pairs = sorted({*one.pairs, *other.pairs})
    return structs.replace(one, count=one.count + other.count, pairs=pairs, fields=dict(fields))


@dataclass(frozen=True)
class RunReport:
    """All facts of one report.

    A pair is a message in one version. Of findings the most severe are first, and each cause before its consequences.

    Attributes:
        source: the name of the file, without its folder.
        implementation, version: the names from the adapter, or the name of the file for other programs.
        impl: the implementation as commands take it, like an adapter, `broker:HOST:PORT`, a command or a capture.
        depth: that of random search (`quick`, `full` or `nightly`), or "" for runs without drawn values.
        pairs: the number of selected pairs, or None for a run without a selection.
        options: those needed by commands about the run.
        outcomes: the number of outcomes by direction and kind.
        violations: the highest-ranked case of each new finding in each item of the suite.
        coverage: by pair and test of the suite.
        tried: the number of pairs with a deterministic case, by rule.
        profiles: accepted and rejected inputs, by rule with unspecified input.
        readings: the number of accepted bytes decoded differently from Apache Kafka, by rule and reading.
        shared: the pairs tested in a run against a base release instead.
        parts: those of the suite without support of the adapter, with the reason.
        declared: statements of the adapter, each with its kind (representation, not-compared, note) and text.
        conclusive: the fraction of conclusive cases by category.
        inconclusive: the number of inconclusive cases by category and pair.
        adapted_bases: pairs and paths of fields with an adapted base value.
        reasons: the number of refusals by the reason of the reference and of the implementation.
        seen: the frames of captures and clients by pair.
        faults: errors of the adapter, each with its kind, text and count.
        following: findings that follow from errors of the adapter.
        limits: the sizes tried for each limit.
        beyond: the number of refused values beyond a declared limit, by limit.
        unclassified: the number of undeclared exceptions counted as rejections, by name.
        stale: entries of known failures without a matching case.
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
    untested: tuple[Untried, ...] = ()
    declared: tuple[tuple[str, str], ...] = ()
    conclusive: Mapping[str, float] = field(default_factory=dict)
    inconclusive: Mapping[tuple[str, str], int] = field(default_factory=dict)
    adapted_bases: tuple[tuple[str, str], ...] = ()
    reasons: Mapping[tuple[str, str], int] = field(default_factory=dict)
    seen: Mapping[str, Seen] = field(default_factory=dict)
    faults: tuple[tuple[str, str, int], ...] = ()
    following: tuple[AdapterFindingLine, ...] = ()
    errors: tuple[SuiteError, ...] = ()
    limits: tuple[Limit, ...] = ()
    beyond: Mapping[str, int] = field(default_factory=dict)
    unclassified: Mapping[str, int] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    stale: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The implementation with its version."""
        return f"{self.implementation} {self.version}".strip()

    @property
    def all_findings(self) -> tuple[FindingLine, ...]:
        """The new findings, then the known ones."""
        return (*self.findings, *self.known)

    @cached_property
    def causes(self) -> tuple[ReportedCause, ...]:
        """The causes of the new findings, the most severe first."""
        return causes_in(self.findings)

    @cached_property
    def known_causes(self) -> tuple[ReportedCause, ...]:
        """The causes of the known failures, the most severe first."""
        return causes_in(self.known)

    @property
    def all_causes(self) -> tuple[ReportedCause, ...]:
        """The causes of the new findings, then those of the known failures."""
        return (*self.causes, *self.known_causes)

    @property
    def is_passed(self) -> bool:
        """Whether nothing in the report fails its run."""
        is_fault = any(remark.is_fault for remark in self.remarks)
        return self.extent.is_finished and not (self.findings or self.faults or self.errors or self.stale or is_fault)

    @cached_property
    def tried_versions(self) -> dict[str, list[int]]:
        """The tested versions of each message."""
        versions: defaultdict[str, list[int]] = defaultdict(list)
        for pair, tests in self.coverage.items():
            message, _, version = pair.rpartition("-v")
            if version.isdecimal() and any(counts.tried for counts in tests.values()):
                versions[message].append(int(version))
        return versions
