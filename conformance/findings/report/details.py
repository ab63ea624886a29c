"""Findings in full: rule, fields, example, what was expected, the command that tries it again; then what follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.findings.report.lines import INDENT
from conformance.findings.report.texts import (
    comparison_lines,
    fields_line,
    headline,
    pairs_line,
    place_line,
    replay_line,
    rule_lines,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.findings.causes import Cause
    from conformance.findings.finding import Finding
    from conformance.findings.known_failures import KnownFailure
    from conformance.findings.report.lines import Lines

MAXIMUM_CAUSES = 40
"""How many causes of new findings are shown in full; all of them are in the table and in the report."""


@dataclass(frozen=True)
class Details:
    """Writes findings in full.

    Attributes:
        lines: what they are written to.
        impl: the adapter, as given to --impl: for the commands that replay a case.
        options: of these commands, as the release if it is not the newest one.
    """

    lines: Lines
    impl: str
    options: Sequence[str]

    def new(self, causes: Sequence[Cause]) -> None:
        """Write the causes of new findings, which come gravest first, each with what follows from it."""
        more = ", gravest first" if len(causes) > 1 else ""
        self.lines.add(f"{count_of_causes(causes)}{more}", style="bold red")
        for number, cause in enumerate(causes[:MAXIMUM_CAUSES], start=1):
            self.lines.add()
            self.lines.add(f"{number}. {headline(cause.finding)}", style="bold")
            for line in rule_lines(cause.finding.rule):
                self.lines.add(line, indent=INDENT)
            self._case(cause.finding)
            for link in cause.followers:
                self.lines.add(f"follows: {headline(link.finding)}; {link.why}", indent=INDENT, style="bold")
                self._case(link.finding, indent=2 * INDENT)
        if len(causes) > MAXIMUM_CAUSES:
            self.lines.add(f"… and {len(causes) - MAXIMUM_CAUSES} more: see --report")
        self.lines.add()

    def known(self, entries: Sequence[tuple[KnownFailure, Finding]]) -> None:
        """Write the known failures that the run met, with their reasons, in the order of their file."""
        for entry, finding in entries:
            self.lines.add(f"known: {headline(finding)}", style="cyan")
            self.lines.add(f"messages: {entry.shown_messages}", indent=INDENT)
            self.lines.add(f"reason: {entry.reason}", indent=INDENT)
            if entry.link:
                self.lines.add_whole(f"link: {entry.link}", indent=INDENT)
            self._case(finding)
            self.lines.add()

    def _case(self, finding: Finding, indent: int = INDENT) -> None:
        """Write what the implementation says, the fields, and the example: where, what, and how to see it again."""
        if finding.key.cluster:
            self.lines.add(f"cluster: {finding.key.cluster}", indent=indent)
        self.lines.add(fields_line(finding), indent=indent)
        if len(finding.fields) > 1:
            self.lines.add(pairs_line(finding), indent=indent)
        self.lines.add(place_line(finding.example), indent=indent)
        for line in comparison_lines(finding.example, self.lines.width - indent - INDENT):
            self.lines.add(line, indent=indent)
        self.lines.add_whole(replay_line(self.impl, self.options, finding.example), indent=indent, style="green")


def count_of_causes(causes: Sequence[Cause]) -> str:
    """Return how many new causes there are, and how many findings they have: `8 new causes (19 findings)`."""
    findings = sum(1 + len(cause.followers) for cause in causes)
    return f"{count_of(len(causes), 'new cause')} ({count_of(findings, 'finding')})" if causes else "no new findings"


def count_of(count: int, noun: str) -> str:
    """Return a number with its noun: `1 case`, `2,000 cases`; 0 is written `no`."""
    return f"{count:,} {noun}{'s' if count != 1 else ''}" if count else f"no {noun}s"
