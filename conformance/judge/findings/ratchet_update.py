"""Updates of a file of known failures after a run.

An update removes fixed failures and adds new ones. Entries keep their order, comments, reasons and links. A glob
without a matching case is removed from its entry, and an entry without globs from the file. A glob over too many
messages is replaced by the names of the failing ones. New findings are added at the end, one entry for each rule and
outcome, without a reason. Only deterministic cases are written: the next run would reject an entry met by random search
only. An entry of a hang is for all messages, since a run waits for a few hangs only.

`Ratchet` belongs to one run: it yields the remarks at the end, and updates the file.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from textwrap import fill
from typing import TYPE_CHECKING

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Item, Table

from conformance.definitions.named import HASH
from conformance.judge.clusters import pattern_of
from conformance.judge.findings.known_failures import (
    ANY_CLUSTER,
    EVERY_RELEASE,
    PLACEHOLDER,
    BadKnownFailures,
    KnownFailure,
    load_known_failures,
    matches,
    patterns_for,
)
from conformance.judge.findings.lines import Remark
from conformance.judge.findings.ratchet import EntryFault, Objection, RunScope, objections
from conformance.system.outputs import write_or_keep
from conformance.system.whole_files import NotWritten
from conformance.targets.outcome import Kind
from reference.inputs.files import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from conformance.judge.findings.results import Results
    from conformance.judge.forms import Pair
    from reference import Release

ABOUT_OTHER_VERSIONS = ("ignorable.dropped", "ignorable.refused", "version.field-presence")
"""Rules whose cases depend on the fields of other versions, which differ between releases."""

WILDCARDS = frozenset("*?[")

KEY = "failure"
MESSAGES = "messages"
WIDTH = 120


@dataclass
class RatchetChanges:
    """The changes of an update, for the summary."""

    removed: list[str] = field(default_factory=list)
    narrowed: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """Findings of random search only, reported as new again by the next run."""
    entries: str = field(default="", compare=False)
    """The numbers of entries, in words."""


def update_known_failures(path: Path, results: Results, scope: RunScope) -> RatchetChanges:
    """Rewrite the file after a complete run, unless its text stays the same.

    Raises:
        BadKnownFailures: the file is broken, or was changed since the run began.
        NotWritten: the file cannot be written; its new text is kept elsewhere.
    """
    entries = load_known_failures(path) if path.exists() else []
    before = read_text(path) if path.exists() else ""
    numbers = [number for number, entry in enumerate(entries) if entry.is_about(scope.subject.release.name)]
    if tuple(entries[number] for number in numbers) != results.known_failures:
        raise BadKnownFailures(f"{path} was changed while the suite was running")
    update = _Update(Document(before), entries, numbers)
    update.narrow(results, scope)
    update.add(results, scope)
    after = update.document.as_text()
    if after != before:
        write_or_keep(path, after)
    return replace(update.changes, entries=update.document.entries)


class _Update:
    """One update, with the file, its entries, and the changes so far."""

    def __init__(self, document: Document, entries: list[KnownFailure], numbers: list[int]) -> None:
        self.document = document
        self.changes = RatchetChanges()
        self._patterns = {number: list(entry.messages) for number, entry in enumerate(entries)}
        self._entries = entries
        self._numbers = numbers
        """The numbers of the entries for the run's release."""

    def narrow(self, results: Results, scope: RunScope) -> None:
        """Remove stale globs, and replace globs that are too wide by names."""
        for objection in objections(results, scope, whole=True):
            number = self._numbers[objection.index]
            patterns = self._patterns[number]
            at = patterns.index(objection.pattern)
            kept = {pair for pair, count in results.met(objection.index).items() if count} | scope.shared_pairs
            named = patterns_for([pair for pair in kept if matches(objection.pattern, *pair)], scope.selected)
            patterns[at : at + 1] = named if objection.fault is EntryFault.TOO_WIDE else []
            changed = self.changes.narrowed if objection.fault is EntryFault.TOO_WIDE else self.changes.removed
            changed.append(objection.place)
        for number, entry in enumerate(self._entries):
            if not self._patterns[number]:
                self.document.remove(number)
            elif self._patterns[number] != list(entry.messages):
                self.document.set_messages(number, self._patterns[number])

    def add(self, results: Results, scope: RunScope) -> None:
        """Add entries for new findings."""
        new = results.findings.ordered()
        places = Counter((finding.rule, finding.outcome) for finding in new)
        for finding in sorted(
            new, key=lambda finding: (finding.rule, finding.outcome, not finding.key.cluster, finding.key)
        ):
            pairs = {(example.message, example.version) for example in finding.examples if example.deterministic}
            if not pairs:
                self.changes.left_out.append(str(finding.key))
                continue
            self.changes.added.append(f"{finding.key} in {len(pairs)} message versions")
            is_one = places[finding.rule, finding.outcome] == 1 or not finding.key.cluster
            entry = KnownFailure(
                finding.rule,
                (),
                finding.outcome,
                PLACEHOLDER,
                pattern=ANY_CLUSTER if is_one else pattern_of(finding.key.cluster),
            )
            if finding.outcome == Kind.TIMED_OUT:
                self._append(replace(entry, messages=("*",)))
                continue
            own = {pair for pair in pairs if finding.rule in ABOUT_OTHER_VERSIONS and scope.differs(pair)}
            self._place(entry, pairs - own, scope)
            self._place(replace(entry, release=_glob(scope.subject.release)), own, scope)

    def _place(self, new: KnownFailure, pairs: set[Pair], scope: RunScope) -> None:
        """Add pairs to the entry of the same kind without a reason, else to a new entry."""
        if not pairs:
            return
        for number in self._numbers:
            entry = self._entries[number]
            is_same = replace(entry, messages=(), link="", at_most=None) == new
            if is_same and self._patterns[number]:
                self.document.set_messages(number, _joined(self._patterns[number], pairs, scope))
                return
        self._append(replace(new, messages=tuple(patterns_for(pairs, scope.selected))))

    def _append(self, new: KnownFailure) -> None:
        facts = {"rule": new.rule, "messages": list(new.messages), "outcome": new.outcome}
        optional = {
            key: value
            for key, value, usual in (
                ("pattern", new.pattern, ANY_CLUSTER),
                ("release", new.release, EVERY_RELEASE),
            )
            if value != usual
        }
        self.document.append({**facts, **optional, "reason": PLACEHOLDER})


