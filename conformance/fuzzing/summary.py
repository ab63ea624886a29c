"""The results of a nightly run: counts, findings, deaths; for a terminal and as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from conformance.checks.cases import violation_of
from conformance.findings.finding import Findings
from conformance.findings.forms import as_json
from conformance.findings.report.lines import ViolationLine

if TYPE_CHECKING:
    from conformance.fuzzing.batch import BatchResult
    from reference import Release


NOTHING_TESTED = "nothing-tested"
"""The kind of adapter's fault that a batch reports if it is stopped before its first item is done."""


@dataclass
class Summary:
    """The sum over all batches."""

    searched: dict[str, int]
    """How often each pair was searched."""
    release: Release
    """Of which the messages are."""
    batches: int = 0
    cases: Counter[str] = field(default_factory=Counter)
    findings: Findings = field(default_factory=Findings)
    errors: list[str] = field(default_factory=list)
    """Items that ended in an error of the suite itself, and what is wrong with the adapter."""
    deaths: list[dict[str, Any]] = field(default_factory=list)
    """Pairs whose search ended the process, each by itself."""
    found: list[str] = field(default_factory=list)
    """The files of found cases that are new."""
    seconds: float = 0.0
    interrupted: bool = False

    def add(self, result: BatchResult) -> None:
        """Add the result of one batch."""
        self.batches += 1
        if result.has_died and len(result.pairs) == 1:
            self.deaths.append({"pair": result.pairs[0], "status": result.status, "output": result.output})
        for event in result.events:
            if not (result.stopped and event.get("kind") == NOTHING_TESTED):  # there was no time for it
                self._add_event(dict(event))

    def _add_event(self, event: dict[str, Any]) -> None:
        kind = event.pop("event")
        if kind == "case-counts":
            self.cases.update(event["cases"])
        elif kind == "violation":
            line = msgspec.convert({"event": kind, **event}, ViolationLine)
            self.findings.add(violation_of(line, self.release), line.count, line.fields)
        elif kind == "error":
            self.errors.append(event["item"])
        elif kind == "adapter-fault":
            self.errors.append(event["text"])

    @property
    def has_failed(self) -> bool:
        """Whether anything was found, or went wrong."""
        return bool(len(self.findings) or self.errors or self.deaths)

    def as_json(self) -> dict[str, Any]:
        """Return the content of summary.json."""
        turns = Counter(self.searched.values())
        return {
            "seconds": round(self.seconds, 1),
            "interrupted": self.interrupted,
            "slices": self.batches,
            "pairs": {"offered": len(self.searched), "searched": len(self.searched) - turns[0]},
            "cases": dict(sorted(self.cases.items())),
            "findings": [as_json(finding.found()) for finding in self.findings.ordered()],
            "errors": self.errors,
            "deaths": self.deaths,
            "found": self.found,
        }
