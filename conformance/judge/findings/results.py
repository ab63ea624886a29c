"""The results of all items of a run, and with xdist of all workers."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from conformance.codec.corrections import Fault  # noqa: TC001  # msgspec looks it up
from conformance.codec.selection import NOTHING_SHARED, Shared
from conformance.judge.case import EDGE_VALUES, GENERATED_VALUES
from conformance.judge.count_lines import UNTRIED, Inconclusive, OutcomeCount
from conformance.judge.findings.causes import causes_of
from conformance.judge.findings.finding import Common, Finding, Findings, bounded, ordered
from conformance.judge.findings.following import follows
from conformance.judge.findings.lines import Pair, RuleTried, TestCounts
from conformance.judge.forms import Broken, as_json
from conformance.judge.tally import Sum, Tally
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from conformance.judge.case import Violation
    from conformance.judge.findings.causes import Cause, Way
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.forms import Key
    from conformance.judge.forms import Pair as MessageAndVersion

PROPERTY = "kafka_conformance"
"""The name of the user property with an item's record, on its way from worker to controller."""


class FoundInItem(Struct):
    """The violations of one finding in one item.

    Attributes:
        example: the violation with the smallest weight.
        count: the number of violations.
        fields: the number of violations in each field.
        index: the index of the covering entry of known failures; -1 if none covers them.
        common: the traits of all of them that no accepted value has.
        is_reported: whether enough values were accepted to make these traits significant.
    """

    example: Broken
    count: int
    fields: dict[str, int]
    index: int = -1
    common: frozenset[str] = frozenset()
    is_reported: bool = True


class ItemResult(Struct):
    """The result of one item, in the form sent from a worker to the controller.

    Attributes:
        tally: the events whose sum is its tally.
        faults: mistakes of the adapter.
        violations: new findings.
        known: findings covered by known failures.
        failed, covered: the number of distinct cases with a new violation, and with known ones only.
        error: the traceback of an error of the suite.
    """

    tally: list[Sum]
    faults: list[Fault] = []
    violations: list[FoundInItem] = []
    known: list[FoundInItem] = []
    failed: int = 0
    covered: int = 0
    error: str = ""