def _glob(release: Release) -> str:
    """Return a glob over the name of a release.

    It lacks the hash, which changes with the definitions.
    """
    name, _, last = release.name.rpartition("-")
    return f"{name}-*" if last == release.digest[:HASH] else release.name


def _joined(patterns: list[str], pairs: set[Pair], scope: RunScope) -> list[str]:
    """Return patterns that match these pairs as well, in as few ranges as possible.

    Globs are left unchanged.
    """
    globs = [pattern for pattern in patterns if WILDCARDS & set(pattern)]
    names = [pattern for pattern in patterns if pattern not in globs]
    own = {pair for pair in scope.everywhere if any(matches(name, *pair) for name in names)}
    return [*globs, *patterns_for(own | pairs, scope.selected)]


class Document:
    """The entries of a file, by number from 0.

    Removing one does not change the numbers of the others.

    Raises:
        BadKnownFailures: the entries are not written as tables, or the library for TOML cannot read the file.
    """

    def __init__(self, text: str) -> None:
        try:
            document = tomlkit.parse(text)
        except TOMLKitError as error:
            raise BadKnownFailures(f"a file that cannot be rewritten: {error}") from error
        entries = document.get(KEY, AoT([]))
        if not isinstance(entries, AoT):
            raise BadKnownFailures(f"only entries that begin with [[{KEY}]] can be rewritten")
        self._tables: list[Table | None] = list(entries.body)
        self._leads = ["".join(item.as_string() for key, item in document.body if key is None)]
        """The blank lines and comments before each entry, and after the last one."""
        self._leads += [_cut_tail(table) for table in entries.body]
        self._appended: list[str] = []
        self._changed: set[int] = set()

    @property
    def entries(self) -> str:
        """The numbers of entries, in words."""
        removed, changed = self._tables.count(None), len(self._changed)
        kept = len(self._tables) - removed - changed
        if not (self._appended or removed or changed):
            return f"is up to date: entries kept {kept}"
        return f"is written: entries added {len(self._appended)}, changed {changed}, removed {removed}, kept {kept}"

    def set_messages(self, number: int, patterns: Sequence[str]) -> None:
        """Set the patterns of an entry."""
        self._changed.add(number)
        table = self._tables[number]
        if table is not None:
            table[MESSAGES] = _item(MESSAGES, patterns)

    def remove(self, number: int) -> None:
        """Remove an entry with the comment directly above it.

        A comment before a blank line stays.
        """
        self._tables[number] = None
        kept, blank, _ = self._leads[number].rpartition("\n\n")
        if blank:
            self._leads[number] = f"{kept}\n"
        elif number > 0:
            self._leads[number] = ""

    def append(self, entry: Mapping[str, str | Sequence[str]]) -> None:
        """Add an entry at the end."""
        lines = [f"{key} = {_item(key, value).as_string()}" for key, value in entry.items()]
        self._appended.append("\n".join([f"[[{KEY}]]", *lines]))

    def as_text(self) -> str:
        """Return the text of the file."""
        tables = ["" if table is None else _text(table) for table in self._tables]
        kept = "".join(lead + table for lead, table in zip(self._leads, [*tables, ""], strict=True)).strip("\n")
        return "\n\n".join([*([kept] if kept else []), *self._appended]) + "\n"


