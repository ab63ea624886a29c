"""The lines of a run that has ended, typed, one for each event, in the order of its report.

None has a fact about the machine or the time, so that reports of equal runs are equal.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import UNSET, structs

from conformance.judge.case import MADE_FROM_BASES
from conformance.judge.count_lines import Inconclusive, OutcomeCount, Unclassified
from conformance.judge.findings import lines
from conformance.judge.findings.extent import COMPLETE, Extent
from conformance.judge.findings.ratchet import EntryFault
from conformance.judge.findings.wording import worded
from conformance.judge.forms import as_json
from conformance.system.file_kinds import REPORT
from conformance.system.outputs import write_or_keep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from msgspec import UnsetType

    from conformance.judge.case import Violation
    from conformance.judge.findings.causes import Cause, Link
    from conformance.judge.findings.finding import Finding
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.findings.lines import FindingLine, Line, Origin, Remark, Run, Seen
    from conformance.judge.findings.ratchet import Objection
    from conformance.judge.findings.results import Results


class Untested(Protocol):
    """An untested part of the suite."""

    @property
    def what(self) -> str:
        """Its name."""

    @property
    def why(self) -> str:
        """The reason."""


@dataclass(frozen=True)
class EndedRun:
    """A run that has ended. Replay lines have the implementation and options of `replayed`, if not those of `run`."""

    run: Run
    results: Results
    extent: Extent = COMPLETE
    objections: Sequence[Objection] = ()
    parts: Sequence[Untested] = ()
    remarks: Sequence[Remark] = ()
    seen: Iterable[Seen] = ()
    replayed: tuple[str, Sequence[str]] | None = None

    def facts(self, finding: Finding) -> dict[str, Any]:
        """Return the facts of the line of a finding."""
        impl, options = self.replayed or (self.run.impl, self.run.options or ())
        return facts_of(finding, replay_line(impl, options, finding.example))


def write_lines(path: Path, found: Iterable[Line]) -> None:
    """Write lines to a file, or raise `NotWritten` and keep them elsewhere."""
    write_or_keep(path, "".join(f"{json.dumps(as_json(line))}\n" for line in found), REPORT)


def lines_of(ended: EndedRun) -> Iterator[Line]:
    """Yield the lines of a run, first it and its extent, then counts, violations, findings and the summary."""
    results = ended.results
    yield ended.run
    yield ended.extent.line()
    for kind, texts in results.all_faults().items():
        yield lines.AdapterFault(kind, texts[0], len(texts))
    yield from _counts(results, ended.parts)
    for item, text in results.errors:
        yield lines.SuiteError(item, text)
    yield from ended.remarks
    yield from ended.seen
    for violation, count, fields in sorted(results.violations, key=lambda entry: (entry[0].key, entry[0].weight)):
        event = structs.asdict(worded(violation.event()))
        yield lines.ViolationLine(**event, count=count, fields=dict(fields))
    found = list(
        finding_lines(results.causes, results.known_causes, ended.facts, lambda each: results.known_by_key[each.key])
    )
    yield from found
    yield from (lines.AdapterFindingLine(**ended.facts(each)) for each in results.following)
    faults = {
        str(fault).replace("-", "_"): [each.place for each in ended.objections if each.fault is fault]
        for fault in EntryFault
    }
    unclassified = dict(sorted(results.tally.of(Unclassified).items()))
    yield summary_of(found, unclassified=unclassified, following=len(results.following), **faults)


def finding_lines(
    causes: Iterable[Cause],
    known: Iterable[Cause],
    facts: Callable[[Finding], dict[str, Any]],
    entries: Callable[[Finding], Iterable[tuple[KnownFailure, Finding]]],
) -> Iterator[FindingLine]:
    """Yield the lines of new findings, each after its cause, then those of known failures.

    `facts` makes the facts of a line. `entries` finds the entries of known failures that cover a finding, each with
    the part that it covers.
    """
    for finding, follows in _with_origins(causes):
        yield lines.FindingLine(**facts(finding), follows=follows)
    for finding, follows in _with_origins(known):
        for entry, found in entries(finding):
            members = {**facts(found), "follows": follows, "reason": entry.reason, "link": entry.link}
            yield lines.KnownFailureLine(**members, entry=str(entry))


def summary_of(found: Sequence[FindingLine], **more: Any) -> lines.Summary:
    """Return the last line of a report with these findings."""
    new = [line for line in found if not line.entry]
    known = {line.key: line for line in found if line.entry}
    cases: Counter[str] = Counter()
    for line in found:
        if line.entry:
            cases[line.entry] += line.count
    return lines.Summary(
        causes=sum(not line.follows for line in new),
        findings=len(new),
        known=cases,
        known_causes=sum(not line.follows for line in known.values()),
        known_findings=len(known),
        **more,
    )


def _with_origins(causes: Iterable[Cause]) -> Iterator[tuple[Finding, Origin | UnsetType]]:
    for cause in causes:
        yield cause.finding, UNSET
        yield from ((link.finding, _origin(cause, link)) for link in cause.followers)


def _origin(cause: Cause, link: Link) -> Origin:
    return lines.Origin(*cause.finding.key, link.why)


def replay_line(impl: str, options: Sequence[str], violation: Violation) -> str:
    """Return the command to run this case again with these options."""
    return violation.case.replay_line(impl, options, violation.direction)


def facts_of(finding: Finding, replay: str) -> dict[str, Any]:
    """Return the facts of the line of a finding."""
    taken = finding.amplification
    return {
        **finding.key._asdict(),
        "count": finding.count,
        "pairs": sorted(finding.pairs),
        "fields": dict(finding.totals),
        "common": finding.traits,
        "amplification": UNSET if taken is None else lines.Amplified(*taken),
        "impact": finding.impact.name.lower().replace("_", "-"),
        "example": worded(finding.example.event()),
        "replay": replay,
    }


def _counts(results: Results, parts: Sequence[Untested]) -> Iterator[Line]:
    tally, shared = results.tally, results.shared
    outcomes = [(*key, count) for key, count in sorted(tally.of(OutcomeCount).items())]
    yield lines.CaseCounts(dict(sorted(tally.cases.items())), outcomes)
    if shared.release:
        yield lines.SharedLine(shared.release, list(shared.pairs), list(shared.others), shared.selected)
    yield from (lines.NotTested(part.what, part.why) for part in parts)
    yield from (lines.DECLARED[category](text) for category, text in results.declared)
    yield from (lines.Conclusive(category, round(share, 4)) for category, share in _conclusive_shares(results).items())
    yield from tally.lines()
    yield from results.coverage.events()


def _conclusive_shares(results: Results) -> dict[str, float]:
    inconclusive: Counter[str] = Counter()
    for (category, _), count in results.tally.of(Inconclusive).items():
        inconclusive[category] += count
    cases = results.tally.cases
    totals = {category: cases[category] + inconclusive[category] for category in sorted(MADE_FROM_BASES)}
    return {category: cases[category] / total for category, total in totals.items() if total}
