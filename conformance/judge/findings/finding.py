"""Findings, and their impact on users.

A finding has all violations of one rule with one outcome and one cluster. A finding on hostile bytes has an
amplification: memory or time for each sent byte. The memory allocated or requested by a process is in the text of its
outcome. An amplification up to a limit is a lower bound.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from conformance.definitions.catalogue import LEVELS, catalogue
from conformance.generate.traits import reported_traits
from conformance.judge.clusters import family_of, kept_clusters
from conformance.judge.events import NOT_SOUND, Answered, Expected, Noted
from conformance.judge.forms import Broken, Key  # noqa: TC001  # msgspec looks them up
from conformance.judge.levels import level_of
from conformance.targets.outcome import FATAL, REFUSALS, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from conformance.judge.case import Violation
    from conformance.judge.forms import Pair

ENDS = frozenset(str(kind) for kind in (Kind.CRASHED, Kind.TIMED_OUT, Kind.EXHAUSTED_MEMORY))
"""The outcomes that end a process, or that only its end ends."""

HOT_PATH = frozenset(
    f"{api}{kind}"
    for api in (
        "Produce",
        "Fetch",
        "Metadata",
        "ApiVersions",
        "FindCoordinator",
        "JoinGroup",
        "SyncGroup",
        "Heartbeat",
        "LeaveGroup",
        "OffsetCommit",
        "OffsetFetch",
    )
    for kind in ("Request", "Response")
) | {"RequestHeader", "ResponseHeader"}
"""The messages that every client sends and reads all the time."""

OF_PROCESSES = frozenset(("connection.survival", "connection.claimed-size", "connection.resources"))
"""The rules that a process breaks on valid and invalid input."""

MAXIMUM_TRAITS = 2
"""The largest number of common traits; values with more have too little in common with the accepted ones."""

_REFUSALS = {str(kind) for kind in REFUSALS}
_FATAL = {str(kind) for kind in FATAL}


class Common(NamedTuple):
    """The common traits of failing values.

    Attributes:
        traits: the traits of all of them that no accepted value has, in the same pairs.
        is_reported: whether enough values were accepted in one of the pairs to make these traits significant.
    """

    traits: frozenset[str] = frozenset()
    is_reported: bool = False


@dataclass
class Finding:
    """All violations with the same key."""

    key: Key
    example: Violation
    """The violation with the smallest `Violation.weight`."""
    count: int = 0
    fields: defaultdict[Pair, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By pair, the fields in which the rule is broken, with their numbers of cases."""
    examples: list[Violation] = field(default_factory=list)
    """The example of each item."""
    common: Common | None = None
    """The common traits of its values; None before the first one."""

    @property
    def rule(self) -> str:
        """The broken rule."""
        return self.key.rule

    @property
    def outcome(self) -> str:
        """The outcome of the implementation."""
        return self.key.outcome

    @property
    def pairs(self) -> frozenset[str]:
        """The pairs, as `FetchRequest-v17`."""
        return frozenset(f"{message}-v{version}" for message, version in self.fields)

    @property
    def totals(self) -> Counter[str]:
        """The fields of all pairs, the most frequent first."""
        total: Counter[str] = Counter()
        for counts in self.fields.values():
            total.update(counts)
        return Counter(dict(sorted(total.items(), key=lambda entry: (-entry[1], entry[0]))))

    @property
    def traits(self) -> list[str]:
        """The traits of all of its values that no accepted value has.

        Empty if they are too many to be significant.
        """
        traits = reported_traits(self.common.traits) if self.common is not None and self.common.is_reported else []
        # A single case has several traits by chance.
        return traits if len(traits) <= (MAXIMUM_TRAITS if self.count > 1 else 1) else []

    @property
    def amplification(self) -> Amplification | None:
        """The largest amplification of its bytes, or None if none is known."""
        return largest(self.examples)

    @property
    def impact(self) -> Impact:
        """The most severe impact on users."""
        return min(impact_of(example) for example in self.examples)

    @property
    def order(self) -> tuple[bool, int, int, bool, bool, int, Key]:
        """The sort key of findings.

        Fatal ones come first; then the order is by severity, impact, rules of their own before those that may follow
        from others, use of the messages, and cases. Valid values in tampered bytes do not occur in practice, so they
        rank as invalid ones.
        """
        rule = catalogue()[self.rule]
        severity = LEVELS.index(level_of(self.rule, self.example.side, self.outcome))
        is_alive = self.outcome not in ENDS
        is_rare = HOT_PATH.isdisjoint(message for message, _ in self.fields)
        impact = Impact.INVALID_ACCEPTED if all(example.case.is_tampered for example in self.examples) else self.impact
        return (is_alive, severity, impact, rule.consequence, is_rare, -self.count, self.key)

    def found(self) -> PartFinding:
        """Return the finding in a form for JSON."""
        fields = [(*pair, dict(counts)) for pair, counts in sorted(self.fields.items())]
        return PartFinding(self.key, self.count, fields, self.example.event())

    @classmethod
    def of(cls, found: PartFinding, example: Violation) -> Finding:
        """Return the finding of `found`, with an example read by the caller, who knows the release."""
        finding = cls(found.key, example, found.count, examples=[example])
        for message, version, counts in found.fields:
            finding.fields[message, version].update(counts)
        return finding

    def merge(self, other: Finding) -> None:
        """Add everything of another finding."""
        self.common = _joined(self.common, other.common)
        self.count += other.count
        self.examples += other.examples
        for pair, counts in other.fields.items():
            self.fields[pair].update(counts)
        self.example = min(self.example, other.example, key=lambda violation: violation.weight)


