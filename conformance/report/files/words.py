"""The words of all formats for a run and for a finding.

Texts from an implementation are made printable here, without control characters and bidirectional marks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.definitions.allocations import allocation_of
from conformance.judge.findings.lines import KnownFailureLine
from conformance.judge.findings.wording import length_of
from conformance.judge.levels import sentence_of
from conformance.system.printable import printable

if TYPE_CHECKING:
    from conformance.judge.findings.lines import FindingLine
    from conformance.report.facts import RunReport

MAXIMUM_SHOWN = 200
"""The highest number of characters shown of bytes or of a text.

The report has all of them.
"""


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, like `1 pair` or `1,204 cases`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def title_of(report: RunReport) -> str:
    """Return the title of a run, like `kio 0.6.5 against Kafka 4.4.0`."""
    return printable(f"{report.title} against Kafka {report.release}")


def extent_of(report: RunReport) -> str:
    """Return the extent of an incomplete run, or "" for a whole run.

    A text has the state and the reason of the extent, like `interrupted: ended from outside`.
    """
    return "" if report.extent.is_complete else printable(str(report.extent))


def totals(report: RunReport) -> tuple[int, int]:
    """Return the numbers of new and of known findings of a run.

    Findings with different errors of the implementation count separately.
    """
    new, known = (sum(counts) for counts in zip((0, 0), *report.counts_by_rule.values(), strict=True))
    return new, known


def headline(finding: FindingLine) -> str:
    """Return one line with the rule, level, outcome, cases and pairs of a finding."""
    times = counted(finding.count, "case") if finding.count else "random cases"
    versions = counted(len(finding.pairs), "message version")
    return printable(f"{finding.rule} ({finding.level}), outcome {finding.outcome}: {times} in {versions}")


def details(finding: FindingLine) -> list[str]:
    """Return lines about a finding.

    They have its rule, the error of the implementation, an example, the reason of a known failure, and a replay line.
    """
    case = finding.example
    cluster = f"it says: {finding.cluster}" if finding.cluster else ""
    lines = [sentence_of(finding.rule, case.side, finding.outcome), cluster]
    place = f"{case.message} v{case.version}" + (f", field {case.path}" if case.path else "")
    lines += [f"example: {place}, {case.case}", f"expected: {case.expected}", f"actual:   {case.actual}"]
    lines += [amplification(finding)] if finding.amplification else []
    if isinstance(finding, KnownFailureLine):
        lines += [f"known failure: {finding.reason}", finding.link]
    if finding.follows:
        lines.append(f"follows from {finding.follows.key.rule}: {finding.follows.why}")
    return [shortened(line) for line in lines if line] + ([printable(finding.replay)] if finding.replay else [])


def amplification(finding: FindingLine) -> str:
    """Return the time or memory for the bytes of a finding, beside the memory for them in Apache Kafka."""
    beside = allocation_of(finding.rule) if finding.amplification and finding.amplification.memory else None
    return f"amplification: {finding.amplification}" + (f". {beside}" if beside else "")


def shortened(text: str) -> str:
    """Return the first characters of a text, printable, with the number of all characters of a longer text."""
    text = printable(text)
    return text if len(text) <= MAXIMUM_SHOWN else f"{text[:MAXIMUM_SHOWN]}… ({length_of(text):,} characters)"
