"""Checks on the entries of a file of known failures.

An entry is at fault if it is stale, too wide, or met by random search only. It is judged by the pairs tested by a run,
not by pairs of other releases.

Deterministic cases decide; a case in the folder of --found is one of them. An entry also covers random cases with the
same rule, message and outcome, but these do not show that it is still needed: random search may miss tomorrow what it
met today. A wildcard covers messages that nobody has named, so it may cover only a few, unless its entry has `at_most`.

Hangs are an exception: a run waits for a few of them only, and the order of the items decides which. An entry of the
outcome `timed-out` may have any wildcard, and is not stale in a run with any hang. An entry of another outcome is not
stale in such a run if cases of its messages were skipped.

A failure without a case may be in a pair left to the run of a base release. Then that run decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from conformance.codec.selection import other_names
from conformance.judge.count_lines import NotRun
from conformance.judge.findings.known_failures import matches, matches_any
from conformance.targets.outcome import Kind
from reference import load_release, releases

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.codec.selection import Shared
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.findings.results import Results
    from conformance.judge.forms import Pair
    from reference import MessageSchema, Release

MAXIMUM_MESSAGES = 10
"""The number of messages that one glob may cover, unless its entry has `at_most`."""


class EntryFault(StrEnum):
    """The kinds of faults of one glob of an entry."""

    STALE = "stale"
    """No case matches it."""
    DOUBLE = "double"
    """An earlier entry covers all of its cases."""
    SEARCH_ONLY = "search-only"
    """Only random cases match it."""
    TOO_WIDE = "too-wide"
    """It covers more messages than one glob may."""


@dataclass(frozen=True)
class Objection:
    """A fault of one glob of one entry."""

    fault: EntryFault
    index: int
    """The index of the entry, among those for the run's release."""
    entry: KnownFailure
    pattern: str
    messages: int
    """The number of covered messages with failures."""
    earlier: KnownFailure | None = None
    """The entry that covers the same cases, for a double one."""

    @property
    def place(self) -> str:
        """The rule, the outcome and the glob."""
        return f"{self.entry.what} in {self.pattern}"

    def __str__(self) -> str:
        if self.fault is EntryFault.STALE:
            return (
                f"stale known failure: {self.place} no longer fails, or never did; remove it from its entry, or, if it "
                "is for a found case, pass the folder of that case with --found=DIR"
            )
        if self.fault is EntryFault.DOUBLE:
            return (
                f"double known failure: {self.place} is covered already by an earlier entry, "
                f"{self.earlier}; remove it from one of the two"
            )
        if self.fault is EntryFault.SEARCH_ONLY:
            return (
                f"known failure without a deterministic case: {self.place} is met by random search only, which cannot "
                "tell when it is fixed; remove it, run with --found=DIR, and use that folder in every later run"
            )
        allowed = self.entry.at_most or MAXIMUM_MESSAGES
        return (
            f"known failure too wide: {self.place} covers failures of {self.messages} messages, {allowed} are allowed; "
            f"name them (--update-known-failures does so), or set at_most = {self.messages}"
        )


def objections(results: Results, scope: RunScope, *, whole: bool) -> list[Objection]:
    """Return the faults of all entries, in the order of their file.

    There is at most one for each glob.

    Args:
        results: the results of the run.
        scope: the tested messages and versions.
        whole: whether all deterministic checks were run on everything; only then can an entry be stale.
    """
    faults = []
    skipped = {message for message, _ in results.tally.of(NotRun)}
    for index, entry in enumerate(results.known_failures):
        of_entry = results.met(index)
        for pattern in entry.messages:
            met = {pair: count for pair, count in of_entry.items() if matches(pattern, *pair)}
            messages = len({message for message, _ in met})
            is_hang = entry.outcome == Kind.TIMED_OUT
            # After hangs a run skips cases, so that it cannot show an entry to be stale.
            cut = results.tally.waited and (is_hang or _is_about(pattern, skipped, scope))
            has_all = whole and not cut and not entry.sometimes
            fault = _fault(met, messages, entry, whole=has_all)
            if fault is None or (fault is EntryFault.STALE and scope.is_elsewhere(entry, pattern)):
                continue
            if fault is not EntryFault.TOO_WIDE and scope.is_shared(entry, pattern):
                continue
            earlier = _earlier(results, index, pattern) if fault is EntryFault.STALE else None
            fault = fault if earlier is None else EntryFault.DOUBLE
            faults.append(Objection(fault, index, entry, pattern, messages, earlier))
    return faults


