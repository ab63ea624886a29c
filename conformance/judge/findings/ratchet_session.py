"""The ratchet of one run: its remarks at the end, and the update of the file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from conformance.judge.findings.known_failures import BadKnownFailures
from conformance.judge.findings.ratchet import Objection, objections
from conformance.judge.findings.ratchet_update import Changes, update_known_failures
from conformance.system.writing import NotWritten

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conformance.judge.findings.ratchet import Scope
    from conformance.judge.findings.results import Results


class Ratchet:
    """One run's file of known failures, if there is one."""

    def __init__(self, scope: Scope, path: Path | None, *, update: bool) -> None:
        self._scope = scope
        self._path = path
        self._update = update
        self.objections: list[Objection] = []
        """The faults that fail the run."""
        self.changes: Changes | None = None
        """The changes of the file, if it was updated."""
        self.refusal = ""
        """The reason why the file was not updated, though it should be."""
        self.unwritten: NotWritten | None = None
        """The error, if the file could not be written."""

    def finish(self, results: Results, partial: str) -> None:
        """Check the entries, or rewrite them; `partial` is the reason why the run is not complete, or empty."""
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
        """Return whether the rewritten file covers everything that the run found."""
        return self.changes is not None and not self.changes.left_out

    @property
    def closing(self) -> str:
        """The last line of a run that fails for its known failures; empty if it does not."""
        if self.refusal:
            return f"FAILED: {self._path} could not be updated"
        faults = Counter(objection.fault for objection in self.objections)
        kinds = ", ".join(f"{count} {fault}" for fault, count in faults.items())
        return f"FAILED: entries of {self._path} are wrong ({kinds}): see above" if faults else ""

    def remarks(self, results: Results) -> Iterator[tuple[str, str]]:
        """Yield remarks for the summary, each with its style."""
        for objection in self.objections:
            yield str(objection), "bold red"
        if self.refusal:
            yield f"{self._path} is unchanged: {self.refusal}; update it with a complete run", "bold red"
        if self.changes is not None:
            yield from self._of_changes(self.changes)
        unexplained = sum(not entry.is_explained for entry in results.known_failures)
        if unexplained:
            yield (
                f"{self._path}: {unexplained} known failures are not yet explained: write the reason of each",
                "yellow",
            )

    def _of_changes(self, changes: Changes) -> Iterator[tuple[str, str]]:
        if not (changes.removed or changes.narrowed or changes.added):
            yield f"{self._path} is up to date", "bold"
        for change, names in (("removed", changes.removed), ("named", changes.narrowed), ("new", changes.added)):
            for name in names:
                yield f"{self._path}: {change}: {name}", "bold"
        for name in changes.left_out:
            text = "was met by random search only and is not in the file: run with --found=DIR first, then again"
            yield f"{name} {text}", "bold red"
