"""One run of the suite, with the subject, the selection, and the findings so far in this process."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from conformance.judge.case import Violation
from conformance.judge.findings.known_failures import load_known_failures
from conformance.judge.findings.ratchet import RunScope
from conformance.judge.recording import ItemRecord, KnownIndex
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from conformance.codec.corrections import Fault
    from conformance.codec.selection import Selection
    from conformance.judge.case import Event
    from conformance.judge.findings.known_failures import KnownFailure
    from conformance.judge.findings.results import ItemResult
    from conformance.judge.forms import Broken, Key
    from conformance.report.files.found_cases import FoundCase
    from conformance.suite.options import RunOptions
    from conformance.suite.subjects import Tested
    from reference import Release


class SuiteRun:
    """The subject, the selection, and the record of the current item."""

    def __init__(
        self,
        subject: Tested,
        selection: Selection,
        known_failures: Sequence[KnownFailure],
        found_cases: Sequence[FoundCase[Any]] = (),
        known_of_base: Sequence[KnownFailure] = (),
    ) -> None:
        self.subject = subject
        self.schemas = tuple(selection.schemas)
        self.probed = tuple(selection.probed)
        """The pairs for testing the adapter itself."""
        self.others = tuple(selection.others)
        self.shared = selection.shared
        self.known_of_base = tuple(known_of_base)
        """The known failures used by the run of the base release, for pairs left to it."""
        self.known_failures = tuple(known_failures)
        self._known = KnownIndex(self.known_failures)
        self.found_cases = tuple(found_cases)
        self.record = ItemRecord(self._known)
        self._item: object = None
        self._has_reported = False
        self._decided: defaultdict[object, set[Key]] = defaultdict(set)
        """The findings of deterministic tests, by item."""

    @property
    def scope(self) -> RunScope:
        """The scope for judging the entries of a file of known failures."""
        return RunScope(self.schemas, self.shared, self.known_of_base, self.subject)

    def begin_item(self, item: object = None) -> None:
        """Start a new record for an item, which is a pair, a wire type, or a group."""
        self._item = item
        self.record = ItemRecord(self._known)

    def faults_of_every_value(self) -> tuple[Fault, ...]:
        """Return the mistakes of the adapter that show in every value, once in this process."""
        faults = () if self._has_reported else self.subject.faults
        self._has_reported = True
        return faults

    def end_item(self) -> ItemRecord:
        """Return the finished record of this item, with its hangs cut short."""
        for record in self.record.new.values():
            record.example = self.subject.shown(record.example)
        self._decide(self._item, (record.example for record in self.record.new.values()))
        return self.record

    def remember(self, item: object, result: ItemResult) -> None:
        """Take the findings of an item that a fork of this process has run."""
        self._decide(item, (found.example for found in result.violations))

    def _decide(self, item: object, found: Iterable[Violation | Broken]) -> None:
        self._decided[item].update(each.key for each in found if each.deterministic)

    def judge(self, events: Iterable[Event]) -> None:
        """Record the events of deterministic checks. The item fails at its end."""
        self.record.judge(events)

    def judge_random(
        self, events: Iterable[Event], smaller: Callable[[Violation], Violation] = lambda violation: violation
    ) -> None:
        """Record the events of a random example.

        The first case of each new finding of the item is made smaller. A finding of a deterministic test of the same
        pair keeps its case, as that is smaller already. A hang keeps its case too, as each attempt takes seconds.
        """
        self.record.judge(self._smaller(event, smaller) for event in events)

    def _smaller(self, event: Event, smaller: Callable[[Violation], Violation]) -> Event:
        if not isinstance(event, Violation) or event.outcome == Kind.TIMED_OUT or self._known.of(event) is not None:
            return event
        is_new = event.key not in self._decided[self._item] and event.key not in self.record.new
        return smaller(event) if is_new else event


def known_failures_of(options: RunOptions, release: Release) -> list[KnownFailure]:
    """Return the entries of `--known-failures` about a release, or raise `BadKnownFailures`."""
    path = options.known_failures
    # The run is yet to write a new file.
    is_new = path and options.update_known_failures and not path.exists()
    entries = load_known_failures(path) if path and not is_new else []
    return [entry for entry in entries if entry.is_about(release.name)]