def _is_about(pattern: str, skipped: set[str], scope: RunScope) -> bool:
    """Return whether a glob covers messages with skipped cases, which may be those of its entry."""
    return any(message in skipped and matches(pattern, message, version) for message, version in scope.tested)


def _earlier(results: Results, index: int, pattern: str) -> KnownFailure | None:
    """Return the first earlier entry that covers the cases of a glob."""
    entry = replace(results.known_failures[index], messages=(pattern,))
    covering = (
        at
        for at in sorted(results.known)
        for found in results.known[at]
        if at < index and any(map(entry.covers, found.examples))
    )
    return next((results.known_failures[at] for at in covering), None)


def _fault(met: dict[Pair, int], messages: int, entry: KnownFailure, *, whole: bool) -> EntryFault | None:
    if whole and not any(met.values()):
        return EntryFault.SEARCH_ONLY if met else EntryFault.STALE
    if entry.outcome == Kind.TIMED_OUT:
        return None
    return EntryFault.TOO_WIDE if messages > (entry.at_most or MAXIMUM_MESSAGES) else None


class Scoped(Protocol):
    """The part of the subject of a run used here."""

    release: Release

    def offered(self, schemas: Iterable[MessageSchema]) -> list[MessageSchema]:
        """Return the messages known to be offered, whatever the run selects."""

    @property
    def knows_all(self) -> bool:
        """Whether these are all offered messages."""


@dataclass(frozen=True)
class RunScope:
    """The scope of one run of an implementation."""

    schemas: Sequence[MessageSchema]
    """The tested messages."""
    shared: Shared
    """The pairs left to the run of its base release."""
    known_of_base: Sequence[KnownFailure]
    """The known failures of that run."""
    subject: Scoped

    @cached_property
    def tested(self) -> frozenset[Pair]:
        """The pairs of the run, and its other names, as wire types."""
        pairs = {(schema.message, schema.version) for schema in self.schemas}
        return frozenset(pairs | {(name, 0) for name in other_names() if name not in self.shared.others})

    @cached_property
    def shared_pairs(self) -> frozenset[Pair]:
        """The pairs and other names left to the run of its base release."""
        named = (pair.rpartition("-v") for pair in self.shared.pairs)
        pairs = {(message, int(version)) for message, _, version in named}
        return frozenset(pairs | {(name, 0) for name in self.shared.others})

    @property
    def selected(self) -> frozenset[Pair]:
        """All selected pairs, whichever run tests them."""
        return self.tested | self.shared_pairs

    @cached_property
    def elsewhere(self) -> dict[str, frozenset[Pair]]:
        """The offered pairs of each other committed release, by its name.

        A harness declares only its messages of the run's release. So it may have any message version that another
        release has, and this one has not.
        """
        subject, release = self.subject, self.subject.release
        others = [load_release(name) for name in releases() if name != release.name]
        elsewhere = {other.name: _pairs(subject.offered(other.schemas())) for other in others}
        if subject.knows_all:
            return elsewhere
        own = _pairs(release.schemas())
        return {other.name: elsewhere[other.name] | (_pairs(other.schemas()) - own) for other in others}

    def is_elsewhere(self, entry: KnownFailure, pattern: str) -> bool:
        """Return whether a pattern of an entry matches pairs of other releases only."""
        if any(matches(pattern, *pair) for pair in self.selected):
            return False
        return any(
            matches(pattern, *pair)
            for release, pairs in self.elsewhere.items()
            if entry.is_about(release)
            for pair in pairs
        )

    def is_shared(self, entry: KnownFailure, pattern: str) -> bool:
        """Return whether the run of the base release decides.

        It does if it has an entry of the same rule and outcome for a pair of the pattern. A failure of a shared pair is
        a failure there, too, with the same entry or with one for that release alone.
        """
        rivals = [each for each in self.known_of_base if (each.rule, each.outcome) == (entry.rule, entry.outcome)]
        pairs = [pair for pair in self.shared_pairs if matches(pattern, *pair)]
        return any(matches_any(rival.messages, *pair) for rival in rivals for pair in pairs)

    def differs(self, pair: Pair) -> bool:
        """Return whether another release has the pair with other fields.

        Fields of other versions of the message count as well.
        """
        return any(
            load_release(release).schema(*pair) != self.subject.release.schema(*pair)
            for release, pairs in self.elsewhere.items()
            if pair in pairs and pair in self.tested
        )

    @cached_property
    def everywhere(self) -> frozenset[Pair]:
        """All pairs offered by the implementation in any release."""
        return self.selected.union(*self.elsewhere.values())


def _pairs(schemas: Iterable[MessageSchema]) -> frozenset[Pair]:
    return frozenset((schema.message, schema.version) for schema in schemas)
