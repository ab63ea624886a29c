"""Writes the report of a run as JSON Lines: one event a line, nothing in it about the machine or the time."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from conformance.files.outputs import write_or_keep
from conformance.findings.ratchet.judgement import Fault
from conformance.findings.report.counts import effective_shares
from conformance.findings.report.texts import replay_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from conformance.findings.finding import Finding
    from conformance.findings.ratchet.judgement import Objection
    from conformance.findings.report.counts import Untested
    from conformance.findings.report.extent import Extent
    from conformance.findings.report.results import Results


def write_report(  # noqa: PLR0913, PLR0917  # what a report consists of
    path: Path,
    run: dict[str, Any],
    extent: Extent,
    results: Results,
    objections: Sequence[Objection],
    parts: Sequence[Untested],
    seen: Iterable[dict[str, Any]] = (),
) -> None:
    """Write all events of a run to `path`; `seen` is what a capture holds.

    Raises:
        NotWritten: it cannot be written; the report is kept elsewhere.
    """
    lines = (json.dumps(event) for event in events(run, extent, results, objections, parts, seen))
    write_or_keep(path, "".join(f"{line}\n" for line in lines))


def events(  # noqa: PLR0913, PLR0917  # what a report consists of
    run: dict[str, Any],
    extent: Extent,
    results: Results,
    objections: Sequence[Objection],
    parts: Sequence[Untested],
    seen: Iterable[dict[str, Any]] = (),
) -> Iterator[dict[str, Any]]:
    """Yield the events in the order of the file: run, extent, counts, not tested, violations, findings, summary."""
    yield {"event": "run", **run}
    yield extent.as_event()
    for kind, texts in results.all_faults().items():
        yield {"event": "adapter-fault", "kind": kind, "text": texts[0], "count": len(texts)}
    yield from _counts(results, parts)
    for item, _ in results.errors:
        yield {"event": "error", "item": item}
    yield from seen
    for violation, count, fields in sorted(results.violations, key=lambda entry: (entry[0].key, entry[0].weight)):
        yield {"event": "violation", **violation.as_event(), "count": count, "fields": dict(fields)}
    yield from _of_findings(run, results)
    yield {
        "event": "summary",
        "causes": len(results.causes),
        "findings": sum(1 + len(cause.followers) for cause in results.causes),
        "known": _known_counts(results),
        **{fault: [each.place for each in objections if each.fault is fault] for fault in Fault},
        "unclassified": dict(sorted(results.tally.unclassified.items())),
    }


def _of_findings(run: dict[str, Any], results: Results) -> Iterator[dict[str, Any]]:
    """Yield the new findings, each cause before what follows from it, then the known failures."""

    def facts(finding: Finding) -> dict[str, Any]:
        return {
            **finding.as_event(),
            "replay": replay_line(run["impl"], run.get("options", ()), finding.example),
        }

    for cause in results.causes:
        yield {"event": "finding", **facts(cause.finding)}
        for link in cause.followers:
            origin = {**cause.finding.key._asdict(), "why": link.why}
            yield {"event": "finding", **facts(link.finding), "follows": origin}
    for entry, found in results.seen():
        about = {"entry": str(entry), "reason": entry.reason, "link": entry.link}
        yield {"event": "known-failure", **about, **facts(found)}


def _known_counts(results: Results) -> dict[str, int]:
    """Return how many cases each entry of known failures covers."""
    counts: Counter[str] = Counter()
    for entry, found in results.seen():
        counts[str(entry)] += found.count
    return counts


def _counts(results: Results, parts: Sequence[Untested]) -> Iterator[dict[str, Any]]:
    """Yield how much was tested, what was not and why, and what the protocol leaves open."""
    tally = results.tally.as_event()
    yield {"event": "case-counts", "cases": tally["cases"], "outcomes": tally["outcomes"]}
    if results.shared.release:
        yield {"event": "shared", **results.shared._asdict()}
    for part in parts:
        yield {"event": "not-tested", "what": part.what, "why": part.why}
    yield from ({"event": sort, "text": text} for sort, text in results.declared)
    for sort, share in effective_shares(results).items():
        yield {"event": "effective", "cases": sort, "fraction": round(share, 4)}
    for sort, pair, count in tally["resting"]:
        yield {"event": "refused-base", "cases": sort, "pair": pair, "count": count}
    for pair, path in tally["tamed"]:
        yield {"event": "tamed-base", "pair": pair, "path": path}
    for rule, accepts, count in tally["profiles"]:
        yield {"event": "unspecified-profile", "rule": rule, "accepts": accepts, "count": count}
    for rule, reading, count in tally["readings"]:
        yield {"event": "unspecified-reading", "rule": rule, "reading": reading, "count": count}
    for kind, message, reason, count in tally["not_tested"]:
        yield {"event": kind, "message": message, "reason": reason, "count": count}
    for reference, given, count in tally["reasons"]:
        yield {"event": "reason", "reference": reference, "given": given, "count": count}
    yield from results.coverage.events()