class PartFinding(Struct):
    """A finding of a part of a run, in the form sent between processes.

    Attributes:
        key: rule, outcome and cluster.
        count: the number of cases.
        fields: by message and version, the fields with their numbers of cases.
        example: the case with the smallest weight.
    """

    key: Key
    count: int
    fields: list[tuple[str, int, dict[str, int]]]
    example: Broken


class Findings:
    """Violations, collected as they come."""

    def __init__(self) -> None:
        self._by_key: dict[Key, Finding] = {}

    def __len__(self) -> int:
        return len(self._by_key)

    def __iter__(self) -> Iterator[Finding]:
        """Yield the findings by their keys."""
        return (finding for _, finding in sorted(self._by_key.items(), key=lambda item: item[0]))

    def add(
        self,
        violation: Violation,
        count: int = 1,
        fields: Mapping[str, int] | None = None,
        common: Common | None = None,
    ) -> None:
        """Add one violation that occurred `count` times in these fields, with its `Finding.common`."""
        finding = self._by_key.setdefault(violation.key, Finding(violation.key, violation))
        finding.common = _joined(finding.common, common or Common())
        finding.count += count
        pair = violation.message, violation.version
        finding.fields[pair].update({violation.field: count} if fields is None else fields)
        finding.examples.append(violation)
        finding.example = min(finding.example, violation, key=lambda each: each.weight)

    def ordered(self) -> list[Finding]:
        """Return the findings in order.

        Their causes are found by `conformance.judge.findings.causes`.
        """
        return ordered(self._by_key.values())


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings in order, those with the same key as one.

    If a rule and an outcome have too many clusters, the rarest are merged as well.
    """
    by_key: dict[Key, Finding] = {}
    for key, finding in bounded(list(findings)):
        by_key.setdefault(key, Finding(key, finding.example)).merge(finding)
    return sorted(by_key.values(), key=lambda finding: finding.order)


def bounded(findings: Sequence[Finding]) -> Iterator[tuple[Key, Finding]]:
    """Yield each finding with the key under which it is shown."""
    counts: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for finding in findings:
        counts[finding.rule, finding.outcome][finding.key.cluster] += finding.count
    kept = {place: kept_clusters(place[0], clusters) for place, clusters in counts.items()}
    for finding in findings:
        key = finding.key
        is_kept = key.cluster in kept[finding.rule, finding.outcome]
        yield key if is_kept else key._replace(cluster=family_of(key.cluster)), finding


def _joined(one: Common | None, other: Common | None) -> Common | None:
    """Return the common traits of both."""
    if one is None or other is None:
        return one or other
    return Common(one.traits & other.traits, one.is_reported or other.is_reported)


class Impact(IntEnum):
    """The impact on users, the most severe first."""

    VALID_REJECTED = 0
    WRONG_VALUE = 1
    WRONG_BYTES = 2
    FATAL = 3
    """A crash, a hang or too much memory, on hostile bytes."""
    INVALID_ACCEPTED = 4


def impact_of(violation: Violation) -> Impact:
    """Return the impact of a violation on users."""
    is_sound = violation.expectation.what not in NOT_SOUND
    if violation.outcome in _FATAL and (not is_sound or violation.rule in OF_PROCESSES):
        return Impact.FATAL
    if not is_sound:
        return Impact.INVALID_ACCEPTED
    is_own = violation.expectation.what is Expected.OWN_VALUE  # bytes that are written wrong
    if violation.outcome in _REFUSALS | _FATAL and not is_own:
        return Impact.VALID_REJECTED
    if violation.direction in {"encode", "header"} or violation.outcome == Kind.BYTES:
        return Impact.WRONG_BYTES
    return Impact.WRONG_VALUE


MEBIBYTE = 2**20

_TAKEN = re.compile(r"(?:allocated|took|grew by|\A)\s?([\d,]+) MiB")
_REQUESTED = re.compile(r"allocat\w*(?: of)? (\d+)[ -]byte")
_LIMIT = re.compile(r"limit ([\d,]+) MiB")
_SECONDS = re.compile(r"(\d+(?:\.\d+)?) s of processor time\b")


class Amplification(NamedTuple):
    """The memory or time taken by some bytes.

    Attributes:
        sent: the number of bytes.
        memory: the number of bytes allocated or requested; 0 if memory was no question.
        seconds: the processor time taken; 0 if time was no question.
        is_least: whether a limit ended it, so that it may take more.
    """

    sent: int
    memory: int = 0
    seconds: float = 0.0
    is_least: bool = False

    @property
    def factor(self) -> float:
        """Bytes of memory, or seconds of processor time, for each byte."""
        return (self.memory or self.seconds) / max(self.sent, 1)

    def __str__(self) -> str:
        least = "at least " if self.is_least else ""
        if self.memory:
            taken = f"{self.memory / MEBIBYTE:,.0f} MiB"
            return f"{least}{self.factor:,.0f} bytes of memory for each byte sent ({taken} for {self.sent:,})"
        time = f"{self.seconds:g} s for {self.sent:,}"
        return f"{least}{self.factor:,.3f} seconds of processor time for each byte sent ({time})"


def amplification_of(violation: Violation) -> Amplification | None:
    """Return the amplification of a case, or None if it is unknown or harmless."""
    wire, observation = violation.case.wire, violation.observation
    if not wire or not isinstance(observation, Answered | Noted):
        return None
    text = observation.explanation
    if observation.outcome == Kind.TIMED_OUT:
        if violation.expectation.what not in NOT_SOUND:
            return None  # silence after a valid message takes no work
        worked = _SECONDS.search(text)
        seconds = 0.0 if worked is None else float(worked[1])
        return Amplification(len(wire), seconds=seconds, is_least=True) if seconds else None
    taken, requested, limit = _TAKEN.search(text), _REQUESTED.search(text), _LIMIT.search(text)
    is_of_memory = observation.outcome == Kind.EXHAUSTED_MEMORY and (taken or requested or limit)
    if not is_of_memory and not (observation.outcome == Kind.CRASHED and requested):
        return None
    if taken or requested:
        memory = max(_number(taken) * MEBIBYTE, _number(requested))
        return Amplification(len(wire), memory)
    return Amplification(len(wire), _number(limit) * MEBIBYTE, is_least=True)


def _number(match: re.Match[str] | None) -> int:
    return 0 if match is None else int(match[1].replace(",", ""))


def largest(violations: Iterable[Violation]) -> Amplification | None:
    """Return the largest amplification among some cases, or None if none is known.

    Memory comes before time.
    """
    found = [each for each in map(amplification_of, violations) if each is not None]
    return max(found, key=lambda each: (bool(each.memory), each.factor), default=None)