class Results:
    """The sum of all items' records.

    Args:
        known_failures: the entries for this release.
        read: makes a violation of its event.
        declared: the remarks of the adapter on its implementation, each with a kind of event and a text.
        ways: the ways to find causes among findings.
        shared: the pairs left to the run of a base release.
    """

    def __init__(
        self,
        known_failures: Sequence[KnownFailure],
        read: Callable[[Broken], Violation],
        declared: Sequence[tuple[str, str]] = (),
        ways: Sequence[Way] = (),
        shared: Shared = NOTHING_SHARED,
    ) -> None:
        self.declared = tuple(declared)
        self.shared = shared
        self._read = read
        self._ways = ways
        self.known_failures = tuple(known_failures)
        self.items: Counter[str] = Counter()
        """The number of executed items of each test."""
        self.tally = Tally()
        self.findings = Findings()
        self.violations: list[tuple[Violation, int, dict[str, int]]] = []
        """The example of each finding in each item, with the number of violations, and the number in each field."""
        self.errors: list[tuple[str, str]] = []
        """Items that ended in an error of the suite, with node id and traceback."""
        self.faults: dict[str, list[str]] = {}
        """Mistakes of the adapter itself, by kind."""
        self._sides: defaultdict[str, set[str]] = defaultdict(set)
        """The directions of the calls that show a kind of mistake."""
        self.is_reported = True
        """Whether the run says anything about the adapter, which it does not without any selected test."""
        self.coverage = RunCoverage()
        self.known: defaultdict[int, Findings] = defaultdict(Findings)
        """The known findings, by the index of their entry of known failures."""

    def add(self, test: str, item: ItemResult, pair: str = "") -> None:
        """Add the result of one item of a test.

        Args:
            test: the test.
            item: the result.
            pair: the message version under test, or empty if there is none.
        """
        self.items[test] += 1
        self.coverage.add(test, pair, item)
        for kind, text, side in item.faults:
            texts = self.faults.setdefault(kind, [])
            texts += [] if text in texts else [text]
            self._sides[kind].add(side)
        for event in item.tally:
            self.tally.take(event)
        for entry in item.violations:
            violation = self._read(entry.example)
            self.violations.append((violation, entry.count, entry.fields))
            self.findings.add(violation, entry.count, entry.fields, Common(entry.common, entry.is_reported))
        for entry in item.known:
            self.known[entry.index].add(self._read(entry.example), entry.count, entry.fields)

    def all_faults(self) -> dict[str, list[str]]:
        """Return the mistakes of the adapter, and the directions without any success."""
        faults = dict(self.faults)
        for _, text in self._without_success():
            faults["never-succeeds"] = [*faults.get("never-succeeds", ()), text]
        if self.is_reported and not self.tally.cases and not (self.shared.pairs or self.shared.others):
            faults["nothing-tested"] = ["nothing was tested: the adapter offers nothing of what was selected"]
        return faults

    def _without_success(self) -> Iterator[tuple[str, str]]:
        """Yield each direction in which no call succeeded, with a text."""
        # Cases of other categories need not succeed.
        cases = self.tally.cases
        tried = cases[EDGE_VALUES] or cases[GENERATED_VALUES]
        for direction, success in (("encode", Kind.BYTES), ("decode", Kind.VALUE)):
            kinds = {kind: count for (way, kind), count in self.tally.of(OutcomeCount).items() if way == direction}
            if tried and kinds and not kinds.get(success):
                outcomes = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
                text = f"{direction} never succeeded: {outcomes}. Try the adapter by hand on one message first"
                yield direction, text

    @cached_property
    def following(self) -> list[Finding]:
        """The new findings that follow from mistakes of the adapter, once the run is over."""
        sides = {kind: self._sides[kind] for kind in self.faults}
        sides["never-succeeds"] = {direction for direction, _ in self._without_success()}
        return [each for each in self.findings.ordered() if follows(each, sides)]

    @cached_property
    def causes(self) -> list[Cause]:
        """The causes of the other new findings, once the run is over."""
        following = {each.key for each in self.following}
        return causes_of([each for each in self.findings.ordered() if each.key not in following], self._ways)

    @cached_property
    def known_causes(self) -> list[Cause]:
        """The causes of the known findings, once the run is over."""
        return causes_of(ordered(finding for _, finding in self.seen()), self._ways)

    @cached_property
    def known_by_key(self) -> dict[Key, list[tuple[KnownFailure, Finding]]]:
        """The findings of an entry each, by the key under which they are shown, once the run is over."""
        found: defaultdict[Key, dict[str, tuple[KnownFailure, Finding]]] = defaultdict(dict)
        seen = self.seen()
        for (entry, _), (key, finding) in zip(seen, bounded([finding for _, finding in seen]), strict=True):
            found[key].setdefault(str(entry), (entry, Finding(key, finding.example)))[1].merge(finding)
        return {key: list(entries.values()) for key, entries in found.items()}

    def met(self, index: int) -> Counter[MessageAndVersion]:
        """Return the pairs with failures covered by an entry, each with its number of deterministic cases."""
        pairs: Counter[MessageAndVersion] = Counter()
        for found in self.known.get(index, ()):
            pairs.update({pair: fields.total() for pair, fields in found.fields.items()})
        return pairs

    def seen(self) -> list[tuple[KnownFailure, Finding]]:
        """Return the findings covered by known failures, in the order of their file."""
        return [(self.known_failures[index], found) for index in sorted(self.known) for found in self.known[index]]


def as_property(item: ItemResult) -> tuple[str, str]:
    """Return the result of an item as a user property."""
    return PROPERTY, json.dumps(as_json(item))


def from_properties(properties: Sequence[tuple[str, Any]]) -> ItemResult | None:
    """Return the result of an item among user properties, or None if there is none."""
    for name, value in properties:
        if name == PROPERTY:
            return msgspec.convert(json.loads(value), ItemResult)
    return None


class RunCoverage:
    """The sum of all items of a run."""

    def __init__(self) -> None:
        self._pairs: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        self._tried: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, test: str, pair: str, item: ItemResult) -> None:
        """Add the result of one item of a test.

        Args:
            test: the test.
            pair: the message version under test, or empty if there is none.
            item: the result.
        """
        tally = Tally(item.tally)
        for rule in tally.tried:
            self._tried[rule].add(pair)
        if not pair:
            return
        counts = self._pairs[pair][test]
        counts["tried"] += tally.cases.total()
        counts["failed"] += item.failed
        counts["known"] += item.covered
        counts["skipped"] += sum(tally.of(kind).total() for kind in UNTRIED.values())
        counts["inconclusive"] += tally.of(Inconclusive).total()

    def events(self) -> Iterator[Pair | RuleTried]:
        """Yield an event for each pair with any count, then one for each tested rule."""
        for pair, tests in sorted(self._pairs.items()):
            counts = {test: {name: count for name, count in each.items() if count} for test, each in tests.items()}
            if any(counts.values()):
                yield Pair(pair, {test: TestCounts(**counts[test]) for test in sorted(counts)})
        for rule, pairs in sorted(self._tried.items()):
            yield RuleTried(rule, len(pairs))
