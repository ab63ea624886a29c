"""The counts of a summary.

They say how much was tested, which parts and cases were not and why, and how the implementation treats unspecified
input.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Protocol

from conformance.codec.declared_limits import FLOORS
from conformance.codec.outcome import Kind
from conformance.codec.tally import AFTER_DEATH, UNASKED
from conformance.judge.case import MADE_FROM_BASES
from conformance.judge.findings.results import profile_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.judge.findings.results import Results

Styled = tuple[str, str]
"""A line and its style."""

MAXIMUM_MESSAGES = 5
"""The number of messages named among those with most missing cases."""

MAXIMUM_PARTS = 4
"""The number of untested parts shown with their reasons; with more of them, the reasons need -v."""

MAXIMUM_DECLARED = 10
"""The number of representations and notes shown of an adapter."""

NOT_TESTED = {
    Kind.UNREPRESENTABLE: "values that its types cannot hold",
    Kind.UNSUPPORTED: "not offered",
    Kind.NOT_RUN: "after inputs that ended the child process or hung, or for lack of processors or memory",
}
"""The outcomes of untested cases, and the reasons."""


WAYS = {"accepts": "accepted", "rejects": "rejected", "accepts some and rejects some": "accepted and rejected"}
"""The words of a summary for the behaviour on unspecified bytes, by those of `profile_texts`."""


class Untested(Protocol):
    """An untested part of the suite."""

    @property
    def what(self) -> str:
        """Its name."""

    @property
    def why(self) -> str:
        """The reason."""


def count_lines(results: Results, parts: Sequence[Untested], *, verbose: bool = True) -> Iterator[Styled]:
    """Yield the lines of all counts except findings.

    Args:
        results: the results of a run.
        parts: the parts of the suite not offered by the adapter.
        verbose: whether the reasons of many parts, all messages and fields, and all notes are shown.
    """
    shown = None if verbose else MAXIMUM_MESSAGES
    yield from _tested(results, shown)
    if results.shared.release:
        yield str(results.shared), ""
    if parts:
        has_reasons = verbose or len(parts) <= MAXIMUM_PARTS
        names = [f"{part.what} ({part.why})" if has_reasons else part.what for part in parts]
        yield f"not tested: {', '.join(names)}" + ("" if has_reasons else "; -v says why"), ""
    declared = results.declared if verbose else results.declared[:MAXIMUM_DECLARED]
    for kind, text in declared:
        yield f"{kind}: {text}", ""
    if more := len(results.declared) - len(declared):
        yield f"note: {more} more notes are in the report; -v shows them", ""
    if results.tally.waited:
        yield f"hangs: waited {results.tally.waited:.0f} seconds for them", ""
    yield from _limits(results)
    yield from _not_tested(results, shown)
    yield from _unasked(results)
    yield from _after_deaths(results)
    yield from _undeclared(results)
    yield from _reasons(results.tally.reasons)
    for way, rules in profile_texts(results).items():
        yield f"unspecified, {WAYS[way]}: {', '.join(rules)}", ""
    readings = [
        f"{rule} ({reading}, {count:,} case{'s' if count != 1 else ''})"
        for (rule, reading), count in sorted(results.tally.readings.items())
    ]
    if readings:
        yield f"unspecified, decoded differently from Apache Kafka: {', '.join(readings)}", ""


def _tested(results: Results, shown: int | None) -> Iterator[Styled]:
    """Yield the cases by kind, then the outcomes of each direction."""
    cases = ", ".join(f"{count:,} {kind}" for kind, count in sorted(results.tally.cases.items()))
    yield f"tested: {cases or 'nothing'}", ""
    yield from _bases(results, shown)
    for direction in ("encode", "decode"):
        kinds = {kind: count for (way, kind), count in sorted(results.tally.outcomes.items()) if way == direction}
        if kinds:
            yield f"{direction} calls: " + ", ".join(f"{kind} {count:,}" for kind, count in kinds.items()), ""


def _bases(results: Results, shown: int | None) -> Iterator[Styled]:
    """Yield the share of conclusive cases, and the lines of cases with a rejected base value."""
    adapted, inconclusive = results.tally.adapted, results.tally.inconclusive
    shares = [f"{category} {100 * share:.1f} %" for category, share in conclusive_shares(results).items()]
    if shares:
        yield f"conclusive (built on an accepted value): {', '.join(shares)}", ""
    if adapted:
        pairs, fields = len({pair for pair, _ in adapted}), Counter(path.rpartition(".")[2] for _, path in adapted)
        most = ", ".join(f"{field or 'the message'} {count:,}" for field, count in fields.most_common(shown))
        versions = f"{pairs:,} message version{'s' if pairs != 1 else ''}"
        yield f"adapted: base values of {versions} (the usual ones are rejected or misread): {most}", ""
    for category in sorted({category for category, _ in inconclusive}):
        pairs_of = Counter({pair: count for (other, pair), count in inconclusive.items() if other == category})
        most = ", ".join(f"{pair} {count:,}" for pair, count in pairs_of.most_common(shown))
        yield f"inconclusive: {pairs_of.total():,} {category} (built on a rejected value); most in {most}", ""


def conclusive_shares(results: Results) -> dict[str, float]:
    """Return the fraction of conclusive cases in each category."""
    inconclusive: Counter[str] = Counter()
    for (category, _), count in results.tally.inconclusive.items():
        inconclusive[category] += count
    cases = results.tally.cases
    categories = sorted(MADE_FROM_BASES & {*cases, *inconclusive})
    return {
        category: cases[category] / (cases[category] + inconclusive[category])
        for category in categories
        if cases[category] + inconclusive[category]
    }


def _limits(results: Results) -> Iterator[Styled]:
    """Yield the accepted and refused sizes beside the declared limits, and the refusals beyond them."""
    tally = results.tally
    texts = [limit_text(*each) for each in sorted(tally.limits)]
    if texts:
        yield f"limits: {'; '.join(texts)}", ""
    proposed = [
        f"{name}={taken}"
        for name, taken, refused, declared in sorted(tally.limits)
        if refused > 0 > declared and taken >= FLOORS[name]
    ]
    if proposed:
        how = "declare them as `limits` of an adapter, or by --limit of a server"
        yield f"undeclared limits: {' '.join(proposed)}; {how}", "yellow"
    if tally.beyond:
        names = ", ".join(f"{name} {count:,}" for name, count in sorted(tally.beyond.items()))
        yield f"rejected beyond a declared limit, which is allowed: {names}", ""


def limit_text(name: str, taken: int, refused: int, declared: int) -> str:
    """Return the text about a limit in a run, see `Tally.limits`."""
    seen = f"{name} {taken:,} taken" + (f", {refused:,} refused" if refused > 0 else "")
    if declared < 0:
        return seen
    if taken > declared:
        return f"{seen}: declared {declared:,}, which is no limit"
    is_met = refused == declared + 1 or taken == declared
    return f"{seen}, as declared" if is_met else f"{seen}: declared {declared:,}, which was not reached"


def _not_tested(results: Results, shown: int | None) -> Iterator[Styled]:
    """Yield the number of skipped cases, their share of all cases, and the messages of most of them."""
    total = sum(results.tally.outcomes.values())
    for kind, reason in NOT_TESTED.items():
        messages = _by_message(results, kind)
        if messages:
            share = 100 * messages.total() / total
            most = ", ".join(f"{message} {count:,}" for message, count in messages.most_common(shown))
            yield f"{kind}: {messages.total():,} cases ({share:.1f} %), {reason}; most in {most}", ""


def _by_message(results: Results, kind: Kind) -> Counter[str]:
    messages: Counter[str] = Counter()
    for (outcome, message, why), count in results.tally.not_tested.items():
        if outcome == kind and not why.startswith((UNASKED, AFTER_DEATH)):
            messages[message] += count
    return messages


def _unasked(results: Results) -> Iterator[Styled]:
    """Yield the number of items not sent to a server any more, with the reasons."""
    items: Counter[str] = Counter()
    for (_, _, why), count in results.tally.not_tested.items():
        if why.startswith(UNASKED):
            items[why.removeprefix(UNASKED)] += count
    for why, count in sorted(items.items()):
        yield f"not asked, or not to the end: {count:,} items ({why})", "yellow"


def _after_deaths(results: Results) -> Iterator[Styled]:
    """Yield the number of requests like those that ended a server, which were not sent any more."""
    requests: Counter[str] = Counter()
    for (_, _, why), count in results.tally.not_tested.items():
        if why.startswith(AFTER_DEATH):
            requests[why.removeprefix(AFTER_DEATH)] += count
    if requests:
        names = ", ".join(f"{name} {count:,}" for name, count in requests.most_common())
        total = f"{requests.total():,} request{'s' if requests.total() != 1 else ''}"
        yield f"not sent after a death: {total} like one that ended the server ({names})", "yellow"


def _undeclared(results: Results) -> Iterator[Styled]:
    """Yield the exceptions not declared by the adapter as rejections.

    They are often its own mistakes.
    """
    if results.tally.unclassified:
        names = ", ".join(f"{name} {count:,}" for name, count in results.tally.unclassified.most_common())
        yield f"undeclared exceptions, counted as rejections: {names}", "yellow"


def _reasons(reasons: Counter[tuple[str, str]]) -> Iterator[Styled]:
    """Yield the number of reasons for rejections equal to those of the reference.

    Another reason is no finding.
    """
    if not reasons:
        return
    other = Counter({key: count for key, count in reasons.items() if key[0] != key[1]})
    pairs = ", ".join(f"{given} for {reference} {count:,}" for (reference, given), count in other.most_common(3))
    same = reasons.total() - other.total()
    differ = f"{other.total():,} differ" + (f" ({pairs})" if pairs else "")
    yield f"rejection reasons: {same:,} agree with the reference, {differ}", ""
