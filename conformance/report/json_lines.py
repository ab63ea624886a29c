"""The report of a run as JSON Lines: one event a line, nothing in it of the machine or the day."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from conformance.files import write_atomically
from conformance.report.results import Results


def write_report(path: Path, run: dict[str, Any], results: Results, *, stale: Iterable[object]) -> None:
    """Write all events of a run to `path`, through a temporary name."""
    lines = (json.dumps(event, ensure_ascii=False) for event in events(run, results, stale=stale))
    write_atomically(path, "".join(f"{line}\n" for line in lines))


def events(run: dict[str, Any], results: Results, *, stale: Iterable[object]) -> Iterator[dict[str, Any]]:
    """The events, in the order of the file: run, case-counts, what was not tested, violations, findings, summary."""
    tally = results.tally.as_event()
    yield {"event": "run", **run}
    yield {"event": "case-counts", "cases": tally["cases"], "outcomes": tally["outcomes"]}
    for kind, message, reason, count in tally["not_tested"]:
        yield {"event": kind, "message": message, "reason": reason, "count": count}
    for violation, count in sorted(results.violations, key=lambda entry: (entry[0].key, entry[0].weight)):
        yield {"event": "violation", **violation.as_event(), "count": count}
    for finding in results.findings.ordered():
        yield {
            "event": "finding",
            "rule": finding.rule,
            "outcome": finding.outcome,
            "count": finding.count,
            "pairs": sorted(finding.pairs),
            "smallest": finding.smallest.as_event(),
        }
    yield {
        "event": "summary",
        "findings": len(results.findings),
        "known": {str(entry): count for entry, count in results.seen()},
        "stale": [str(entry) for entry in stale],
        "unclassified": tally["unclassified"],
    }
