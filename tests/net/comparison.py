"""The comparison of two nets: lines that are gone, changed and new.

A line has changed if one of the same subject, kind, name, target and direction stands in both files with another
outcome, rule, field or state. New lines are counted by target and direction, since a redesign may add cases alone.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

KEYS = {"call": 7, "broken": 7, "finding": 5, "cause": 5, "follower": 5, "requests": 4, "vector": 3}
"""By kind of line, the number of first columns that identify it; the others may change."""

TARGET, DIRECTION = 4, 6
"""The columns of a case's target and direction, with subject and kind before them."""

Line = tuple[str, ...]


class Comparison(NamedTuple):
    """The lines of two nets that differ."""

    gone: list[Line]
    changed: list[tuple[Line, Line]]
    new: list[Line]

    def counts(self) -> Counter[tuple[str, str]]:
        """Return the number of new lines by target and direction, or by kind for lines of no case."""
        return Counter(
            (line[TARGET].partition("-v")[0], line[DIRECTION]) if line[1] in {"call", "broken"} else (line[1], "")
            for line in self.new
        )


def compare(before: Iterable[str], after: Iterable[str]) -> Comparison:
    """Return the differences of two nets, as lines of a file, in the subjects that both have."""
    one, other = Counter(before), Counter(after)
    common = {_subject(line) for line in one} & {_subject(line) for line in other}
    gone, new = (_by_key((each - equal).elements(), common) for each, equal in ((one, other), (other, one)))
    pairs = [pair for key in gone.keys() & new.keys() for pair in zip(gone[key], new[key], strict=False)]
    changed_before, changed_after = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    return Comparison(
        sorted((Counter(_lines(gone)) - changed_before).elements()),
        sorted(pairs),
        sorted((Counter(_lines(new)) - changed_after).elements()),
    )


def _subject(line: str) -> str:
    return line.partition("\t")[0]


def _by_key(lines: Iterable[str], subjects: set[str]) -> dict[Line, list[Line]]:
    """Return the lines of some subjects by the columns that identify them."""
    found = defaultdict[Line, list[Line]](list)
    # Millions of equal lines are never split into columns.
    for line in (tuple(each.split("\t")) for each in sorted(lines) if _subject(each) in subjects):
        found[line[: KEYS[line[1]]]].append(line)
    return found


def _lines(lines: dict[Line, list[Line]]) -> Iterator[Line]:
    return (line for same in lines.values() for line in same)
