"""The counts of a summary, of what was tested, what was not and why, and of unspecified input."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from conformance.judge.count_lines import AFTER_DEATH, UNASKED
from conformance.report.words import counted, listed
from conformance.targets.declared_limits import FLOORS
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.report.facts import RunReport

Styled = tuple[str, str]
"""A line and its style."""

MAXIMUM_PARTS = 3
"""The number of untested parts named without -v."""

MAXIMUM_NOTES = 3
"""The number of notes shown without -v."""

NOT_TESTED = {
    Kind.UNREPRESENTABLE: "values that its types cannot hold",
    Kind.UNSUPPORTED: "not offered",
    Kind.NOT_RUN: "after inputs that ended the child process or hung, or for lack of processors or memory",
}
"""The outcomes of untested cases, and the reasons."""

WAYS = {"accepts": "accepted", "rejects": "rejected", "accepts some": "accepted and rejected"}
"""The words of a summary for the behaviour on unspecified bytes, by those of a profile."""


def short_counts(report: RunReport) -> Iterator[Styled]:
    """Yield what a user has to act on, and one line of what was not tested."""
    notes = [text for kind, text in report.declared if kind == "note"]
    yield from ((f"note: {text}", "") for text in notes[:MAXIMUM_NOTES])
    if len(notes) > MAXIMUM_NOTES:
        yield f"note: {counted(len(notes) - MAXIMUM_NOTES, 'more note')}; -v shows each", ""
    yield from _proposed_limits(report)
    yield from _unasked(report)
    yield from _after_deaths(report)
    yield from _undeclared(report)
    if report.shared.release:
        yield str(report.shared), ""
    missing = ", ".join(_untested(report))
    if missing:
        yield f"not tested: {missing}; -v says why", ""


def _untested(report: RunReport) -> Iterator[str]:
    if report.parts:
        yield listed([what for what, _ in report.parts], MAXIMUM_PARTS, "part")
    for kind, calls in _calls(report).items():
        yield f"{counted(calls.total(), 'call')} {kind}"
    inconclusive = sum(report.inconclusive.values())
    if inconclusive:
        yield f"{counted(inconclusive, 'case')} inconclusive"


def all_counts(report: RunReport) -> Iterator[Styled]:
    """Yield the lines of all counts except findings, as -v shows them."""
    yield from _tested(report)
    if report.shared.release:
        yield str(report.shared), ""
    if report.parts:
        yield f"not tested: {', '.join(f'{what} ({why})' for what, why in report.parts)}", ""
    yield from ((f"{kind}: {text}", "") for kind, text in report.declared)
    yield from _limits(report)
    yield from _proposed_limits(report)
    yield from _not_tested(report)
    yield from _unasked(report)
    yield from _after_deaths(report)
    yield from _undeclared(report)
    yield from _reasons(report.reasons)
    yield from _unspecified(report)


def _tested(report: RunReport) -> Iterator[Styled]:
    cases = ", ".join(f"{count:,} {kind}" for kind, count in sorted(report.cases.items()))
    yield f"tested: {cases or 'nothing'}", ""
    yield from _bases(report)
    for direction in ("encode", "decode"):
        kinds = {kind: count for (way, kind), count in sorted(report.outcomes.items()) if way == direction}
        if kinds:
            yield f"{direction} calls: " + ", ".join(f"{kind} {count:,}" for kind, count in kinds.items()), ""


def _bases(report: RunReport) -> Iterator[Styled]:
    shares = [f"{category} {100 * share:.1f} %" for category, share in report.conclusive.items()]
    if shares:
        yield f"conclusive (built on an accepted value): {', '.join(shares)}", ""
    if report.adapted_bases:
        fields = Counter(path.rpartition(".")[2] for _, path in report.adapted_bases)
        versions = counted(len({pair for pair, _ in report.adapted_bases}), "message version")
        most = _most(Counter({field or "the message": count for field, count in fields.items()}))
        yield f"adapted: base values of {versions} (the usual ones are rejected or misread): {most}", ""
    for category in sorted({category for category, _ in report.inconclusive}):
        pairs = Counter({pair: count for (other, pair), count in report.inconclusive.items() if other == category})
        yield f"inconclusive: {pairs.total():,} {category} (built on a rejected value); most in {_most(pairs)}", ""


def _most(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.most_common())


def _limits(report: RunReport) -> Iterator[Styled]:
    texts = [limit_text(each.name, each.taken, each.refused, each.declared) for each in report.limits]
    if texts:
        yield f"limits: {'; '.join(texts)}", ""
    if report.beyond:
        names = ", ".join(f"{name} {count:,}" for name, count in sorted(report.beyond.items()))
        yield f"rejected beyond a declared limit, which is allowed: {names}", ""


def _proposed_limits(report: RunReport) -> Iterator[Styled]:
    proposed = [
        f"{each.name}={each.taken}"
        for each in report.limits
        if each.refused > 0 > each.declared and each.taken >= FLOORS[each.name]
    ]
    if proposed:
        how = "declare them as `limits` of an adapter, or by --limit of a server"
        yield f"undeclared limits: {' '.join(proposed)}; {how}", "magenta"


def limit_text(name: str, taken: int, refused: int, declared: int) -> str:
    """Return the text about a limit in a run, see `Limit`."""
    seen = f"{name} {taken:,} taken" + (f", {refused:,} refused" if refused > 0 else "")
    if declared < 0:
        return seen
    if taken > declared:
        return f"{seen}: declared {declared:,}, which is no limit"
    is_met = refused == declared + 1 or taken == declared
    return f"{seen}, as declared" if is_met else f"{seen}: declared {declared:,}, which was not reached"


def _calls(report: RunReport) -> dict[Kind, Counter[str]]:
    # Those left out in the course of a run have lines of their own.
    counts = {kind: Counter[str]() for kind in NOT_TESTED}
    for each in report.untested:
        if not each.reason.startswith((UNASKED, AFTER_DEATH)):
            counts[Kind(each.kind)][each.message] += each.count
    return {kind: messages for kind, messages in counts.items() if messages}


def _not_tested(report: RunReport) -> Iterator[Styled]:
    total = sum(report.outcomes.values())
    for kind, messages in _calls(report).items():
        share = 100 * messages.total() / max(total, 1)
        yield f"{kind}: {messages.total():,} cases ({share:.1f} %), {NOT_TESTED[kind]}; most in {_most(messages)}", ""


def _by_reason(report: RunReport, prefix: str) -> Counter[str]:
    counts: Counter[str] = Counter()
    for each in report.untested:
        if each.reason.startswith(prefix):
            counts[each.reason.removeprefix(prefix)] += each.count
    return counts


def _unasked(report: RunReport) -> Iterator[Styled]:
    for why, count in sorted(_by_reason(report, UNASKED).items()):
        yield f"not asked, or not to the end: {count:,} items ({why})", "magenta"


def _after_deaths(report: RunReport) -> Iterator[Styled]:
    requests = _by_reason(report, AFTER_DEATH)
    if requests:
        total = counted(requests.total(), "request")
        yield f"not sent after a death: {total} like one that ended the server ({_most(requests)})", "magenta"


def _undeclared(report: RunReport) -> Iterator[Styled]:
    # They are often its own mistakes.
    if report.unclassified:
        names = _most(Counter(report.unclassified))
        yield f"undeclared exceptions, counted as rejections: {names}", "magenta"


def _reasons(reasons: Mapping[tuple[str, str], int]) -> Iterator[Styled]:
    if not reasons:
        return
    other = Counter({key: count for key, count in reasons.items() if key[0] != key[1]})
    pairs = ", ".join(f"{given} for {reference} {count:,}" for (reference, given), count in other.most_common(3))
    same = sum(reasons.values()) - other.total()
    differ = f"{other.total():,} differ" + (f" ({pairs})" if pairs else "")
    yield f"rejection reasons: {same:,} agree with the reference, {differ}", ""


def _unspecified(report: RunReport) -> Iterator[Styled]:
    rules: dict[str, list[str]] = {}
    for rule, profile in sorted(report.profiles.items()):
        rules.setdefault(profile.text, []).append(rule)
    for way, named in rules.items():
        yield f"unspecified, {WAYS[way]}: {', '.join(named)}", ""
    readings = [f"{rule} ({reading}, {counted(count, 'case')})" for (rule, reading), count in report.readings.items()]
    if readings:
        yield f"unspecified, decoded differently from Apache Kafka: {', '.join(readings)}", ""
