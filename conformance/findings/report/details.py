"""Findings in full: the rule, the smallest case, what was expected, and the command that tries it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.findings.report.lines import INDENT
from conformance.findings.report.texts import comparison_lines, headline, place_line, replay_line, rule_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from conformance.findings.known_failures import KnownFailure
    from conformance.findings.report.lines import Lines
    from conformance.findings.violations import Finding

MAXIMUM_FINDINGS = 40
"""How many new findings are shown in full; all of them are in the table and in the report."""


@dataclass(frozen=True)
class Details:
    """Writes findings in full.

    Attributes:
        lines: what they are written to.
        impl: the adapter, as given to --impl: for the commands that replay a case.
        release: the release to name in these commands; empty if it is the newest one.
    """

    lines: Lines
    impl: str
    release: str

    def new(self, findings: Sequence[Finding]) -> None:
        """Write the new findings, which come most severe first."""
        more = ", most severe first" if len(findings) > 1 else ""
        self.lines.add(f"{count_of(len(findings), 'new finding')}{more}", style="bold red")
        for number, finding in enumerate(findings[:MAXIMUM_FINDINGS], start=1):
            self.lines.add()
            self.lines.add(f"{number}. {headline(finding)}", style="bold")
            for line in rule_lines(finding.rule):
                self.lines.add(line, indent=INDENT)
            self._case(finding)
        if len(findings) > MAXIMUM_FINDINGS:
            self.lines.add(f"… and {len(findings) - MAXIMUM_FINDINGS} more: see --report")
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

    def _case(self, finding: Finding) -> None:
        """Write the smallest case: where, what, and how to see it again."""
        self.lines.add(place_line(finding.smallest), indent=INDENT)
        for line in comparison_lines(finding.smallest, self.lines.width - 2 * INDENT):
            self.lines.add(line, indent=INDENT)
        self.lines.add_whole(replay_line(self.impl, self.release, finding.smallest), indent=INDENT, style="green")


def count_of(count: int, noun: str) -> str:
    """Return a number with its noun: `1 case`, `2,000 cases`; 0 is written `no`."""
    return f"{count:,} {noun}{'s' if count != 1 else ''}" if count else f"no {noun}s"
