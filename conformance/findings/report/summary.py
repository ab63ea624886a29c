"""The summary at the end of a run, for a terminal."""

from __future__ import annotations

from collections import Counter
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from conformance.findings.report.results import profile_texts
from conformance.findings.report.texts import comparison_lines, headline, place_line, replay_line, rule_lines
from conformance.implementation.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.findings.report.results import Results
    from conformance.findings.violations import Finding
    from conformance.suite.registry import Part

MAXIMUM_FINDINGS = 40
MAXIMUM_ERRORS = 3
MAXIMUM_MESSAGES = 5
INDENT = 4


class Summary:
    """Writes down what a run found."""

    def __init__(self, *, impl: str, release: str, width: int, color: bool) -> None:
        self._impl = impl
        self._release = release
        self._text = StringIO()
        self._console = Console(file=self._text, width=width, force_terminal=color, no_color=not color, highlight=False)

    def render(self, results: Results, title: str, remarks: Iterable[tuple[str, str]], parts: Sequence[Part]) -> str:
        """The whole summary as text, with colours if asked for; `remarks` are about known failures, with styles."""
        self._console.rule(Text(title, style="bold"), characters="=")
        self._faults(results.all_faults())
        self._counts(results)
        self._not_offered(parts)
        self._not_tested(results)
        self._reasons(results.tally.reasons)
        self._profile(results)
        self._known(results)
        for text, style in remarks:
            self._line(text, style=style)
        self._errors(results.errors)
        if results.findings or not (results.errors or results.all_faults()):
            self._findings(results.findings.ordered())
        return self._text.getvalue().encode(errors="backslashreplace").decode()  # what codecs say may not be writable

    def _line(self, text: str, *, indent: int = 0, style: str = "") -> None:
        self._console.print(Text(" " * indent + text, style=style), soft_wrap=True)

    def _faults(self, faults: dict[str, list[str]]) -> None:
        """The adapter comes first: what follows is about it."""
        if faults:
            self._line("the adapter itself seems to be at fault; mend it before reading the findings", style="bold red")
        for texts in faults.values():
            more = f" (and {len(texts) - 1} more like this)" if len(texts) > 1 else ""
            self._line(f"- {texts[0]}{more}", style="red")

    def _counts(self, results: Results) -> None:
        cases = ", ".join(f"{count:,} {sort}" for sort, count in sorted(results.tally.cases.items()))
        self._line(f"tested: {cases or 'nothing'}")
        for direction in ("encode", "decode"):
            kinds = {kind: count for (way, kind), count in sorted(results.tally.outcomes.items()) if way == direction}
            if kinds:
                self._line(f"{direction}: " + ", ".join(f"{count:,} {kind}" for kind, count in kinds.items()))

    def _not_offered(self, parts: Sequence[Part]) -> None:
        if parts:
            self._line("not tested: " + ", ".join(f"{part.what} ({part.why})" for part in parts))

    def _not_tested(self, results: Results) -> None:
        """What was skipped, with its share; and exceptions that nobody declared."""
        for kind, said in (
            (Kind.UNREPRESENTABLE, "cannot be held by its types"),
            (Kind.UNSUPPORTED, "not offered"),
            (Kind.NOT_RUN, "since inputs of their sort had ended the child process"),
        ):
            by_message: Counter[str] = Counter()
            for (each, message, _), count in results.tally.not_tested.items():
                if each == kind:
                    by_message[message] += count
            if by_message:
                total = sum(results.tally.outcomes.values())
                share = 100 * by_message.total() / total
                most = ", ".join(f"{message} {count:,}" for message, count in by_message.most_common(MAXIMUM_MESSAGES))
                self._line(f"{kind}: {by_message.total():,} cases ({share:.1f} %) {said}; most in {most}")
        if results.tally.unclassified:
            names = ", ".join(f"{name} {count:,}" for name, count in results.tally.unclassified.most_common())
            self._line(f"taken for refusals, though not declared as rejections: {names}", style="yellow")

    def _reasons(self, reasons: Counter[tuple[str, str]]) -> None:
        """How far the reasons given for rejections are those of the reference: that is no matter of right or wrong."""
        if not reasons:
            return
        other = Counter({key: count for key, count in reasons.items() if key[0] != key[1]})
        pairs = ", ".join(f"{given} for {reference} {count:,}" for (reference, given), count in other.most_common(3))
        same = reasons.total() - other.total()
        self._line(f"reasons: {same:,} as the reference, {other.total():,} other" + (f" ({pairs})" if pairs else ""))

    def _profile(self, results: Results) -> None:
        """What it does where the protocol leaves it open: neither right nor wrong."""
        for text, rules in profile_texts(results).items():
            self._line(f"left open by the protocol, {text}: {', '.join(rules)}")

    def _known(self, results: Results) -> None:
        seen = results.seen()
        if seen:
            self._line(f"{len(seen)} known failure{'s' if len(seen) > 1 else ''}", style="bold cyan")
        for entry, found in seen:
            self._line("")
            self._line(f"known: {headline(found)} of {entry.shown_messages}", style="cyan")
            self._line(f"reason: {entry.reason}", indent=INDENT)
            self._case(found)
        if seen:
            self._line("")

    def _errors(self, errors: list[tuple[str, str]]) -> None:
        """Errors that are nobody's finding: of the suite, or of its set-up."""
        for item, text in errors[:MAXIMUM_ERRORS]:
            self._line(f"error in {item}, not a finding:", style="bold red")
            self._line(text)
        if errors:
            self._line(f"{len(errors)} items ended in errors: what they would have found is unknown", style="bold red")

    def _findings(self, findings: list[Finding]) -> None:
        if not findings:
            self._line("no new findings", style="bold green")
            return
        self._line(f"{len(findings)} new finding{'s' if len(findings) > 1 else ''}, gravest first", style="bold red")
        for number, finding in enumerate(findings[:MAXIMUM_FINDINGS], start=1):
            self._finding(number, finding)
        if len(findings) > MAXIMUM_FINDINGS:
            self._line(f"... and {len(findings) - MAXIMUM_FINDINGS} more: see --report")

    def _finding(self, number: int, finding: Finding) -> None:
        self._line("")
        self._line(f"{number}. {headline(finding)}", style="bold")
        for line in rule_lines(finding.rule):
            self._line(line, indent=INDENT)
        self._case(finding)

    def _case(self, finding: Finding) -> None:
        """The smallest case: where, what, and how to see it again."""
        self._line(place_line(finding.smallest), indent=INDENT)
        for line in comparison_lines(finding.smallest):
            self._line(line, indent=INDENT)
        self._line(replay_line(self._impl, self._release, finding.smallest), indent=INDENT, style="green")
