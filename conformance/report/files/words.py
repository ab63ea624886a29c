"""What the formats say about a run and about a finding, in the same words everywhere.

Whatever an implementation says is made printable here: no control characters, no bidirectional marks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.definitions.allocations import allocation_of
from conformance.definitions.catalogue import catalogue
from conformance.judge.findings.lines import KnownFailureLine
from conformance.system.printable import printable

if TYPE_CHECKING:
    from conformance.judge.findings.lines import FindingLine
    from conformance.report.facts import RunReport

MAXIMUM_SHOWN = 200
"""Characters of bytes or of a text that are shown at most; the report has all of them."""


def counted(count: int, noun: str) -> str:
    """Return a count with its noun: `1 pair`, `1,204 cases`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def title_of(report: RunReport) -> str:
    """Return what was tested against what: `kio 0.6.5 against Kafka 4.4.0`."""
    return printable(f"{report.title} against Kafka {report.release}")


def extent_of(report: RunReport) -> str:
    """Return how much of a run a report is of, if it is not all: `interrupted: ended from outside`; else empty."""
    return "" if report.extent.is_complete else printable(str(report.extent))


def totals(report: RunReport) -> tuple[int, int]:
    """Return how many new and known findings a run has, told apart by what the implementation says."""
    new, known = (sum(counts) for counts in zip((0, 0), *report.counts_by_rule.values(), strict=True))
    return new, known


def headline(finding: FindingLine) -> str:
    """Return one line about a finding: rule, level, outcome, cases and pairs."""
    times = counted(finding.count, "case") if finding.count else "random cases"
    versions = counted(len(finding.pairs), "message version")
    return printable(f"{finding.rule} ({finding.level}), outcome {finding.outcome}: {times} in {versions}")


def details(finding: FindingLine) -> list[str]:
    """Return lines about a finding: rule, what the implementation says, an example, why it is known, a replay line."""
    rule, case = catalogue().get(finding.rule), finding.example
    lines = [rule.sentence(case.side) if rule else "", f"it says: {finding.cluster}" if finding.cluster else ""]
    place = f"{case.message} v{case.version}" + (f", field {case.path}" if case.path else "")
    lines += [f"example: {place}, {case.case}", f"expected: {case.expected}", f"actual:   {case.actual}"]
    lines += [amplification(finding)] if finding.amplification else []
    if isinstance(finding, KnownFailureLine):
        lines += [f"known failure: {finding.reason}", finding.link]
    if finding.follows:
        lines.append(f"follows from {finding.follows.key.rule}: {finding.follows.why}")
    return [shortened(line) for line in lines if line] + ([printable(finding.replay)] if finding.replay else [])


def amplification(finding: FindingLine) -> str:
    """Return how much the bytes of a finding take, beside what they take in Apache Kafka."""
    beside = allocation_of(finding.rule) if finding.amplification and finding.amplification.memory else None
    return f"amplification: {finding.amplification}" + (f". {beside}" if beside else "")


def shortened(text: str) -> str:
    """Return the first characters of a text, printable, and how many it has if there are more."""
    text = printable(text)
    return text if len(text) <= MAXIMUM_SHOWN else f"{text[:MAXIMUM_SHOWN]}… ({len(text):,} characters)"
