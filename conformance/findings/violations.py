"""What a check finds, and how many of them make one finding."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from conformance.catalogue.rules import catalogue

MAXIMUM_TEXT = 2_000


@dataclass(frozen=True)
class Violation:
    """One rule broken in one case. All of it is text or numbers: it travels between processes as JSON."""

    rule: str
    message: str
    version: int
    path: str
    outcome: str
    """What the implementation did: a kind of outcome, or `consumed` or `size` for a wrong number."""
    direction: str
    """encode or decode: which way to replay it."""
    case: str
    """The name of the case."""
    expected: str
    actual: str
    wire: str
    """The bytes to replay, in hex; for an encoder that should refuse, empty."""
    value: str = ""
    """The JSON form of the value, where there are no bytes to replay."""
    deterministic: bool = True

    @property
    def key(self) -> tuple[str, str]:
        """What makes two violations one finding."""
        return self.rule, self.outcome

    @property
    def weight(self) -> tuple[int, int, str, int, str]:
        """Smaller is easier to read."""
        return (len(self.wire) + len(self.value), len(self.expected), self.message, self.version, self.case)

    def as_event(self) -> dict[str, Any]:
        """A form that JSON carries, long texts cut."""
        event = asdict(self)
        for key in ("expected", "actual"):
            if len(event[key]) > MAXIMUM_TEXT:
                event[key] = f"{event[key][:MAXIMUM_TEXT]}... ({len(event[key])} characters)"
        return event


@dataclass
class Finding:
    """All violations with the same rule and the same kind of outcome."""

    rule: str
    outcome: str
    count: int
    pairs: set[str]
    smallest: Violation

    @property
    def order(self) -> tuple[bool, int, int, str, str]:
        """What may only follow from others comes last; then the gravest first; then the most frequent."""
        rule = catalogue()[self.rule]
        return (rule.consequence, rule.gravity, -self.count, self.rule, self.outcome)

    def add(self, violation: Violation, count: int = 1) -> None:
        """Take one more violation in, `count` times."""
        self.count += count
        self.pairs.add(f"{violation.message}-v{violation.version}")
        if violation.weight < self.smallest.weight:
            self.smallest = violation


class Findings:
    """Violations, gathered as they come."""

    def __init__(self) -> None:
        self._by_key: dict[tuple[str, str], Finding] = {}

    def __len__(self) -> int:
        return len(self._by_key)

    def add(self, violation: Violation, count: int = 1) -> None:
        """Take in one violation that occurred `count` times."""
        found = self._by_key.get(violation.key)
        if found is None:
            found = self._by_key[violation.key] = Finding(violation.rule, violation.outcome, 0, set(), violation)
        found.add(violation, count)

    def ordered(self) -> list[Finding]:
        """The findings: the first one is the blame."""
        return sorted(self._by_key.values(), key=lambda finding: finding.order)