def _cut_tail(table: Table) -> str:
    """Cut blank lines and comments off the end of an entry and return them.

    They belong to the next entry.
    """
    body = table.value.body
    end = len(body)
    while end and body[end - 1][0] is None:
        end -= 1
    tail = "".join(item.as_string() for _, item in body[end:])
    del body[end:]
    return tail


def _text(table: Table) -> str:
    trivia = table.trivia
    return f"{trivia.indent}[[{KEY}]]{trivia.comment_ws}{trivia.comment}{trivia.trail}{table.as_string()}"


def _item(key: str, value: str | Sequence[str]) -> Item:
    """Return a string, or an array of strings in as few lines as possible.

    An array of one string becomes this string.
    """
    if isinstance(value, str) or len(value) == 1:
        return tomlkit.string(value if isinstance(value, str) else value[0])
    line = ", ".join(json.dumps(text) for text in value)
    if len(f"{key} = [{line}]") > WIDTH:
        line = f"\n{fill(line, WIDTH, initial_indent='    ', subsequent_indent='    ', break_on_hyphens=False)},\n"
    array: Item = tomlkit.parse(f"{key} = [{line}]").value[key]
    return array


class Ratchet:
    """One run's file of known failures, if there is one."""

    def __init__(self, scope: RunScope, path: Path | None, *, update: bool) -> None:
        self._scope = scope
        self._path = path
        self._update = update
        self.objections: list[Objection] = []
        """The faults that fail the run."""
        self.changes: RatchetChanges | None = None
        """The changes of the file, if it was updated."""
        self.refusal = ""
        """The reason for not updating the file, if an update was requested."""
        self.unwritten: NotWritten | None = None
        """The error, if the file could not be written."""

    def finish(self, results: Results, partial: str) -> None:
        """Check the entries, or rewrite them.

        Args:
            results: the results of the run.
            partial: the reason for an incomplete run, or empty.
        """
        if not self._update or self._path is None:
            self.objections = objections(results, self._scope, whole=not partial)
            return
        faults = results.all_faults()
        self.refusal = partial or ("the adapter itself is at fault" if faults else "")
        if self.refusal:
            return
        try:
            self.changes = update_known_failures(self._path, results, self._scope)
        except NotWritten as error:
            self.unwritten = error
            self.refusal = str(error)
        except (BadKnownFailures, OSError) as error:
            self.refusal = str(error)

    @property
    def covers_all(self) -> bool:
        """Return whether the rewritten file covers all findings of the run."""
        return self.changes is not None and not self.changes.left_out

    def remarks(self, results: Results) -> Iterator[Remark]:
        """Yield remarks on the file."""
        for objection in self.objections:
            yield Remark(str(objection), is_fault=True)
        if self.refusal:
            yield Remark(f"{self._path} is unchanged: {self.refusal}; update it with a complete run", is_fault=True)
        if self.changes is not None:
            yield from self._of_changes(self.changes)
        unexplained = sum(not entry.is_explained for entry in results.known_failures)
        if unexplained:
            text = f"{self._path}: {unexplained} known failures are not yet explained: write the reason of each"
            yield Remark(text)

    def _of_changes(self, changes: RatchetChanges) -> Iterator[Remark]:
        yield Remark(f"{self._path} {changes.entries}")
        for change, names in (("removed", changes.removed), ("named", changes.narrowed), ("new", changes.added)):
            for name in names:
                yield Remark(f"{self._path}: {change}: {name}")
        for name in changes.left_out:
            text = "was met by random search only and is not in the file: run with --found=DIR first, then again"
            yield Remark(f"{name} {text}", is_fault=True)
