"""The comparison of two nets, with lines that are gone, changed and new.

A line has changed if one of the same subject, kind, name, target and direction stands in both files with another
outcome, rule, field or state. New lines are counted by target and direction, since a redesign may add cases alone.

Running out of memory depends on the machine, and so do the cases left out after a codec died. A case without an answer
in one of the nets is counted apart, with the findings about the end of a process, and not listed.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

KEYS = {"finding": 5, "cause": 5, "follower": 5, "requests": 4, "vector": 3}
"""By kind of line, the number of first columns that identify it; the others may change."""

CASES = ("call", "broken")
TARGET, DIRECTION, OUTCOME = 4, 6, 7
"""The columns of a case, with subject and kind before them."""

MACHINE_OUTCOMES = frozenset(("crashed", "timed-out", "exhausted-memory", "not-run"))
UNANSWERED = "unanswered"

Line = tuple[str, ...]


class Comparison(NamedTuple):
    """The different lines of two nets, and the number of those that depend on the machine."""

    gone: list[Line]
    changed: list[tuple[Line, Line]]
    new: list[Line]
    unanswered: int = 0

    def counts(self) -> Counter[tuple[str, str]]:
        """Return the number of new lines by target and direction, or by kind for lines of no case."""
        return Counter(
            (line[TARGET].partition("-v")[0], line[DIRECTION]) if line[1] in CASES else (line[1], "")
            for line in self.new
        )


def compare(before: Iterable[str], after: Iterable[str]) -> Comparison:
    """Return the differences of two nets, as lines of a file, in their common subjects."""
    one, other = Counter(before), Counter(after)
    common = {_subject(line) for line in one} & {_subject(line) for line in other}
    # Millions of equal lines are never split into columns.
    split = [
        [tuple(line.split("\t")) for line in sorted((each - same).elements()) if _subject(line) in common]
        for each, same in ((one, other), (other, one))
    ]
    unanswered = {_case(line) for lines in split for line in lines if _is_unanswered(line)}
    gone, new = (_by_key(line for line in lines if _case(line) not in unanswered) for lines in split)
    pairs = [pair for key in gone.keys() & new.keys() for pair in zip(gone[key], new[key], strict=False)]
    changed_before, changed_after = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    return Comparison(
        sorted((Counter(_lines(gone)) - changed_before).elements()),
        sorted(pairs),
        sorted((Counter(_lines(new)) - changed_after).elements()),
        len(unanswered),
    )


def _subject(line: str) -> str:
    return line.partition("\t")[0]


def _case(line: Line) -> Line:
    """Return the columns shared by all lines of a case, or those that identify another line."""
    return (line[0], *line[2:7]) if line[1] in CASES else _key(line)


def _key(line: Line) -> Line:
    return line[: KEYS.get(line[1], OUTCOME)]


def _is_unanswered(line: Line) -> bool:
    outcomes = {"finding": line[3:4], "cause": line[3:4], "follower": (line[3], line[6]) if len(line) > OUTCOME else ()}
    found = outcomes.get(line[1], line[OUTCOME : OUTCOME + 1])
    return line[-1] == UNANSWERED or not MACHINE_OUTCOMES.isdisjoint(found)


def _by_key(lines: Iterable[Line]) -> dict[Line, list[Line]]:
    """Return lines by their identifying columns."""
    found = defaultdict[Line, list[Line]](list)
    for line in lines:
        found[_key(line)].append(line)
    return found


def _lines(lines: dict[Line, list[Line]]) -> Iterator[Line]:
    return (line for same in lines.values() for line in same)
