"""Write the report of a run as JSON Lines.

Each line is one event. None has a fact about the machine or the time, so that reports of equal runs are equal.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec import structs

from conformance.codec.outcome import Kind
from conformance.judge.findings import lines
from conformance.judge.findings.ratchet import EntryFault
from conformance.judge.findings.wording import worded
from conformance.judge.forms import Limit, as_json
from conformance.report.terminal.counts import conclusive_shares
from conformance.report.terminal.finding_texts import replay_line
from conformance.system.file_kinds import REPORT
from conformance.system.outputs import write_or_keep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from conformance.judge.findings.extent import Extent
    from conformance.judge.findings.finding import Finding
    from conformance.judge.findings.lines import Line, Run, Seen
    from conformance.judge.findings.ratchet import Objection
    from conformance.judge.findings.results import Results
    from conformance.report.terminal.counts import Untested

DECLARED: dict[str, type[lines.Representation | lines.NotCompared | lines.Note]] = {
    "representation": lines.Representation,
    "not-compared": lines.NotCompared,
    "note": lines.Note,
}
"""The lines for statements of an adapter about its implementation, by their kind."""

UNTRIED = {
    Kind.UNSUPPORTED: lines.Untried,
    Kind.UNREPRESENTABLE: lines.UnrepresentableLine,
    Kind.NOT_RUN: lines.NotRun,
}
"""The lines for calls without a right or wrong result, by their outcome."""


def write_report(  # noqa: PLR0913, PLR0917  # what a report consists of
    path: Path,
    run: Run,
    extent: Extent,
    results: Results,
    objections: Sequence[Objection],
    parts: Sequence[Untested],
    seen: Iterable[Seen] = (),
) -> None:
    """Write all events of a run to a file.

    Args:
        path: the file.
        run: the first event.
        extent: how much of a run it is.
        results: the results.
        objections: the faults in the file of known failures.
        parts: the untested parts of the suite.
        seen: the frames of a capture.

    Raises:
        NotWritten: the file cannot be written, or another one is there. The report is kept elsewhere.
    """
    events = events_of(run, extent, results, objections, parts, seen)
    write_or_keep(path, "".join(f"{json.dumps(as_json(event))}\n" for event in events), REPORT)


def events_of(  # noqa: PLR0913, PLR0917  # what a report consists of
    run: Run,
    extent: Extent,
    results: Results,
    objections: Sequence[Objection],
    parts: Sequence[Untested],
    seen: Iterable[Seen] = (),
) -> Iterator[Line]:
    """Yield the events in the order of the file.

    The run and its extent come first, then counts and untested parts, violations, findings, and the summary.
    """
    yield run
    yield extent.line()
    for kind, texts in results.all_faults().items():
        yield lines.AdapterFault(kind, texts[0], len(texts))
    yield from _counts(results, parts)
    for item, _ in results.errors:
        yield lines.SuiteError(item)
    yield from seen
    for violation, count, fields in sorted(results.violations, key=lambda entry: (entry[0].key, entry[0].weight)):
        event = structs.asdict(worded(violation.event()))
        yield lines.ViolationLine(**event, count=count, fields=dict(fields))
    yield from _of_findings(run, results)
    causes = results.causes
    findings, known = sum(1 + len(cause.followers) for cause in causes), _known_counts(results)
    faults = {
        str(fault).replace("-", "_"): [each.place for each in objections if each.fault is fault] for fault in EntryFault
    }
    unclassified = dict(sorted(results.tally.unclassified.items()))
    yield lines.Summary(len(causes), findings, known, unclassified, following=len(results.following), **faults)


def _of_findings(run: Run, results: Results) -> Iterator[Line]:
    """Yield the new findings, each cause before its consequences, then the known failures."""
    for cause in results.causes:
        yield lines.FindingLine(**_facts(run, cause.finding))
        for link in cause.followers:
            origin = lines.Origin(*cause.finding.key, link.why)
            yield lines.FindingLine(**_facts(run, link.finding), follows=origin)
    for entry, found in results.seen():
        facts = _facts(run, found)
        yield lines.KnownFailureLine(**facts, entry=str(entry), reason=entry.reason, link=entry.link)


def _facts(run: Run, finding: Finding) -> dict[str, Any]:
    return {
        **finding.key._asdict(),
        "count": finding.count,
        "pairs": sorted(finding.pairs),
        "fields": dict(finding.totals),
        "common": finding.traits,
        **_amplification(finding),
        "impact": finding.impact.name.lower().replace("_", "-"),
        "example": worded(finding.example.event()),
        "replay": replay_line(run.impl, run.options or (), finding.example),
    }


def _amplification(finding: Finding) -> dict[str, Any]:
    found = finding.amplification
    return {} if found is None else {"amplification": lines.Amplified(*found)}


def _known_counts(results: Results) -> dict[str, int]:
    """Return the number of cases of each known failure, by its entry."""
    counts: Counter[str] = Counter()
    for entry, found in results.seen():
        counts[str(entry)] += found.count
    return counts


def _counts(results: Results, parts: Sequence[Untested]) -> Iterator[Line]:
    """Yield the events of counts.

    They say how much was tested, which parts and calls were not and why, and how unspecified input was treated.
    """
    tally, shared = results.tally, results.shared
    yield lines.CaseCounts(dict(sorted(tally.cases.items())), _rows(tally.outcomes))
    if shared.release:
        yield lines.SharedLine(shared.release, list(shared.pairs), list(shared.others), shared.selected)
    yield from (lines.NotTested(part.what, part.why) for part in parts)
    yield from (DECLARED[category](text) for category, text in results.declared)
    yield from (lines.Conclusive(category, round(share, 4)) for category, share in conclusive_shares(results).items())
    yield from (lines.Inconclusive(*row) for row in _rows(tally.inconclusive))
    yield from (lines.AdaptedBase(*row) for row in sorted(tally.adapted))
    yield from (lines.UnspecifiedProfile(*row) for row in _rows(tally.profiles))
    yield from (Limit(*row) for row in sorted(tally.limits))
    yield from (lines.BeyondLimit(*row) for row in sorted(tally.beyond.items()))
    yield from (lines.UnspecifiedReading(*row) for row in _rows(tally.readings))
    yield from (UNTRIED[Kind(kind)](*row) for kind, *row in _rows(tally.not_tested))
    yield from (lines.ReasonLine(*row) for row in _rows(tally.reasons))
    yield from results.coverage.events()


def _rows(counts: Counter[Any]) -> list[tuple[Any, ...]]:
    """Return the sorted keys of counts, each followed by its count."""
    return [(*key, count) for key, count in sorted(counts.items())]
