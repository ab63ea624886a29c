"""The ratchet in one run: what it says at the end, and what it does to the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.findings.known_failures import BadKnownFailures
from conformance.findings.ratchet.judgement import Objection, objections
from conformance.findings.ratchet.update import Changes, update_known_failures

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conformance.findings.ratchet.scope import Scope
    from conformance.findings.report.results import Results


class Ratchet:
    """One run's file of known failures, if there is one."""

    def __init__(self, scope: Scope, path: Path | None, *, update: bool) -> None:
        self._scope = scope
        self._path = path
        self._update = update
        self.objections: list[Objection] = []
        """What fails the run."""
        self.changes: Changes | None = None
        """What was done to the file."""
        self.refusal = ""
        """Why nothing was done to it, though that was asked for."""

    def finish(self, results: Results, partial: str) -> None:
        """Judge the entries, or rewrite them; `partial` says why the run says nothing about what it did not meet."""
        if not self._update or self._path is None:
            self.objections = objections(results, self._scope, whole=not partial)
            return
        faults = results.all_faults()
        self.refusal = partial or ("the adapter itself is at fault" if faults else "")
        if self.refusal:
            return
        try:
            self.changes = update_known_failures(self._path, results, self._scope)
        except (BadKnownFailures, OSError) as error:
            self.refusal = str(error)

    @property
    def covers_all(self) -> bool:
        """Whether the file, as it was rewritten, covers all that the run found."""
        return self.changes is not None and not self.changes.left_out

    def remarks(self, results: Results) -> Iterator[tuple[str, str]]:
        """What there is to say, each with a style for the terminal."""
        for objection in self.objections:
            yield str(objection), "bold red"
        if self.refusal:
            yield f"{self._path} is left as it was: {self.refusal}; update it by a whole run", "bold red"
        if self.changes is not None:
            yield from self._of_changes(self.changes)
        unexplained = sum(not entry.is_explained for entry in results.known_failures)
        if unexplained:
            yield (
                f"{self._path}: {unexplained} known failures are not yet explained: say why, as their reason",
                "yellow",
            )

    def _of_changes(self, changes: Changes) -> Iterator[tuple[str, str]]:
        if not (changes.removed or changes.narrowed or changes.added):
            yield f"{self._path} says what there is already", "bold"
        for said, names in (("gone", changes.removed), ("named", changes.narrowed), ("new", changes.added)):
            for name in names:
                yield f"{self._path}: {said}: {name}", "bold"
        for name in changes.left_out:
            text = "was met by random search alone and is not written down: run with --found=DIR first, then again"
            yield f"{name} {text}", "bold red"
