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
    Kind.UNREPRESENTABLE: "cannot be held by its types",
    Kind.UNSUPPORTED: "not offered",
    Kind.NOT_RUN: "skipped, since inputs before them had ended the child process or hung",
}
"""Outcomes of cases that were not tested, and the reasons."""


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

    Of many such parts the reasons are shown only if it is `verbose`.
    """
    yield from _tested(results)
    if results.shared.release:
        yield str(results.shared), ""
    if parts:
        has_reasons = verbose or len(parts) <= MAXIMUM_PARTS
        names = [f"{part.what} ({part.why})" if has_reasons else part.what for part in parts]
        yield f"not tested: {', '.join(names)}" + ("" if has_reasons else "; -v says why"), ""
    for category, text in results.declared[:MAXIMUM_DECLARED]:
        yield f"{category}: {text}", ""
    if len(results.declared) > MAXIMUM_DECLARED:
        yield f"note: {len(results.declared) - MAXIMUM_DECLARED} more notes are in the report", ""
    if results.tally.waited:
        yield f"waiting for hangs: {results.tally.waited:.0f} seconds", ""
    yield from _limits(results)
    yield from _not_tested(results)
    yield from _unasked(results)
    yield from _undeclared(results)
    yield from _reasons(results.tally.reasons)
    for way, rules in profile_texts(results).items():
        yield f"left open by the protocol, {way}: {', '.join(rules)}", ""
    readings = [f"{rule} ({reading}, {count:,})" for (rule, reading), count in sorted(results.tally.readings.items())]
    if readings:
        yield f"left open by the protocol, read otherwise than by Apache Kafka: {', '.join(readings)}", ""


def _tested(results: Results) -> Iterator[Styled]:
    """Yield the cases by kind, then the outcomes of each direction."""
    cases = ", ".join(f"{count:,} {kind}" for kind, count in sorted(results.tally.cases.items()))
    yield f"tested: {cases or 'nothing'}", ""
    yield from _inconclusive(results)
    for direction in ("encode", "decode"):
        kinds = {kind: count for (way, kind), count in sorted(results.tally.outcomes.items()) if way == direction}
        if kinds:
            yield f"{direction}: " + ", ".join(f"{count:,} {kind}" for kind, count in kinds.items()), ""


def _inconclusive(results: Results) -> Iterator[Styled]:
    """Yield what became of inputs whose valid base is refused: the base was tamed, or they were not counted."""
    adapted, inconclusive = results.tally.adapted, results.tally.inconclusive
    shares = [f"{100 * share:.1f} % of {category}" for category, share in conclusive_shares(results).items()]
    if shares:
        yield f"effective, since made from a value that is read or written: {', '.join(shares)}", ""
    if adapted:
        pairs, fields = len({pair for pair, _ in adapted}), Counter(path.rpartition(".")[2] for _, path in adapted)
        most = ", ".join(f"{field or 'the message'} {count:,}" for field, count in fields.most_common(MAXIMUM_MESSAGES))
        yield f"tamed bases: {pairs:,} pairs, in which inputs are made from other values than usual: {most}", ""
    for category in sorted({category for category, _ in inconclusive}):
        pairs_of = Counter({pair: count for (other, pair), count in inconclusive.items() if other == category})
        most = ", ".join(f"{pair} {count:,}" for pair, count in pairs_of.most_common(MAXIMUM_MESSAGES))
        text = f"not tested: {pairs_of.total():,} {category} rest on a refused base"
        yield f"{text}; most in {most}", ""


def conclusive_shares(results: Results) -> dict[str, float]:
    """Return, by sort of case, the fraction of the cases that do not rest on a refused base."""
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
        how = "declare what is meant, as `limits` of an adapter or --limit of a server"
        yield f"limits that were met and are not declared; {how}: {' '.join(proposed)}", "yellow"
    if tally.beyond:
        names = ", ".join(f"{name} {count:,}" for name, count in sorted(tally.beyond.items()))
        yield f"refused beyond a declared limit, as is legal: {names}", ""


def limit_text(name: str, taken: int, refused: int, declared: int) -> str:
    """Return what a run has seen of a limit; see `Tally.limits`."""
    seen = f"{name} {taken:,} taken" + (f", {refused:,} refused" if refused > 0 else "")
    if declared < 0:
        return seen
    if taken > declared:
        return f"{seen}: declared {declared:,}, which is no limit"
    is_met = refused == declared + 1 or taken == declared
    return f"{seen}, as declared" if is_met else f"{seen}: declared {declared:,}, which was not reached"


def _not_tested(results: Results) -> Iterator[Styled]:
    """Yield how many cases were skipped, their share of all cases, and the messages that most of them are of."""
    total = sum(results.tally.outcomes.values())
    for kind, reason in NOT_TESTED.items():
        messages = _by_message(results, kind)
        if messages:
            share = 100 * messages.total() / total
            most = ", ".join(f"{message} {count:,}" for message, count in messages.most_common(MAXIMUM_MESSAGES))
            yield f"{kind}: {messages.total():,} cases ({share:.1f} %) {reason}; most in {most}", ""


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
        yield f"not asked, or not to the end: {count:,} items, since {why}", "yellow"


def _undeclared(results: Results) -> Iterator[Styled]:
    """Yield exceptions that the adapter does not declare as rejections: often they are its own mistakes."""
    if results.tally.unclassified:
        names = ", ".join(f"{name} {count:,}" for name, count in results.tally.unclassified.most_common())
        yield f"counted as rejections, though the adapter does not declare them: {names}", "yellow"


def _reasons(reasons: Counter[tuple[str, str]]) -> Iterator[Styled]:
    """Yield how many of the reasons for rejections are those of the reference; another reason is not a finding."""
    if not reasons:
        return
    other = Counter({key: count for key, count in reasons.items() if key[0] != key[1]})
    pairs = ", ".join(f"{given} for {reference} {count:,}" for (reference, given), count in other.most_common(3))
    same = reasons.total() - other.total()
    yield f"reasons: {same:,} as the reference, {other.total():,} other" + (f" ({pairs})" if pairs else ""), ""
