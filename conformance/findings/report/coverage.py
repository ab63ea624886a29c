"""What was tried of each pair, by test of the suite, and in which pairs a rule was tried."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Coverage:
    """The sum of all items of a run."""

    def __init__(self) -> None:
        self._pairs: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        self._tried: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, test: str, pair: str, event: dict[str, Any]) -> None:
        """Take in the record of one item of a test; `pair` is empty if the item is about none."""
        tally = event["tally"]
        self.tries(pair, tally["tried"])
        if not pair:
            return
        counts = self._pairs[pair][test]
        counts["tried"] += sum(tally["cases"].values())
        counts["failed"] += event["failed"]
        counts["known"] += event["covered"]
        counts["skipped"] += sum(count for *_, count in tally["not_tested"])
        counts["resting"] += sum(count for *_, count in tally["resting"])

    def note(self, pair: str, test: str, *, failed: bool = False, known: bool = False) -> None:
        """Take note of one case of a pair, in a run that has no items."""
        self._pairs[pair][test].update({"tried": 1, "failed": int(failed), "known": int(known)})

    def tries(self, pair: str, rules: Iterable[str]) -> None:
        """Take note that rules were tried in a pair, or in what is about none."""
        for rule in rules:
            self._tried[rule].add(pair)

    def events(self) -> Iterator[dict[str, Any]]:
        """Yield an event for each pair of which anything is known, then one for each rule that was tried."""
        for pair, tests in sorted(self._pairs.items()):
            counts = {test: {name: count for name, count in each.items() if count} for test, each in tests.items()}
            if any(counts.values()):
                yield {"event": "pair", "pair": pair, "tests": {test: counts[test] for test in sorted(counts)}}
        for rule, pairs in sorted(self._tried.items()):
            yield {"event": "rule", "rule": rule, "pairs": len(pairs)}
