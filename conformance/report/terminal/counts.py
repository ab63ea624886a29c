"""How much was tested, what was not and why, and what the implementation does where the protocol leaves it open."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Protocol

from conformance.codec.declared_limits import FLOORS
from conformance.codec.outcome import Kind
from conformance.codec.tally import UNASKED
from conformance.judge.case import MADE_FROM_BASES
from conformance.judge.findings.results import profile_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.judge.findings.results import Results

Styled = tuple[str, str]
"""A line, and the style that it is shown in."""

MAXIMUM_MESSAGES = 5
"""How many messages are named of those that most cases are missing of."""

MAXIMUM_PARTS = 4
"""Of more parts than these that are not tested, the reasons are shown only with -v."""

MAXIMUM_DECLARED = 10
"""How many representations and notes of an adapter are shown."""

NOT_TESTED = {
    Kind.UNREPRESENTABLE: "values that its types cannot hold",
    Kind.UNSUPPORTED: "not offered",
    Kind.NOT_RUN: "skipped after inputs that ended the child process or hung",
}
"""Outcomes of cases that were not tested, and the reasons."""


WAYS = {"accepts": "accepted", "rejects": "rejected", "accepts some and rejects some": "accepted and rejected"}
"""What is done with unspecified bytes, for the words of `profile_texts`."""


class Untested(Protocol):
    """Something that was not tested."""

    @property
    def what(self) -> str:
        """Its name."""

    @property
    def why(self) -> str:
        """The reason."""


def count_lines(results: Results, parts: Sequence[Untested], *, verbose: bool = True) -> Iterator[Styled]:
    """Yield everything that is counted and is no finding; `parts` is what the adapter does not offer.

    With `verbose` the reasons of many such parts are shown, all messages and fields, and all notes.
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
    """Yield how many inputs are conclusive, and what became of those with a base value that is rejected."""
    adapted, inconclusive = results.tally.adapted, results.tally.inconclusive
    shares = [f"{category} {100 * share:.1f} %" for category, share in conclusive_shares(results).items()]
    if shares:
        yield f"conclusive (built on an accepted value): {', '.join(shares)}", ""
    if adapted:
        pairs, fields = len({pair for pair, _ in adapted}), Counter(path.rpartition(".")[2] for _, path in adapted)
        most = ", ".join(f"{field or 'the message'} {count:,}" for field, count in fields.most_common(shown))
        versions = f"{pairs:,} message version{'s' if pairs != 1 else ''}"
        yield f"adapted: base values of {versions} (the usual ones are rejected): {most}", ""
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
    """Yield the sizes that are taken and refused, beside the declared limits, and what was refused beyond them."""
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
    """Return what a run has seen of a limit; see `Tally.limits`."""
    seen = f"{name} {taken:,} taken" + (f", {refused:,} refused" if refused > 0 else "")
    if declared < 0:
        return seen
    if taken > declared:
        return f"{seen}: declared {declared:,}, which is no limit"
    is_met = refused == declared + 1 or taken == declared
    return f"{seen}, as declared" if is_met else f"{seen}: declared {declared:,}, which was not reached"


def _not_tested(results: Results, shown: int | None) -> Iterator[Styled]:
    """Yield how many cases were skipped, their share of all cases, and the messages that most of them are of."""
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
        if outcome == kind and not why.startswith(UNASKED):
            messages[message] += count
    return messages


def _unasked(results: Results) -> Iterator[Styled]:
    """Yield what a server was not asked any more, and why."""
    items: Counter[str] = Counter()
    for (_, _, why), count in results.tally.not_tested.items():
        if why.startswith(UNASKED):
            items[why.removeprefix(UNASKED)] += count
    for why, count in sorted(items.items()):
        yield f"not asked, or not to the end: {count:,} items ({why})", "yellow"


def _undeclared(results: Results) -> Iterator[Styled]:
    """Yield exceptions that the adapter does not declare as rejections: often they are its own mistakes."""
    if results.tally.unclassified:
        names = ", ".join(f"{name} {count:,}" for name, count in results.tally.unclassified.most_common())
        yield f"undeclared exceptions, counted as rejections: {names}", "yellow"


def _reasons(reasons: Counter[tuple[str, str]]) -> Iterator[Styled]:
    """Yield how many reasons for rejections agree with the reference. Another reason is no finding."""
    if not reasons:
        return
    other = Counter({key: count for key, count in reasons.items() if key[0] != key[1]})
    pairs = ", ".join(f"{given} for {reference} {count:,}" for (reference, given), count in other.most_common(3))
    same = reasons.total() - other.total()
    differ = f"{other.total():,} differ" + (f" ({pairs})" if pairs else "")
    yield f"rejection reasons: {same:,} agree with the reference, {differ}", ""
