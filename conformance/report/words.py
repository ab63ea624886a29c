"""The words of all outputs for a run, its causes and its findings.

Texts from an implementation are made printable here, without control characters and bidirectional marks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from conformance.definitions.allocations import allocation_of
from conformance.definitions.catalogue import Rule, catalogue
from conformance.judge.findings.extent import Completeness
from conformance.judge.findings.finding import ENDS
from conformance.judge.findings.lines import KnownFailureLine
from conformance.judge.findings.wording import length_of
from conformance.judge.levels import sentence_of
from conformance.system.printable import printable
from conformance.targets.outcome import Kind
from reference import ConformanceError, load_release, releases
from reference.definitions.model import ranges_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.judge.findings.lines import FindingLine
    from conformance.judge.forms import Broken
    from conformance.report.facts import ReportedCause, RunReport

MAXIMUM_SHOWN = 200
"""The highest number of characters shown of bytes or of a text. The report has all of them."""

MAXIMUM_NAMED = 2
"""The number of messages named of a finding; the report has all of them."""

MAXIMUM_HEX = 96
"""The highest number of hex digits shown, around the first difference."""

MINIMUM_HEX = 16

AROUND_HEX = 30
"""The number of characters beside the hex digits of a line, like `expected  ...` and `... (70000 bytes)`."""

_HEX = frozenset("0123456789abcdef")

IMPACT_TEXTS = {
    "valid-rejected": "rejects valid input",
    "wrong-value": "reads a wrong value",
    "wrong-bytes": "writes wrong bytes",
    "fatal": "crashes",
    "invalid-accepted": "accepts invalid input",
}
"""The impact of a finding on users, in words."""

_TEXTS_OF_ENDS = {
    Kind.CRASHED: "crashes",
    Kind.TIMED_OUT: "hangs",
    Kind.EXHAUSTED_MEMORY: "exhausts memory",
}

PASSED, FAILED, UPDATED, INTERRUPTED = "PASSED", "FAILED", "UPDATED", "INTERRUPTED"
"""The first words of a verdict. UPDATED is that of a run that has written its findings as known failures."""


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, like `1 pair` or `1,204 cases`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def shortened(text: str, maximum: int = MAXIMUM_SHOWN) -> str:
    """Return the first characters of a text, printable, with the number of all characters of a longer text."""
    text = printable(text)
    return text if len(text) <= maximum else f"{text[:maximum]}... ({length_of(text):,} characters)"


def listed(texts: Sequence[str], maximum: int, noun: str = "") -> str:
    """Return the first texts in one line, and the number of others."""
    more = len(texts) - maximum
    rest = [f"and {more:,} more {noun}".rstrip() + ("s" if noun and more > 1 else "")] if more > 0 else []
    return ", ".join([*texts[:maximum], *rest])


def release_title(release: str) -> str:
    """Return the title of a release by its name, like `Kafka 4.4.0`."""
    try:
        return load_release(release).title if release in releases() else release
    except ConformanceError:
        return release


def title_of(report: RunReport) -> str:
    """Return the title of a run, like `kio 0.6.5 against Kafka 4.4.0`."""
    return printable(f"{report.title} against {release_title(report.release)}")


def extent_of(report: RunReport) -> str:
    """Return the state and the reason of the extent of an incomplete run, or "" for a whole run."""
    return "" if report.extent.is_complete else printable(str(report.extent))


def causes_text(report: RunReport) -> str:
    """Return the number of causes of a run, each of which one fix repairs, like `12 causes (18 findings), 9 known`."""
    if not report.all_causes:
        return "no findings"
    findings = sum(len(cause.findings) for cause in report.all_causes)
    known = len(report.known_causes)
    mark = ", all known" if known == len(report.all_causes) else f", {known:,} known" if known else ""
    return f"{counted(len(report.all_causes), 'cause')} ({counted(findings, 'finding')}){mark}"


class RunVerdict(NamedTuple):
    """The verdict on a run, with its first word, the rest, and whether it passes."""

    word: str
    text: str

    @property
    def passes(self) -> bool:
        """Whether the run passes."""
        return self.word in {PASSED, UPDATED}

    def __str__(self) -> str:
        return printable(f"{self.word}: {self.text}")


def verdict_of(report: RunReport, word: str = "", why: str = "", seconds: float | None = None) -> RunVerdict:
    """Return the verdict on a run.

    `word` is by default the one that follows from the report. `why` is a reason for a failure that is not in the
    report.
    """
    is_early = report.extent.state in {Completeness.COLLECTED, Completeness.INTERRUPTED}
    word = word or (PASSED if report.is_passed and not why else INTERRUPTED if is_early else FAILED)
    texts = [*([why] if why else []), *_problems(report)]
    if word == UPDATED:
        texts.append("written as known failures, whose reasons are to be given")
    return RunVerdict(word, "; ".join([*texts, *_cases(report, seconds)]))


def _problems(report: RunReport) -> Iterator[str]:
    faults = sum(remark.is_fault for remark in report.remarks) or len(report.stale)
    if faults:
        yield f"{counted(faults, 'fault')} of the known failures, see above"
    if report.errors:
        yield f"{counted(len(report.errors), 'item')} ended in errors: what they would have found is unknown"
    if report.faults and not report.causes:
        yield "no verdict on the implementation, the adapter itself is at fault"
    elif report.all_causes or not report.errors:
        yield causes_text(report)


def _cases(report: RunReport, seconds: float | None) -> list[str]:
    cases = sum(report.cases.values())
    took = "" if seconds is None else f" in {seconds:.0f} s"
    return [f"{counted(cases, 'case')}{took}"] if cases or took else []


def impact_text(finding: FindingLine) -> str:
    """Return the impact of a finding on users, in words."""
    return _TEXTS_OF_ENDS[Kind(finding.outcome)] if finding.outcome in ENDS else IMPACT_TEXTS[finding.impact]


def impacts_text(causes: Iterable[ReportedCause]) -> str:
    """Return the number of causes with each impact, like `crashes 4, rejects valid input 7`."""
    counts = Counter(impact_text(cause.finding) for cause in causes)
    return ", ".join(f"{impact} {count:,}" for impact, count in counts.items())


def headline(finding: FindingLine) -> str:
    """Return one line with the impact, rule, level, outcome, cases and message versions of a finding."""
    times = counted(finding.count, "case") if finding.count else "random cases"
    pairs = counted(len(finding.pairs), "message version")
    rule = f"{finding.rule} ({finding.outcome}), {finding.level}"
    return printable(f"{impact_text(finding)}: {rule}: {times} in {pairs}")


def sentence(report: RunReport, finding: FindingLine) -> str:
    """Return a finding as a sentence, like `kio crashes: batch.length, in ProduceRequest v3 and 4 more versions`."""
    more = len(finding.pairs) - 1
    place = f"{finding.example.message} v{finding.example.version}"
    place += f" and {counted(more, 'more message version')}" if more > 0 else ""
    return printable(f"{report.implementation} {impact_text(finding)}: {finding.rule}, in {place}")


def rule_lines(case: Broken) -> list[str]:
    """Return the text of the rule that a case breaks, its sources, and the command for more."""
    rule: Rule | None = catalogue().get(case.rule)
    if rule is None:
        return []
    sources = ", ".join(rule.sources)
    return [sentence_of(case.rule, case.side, case.outcome), f"source: {sources}; kafka-conformance rules {rule.id}"]


class Detail(NamedTuple):
    """A line about a finding, and whether it must stay whole, like a command or bytes."""

    text: str
    is_whole: bool = False


def details(
    finding: FindingLine,
    tried: Mapping[str, Sequence[int]] | None = None,
    width: int = MAXIMUM_HEX + AROUND_HEX,
    named: int = MAXIMUM_NAMED,
    *,
    is_brief: bool = False,
) -> list[Detail]:
    """Return the lines about a finding below its headline, as its rule, fields, versions, example and replay line.

    All versions of each message are named if `tried` has more. `width` is the length of a line with bytes, and `named`
    the number of messages named, of fields one more. With `is_brief` the sources of the rule are left out.
    """
    case = finding.example
    found = [
        *map(Detail, rule_lines(case)[: 1 if is_brief else None]),
        *map(Detail, _facts(finding, tried or {}, named)),
    ]
    found += [Detail(place_line(case)), *(Detail(line, is_whole=True) for line in comparison_lines(case, width))]
    if isinstance(finding, KnownFailureLine):
        found += [Detail(f"known failure: {finding.reason}"), Detail(finding.link, is_whole=True)]
    found.append(Detail(finding.replay, is_whole=True))
    return [Detail(printable(line.text), line.is_whole) for line in found if line.text]


def _facts(finding: FindingLine, tried: Mapping[str, Sequence[int]], named: int) -> Iterator[str]:
    if finding.cluster:
        yield f"it says: {shortened(finding.cluster)}"
    fields = [f"{field or 'the message'} {count:,}" for field, count in finding.fields.items()]
    yield f"fields: {listed(fields, named + 1)}"
    if finding.common:
        yield f"in common: {' and '.join(finding.common)}, in each of these cases and in none that passed"
    if finding.amplification:
        yield amplification_line(finding)
    if len(finding.pairs) > 1 or len(tried.get(finding.example.message, ())) > 1:
        yield f"versions: {versions_text(finding.pairs, tried, named)}"


def amplification_line(finding: FindingLine) -> str:
    """Return the time or memory for the bytes of a finding, beside the memory for them in Apache Kafka."""
    beside = allocation_of(finding.rule) if finding.amplification and finding.amplification.memory else None
    return f"amplification: {finding.amplification}" + (f". {beside}" if beside else "")


def versions_text(
    pairs: Iterable[str], tried: Mapping[str, Sequence[int]] | None = None, maximum: int = MAXIMUM_NAMED
) -> str:
    """Return pairs by message, like `FetchRequest v4-12, HeartbeatRequest v0`.

    A pair without a version stands for itself. All versions of each message are named if `tried` has more.
    """
    versions: defaultdict[str, list[int]] = defaultdict(list)
    others = []
    for pair in pairs:
        message, dash, version = pair.rpartition("-v")
        if dash and version.isdecimal():
            versions[message].append(int(version))
        else:
            others.append(pair)
    named = [
        f"{message} v{_ranges(numbers)}" + _beside((tried or {}).get(message, numbers), numbers)
        for message, numbers in sorted(versions.items())
    ]
    return listed([*named, *sorted(others)], maximum, "message")


def _ranges(numbers: Sequence[int]) -> str:
    return "+".join(map(str, ranges_of(sorted(numbers))))


def _beside(tried: Sequence[int], numbers: Sequence[int]) -> str:
    return f" (tried: v{_ranges(tried)})" if len(tried) > len(numbers) else ""


def follower_line(finding: FindingLine) -> str:
    """Return one line about a finding that follows from another one, with the reason."""
    why = finding.follows.why if finding.follows else ""
    return f"follows: {headline(finding)}; {why}"


def place_line(case: Broken) -> str:
    """Return the direction, message, version, field and name of a case."""
    field = f", field {case.path}" if case.path else ""
    name = f", case {case.case}" if case.case and case.case != case.path else ""
    return f"{case.direction} {case.message} v{case.version}{field}{shortened(name)}"


def comparison_lines(case: Broken, width: int = MAXIMUM_HEX + AROUND_HEX) -> list[str]:
    """Return the expected and the actual side in lines of at most `width`, with a caret at the first wrong byte."""
    expected, actual = case.expected, case.actual
    size = max(MINIMUM_HEX, min(MAXIMUM_HEX, width - AROUND_HEX)) // 2 * 2
    if not (_is_hex(expected) and _is_hex(actual)):
        sides = (("expected", expected), ("actual", actual))
        return [f"{side:<10}{shortened(text, size if _is_hex(text) else MAXIMUM_SHOWN)}" for side, text in sides]
    at = _first_difference(expected, actual)
    start = max(0, at - size // 2) // 2 * 2
    return [
        f"expected  {_window(expected, start, size)}",
        f"actual    {_window(actual, start, size)}",
        " " * (10 + (3 if start else 0) + at - start) + f"^^ byte {at // 2}",
    ]


def _is_hex(text: str) -> bool:
    return len(text) % 2 == 0 and _HEX.issuperset(text)


def _first_difference(expected: str, actual: str) -> int:
    pairs = zip(expected, actual, strict=False)
    at = next((index for index, (one, other) in enumerate(pairs) if one != other), min(len(expected), len(actual)))
    return at // 2 * 2


def _window(text: str, start: int, size: int) -> str:
    end = start + size
    return ("..." if start else "") + text[start:end] + (f"... ({len(text) // 2} bytes)" if end < len(text) else "")
