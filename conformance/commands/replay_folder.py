"""Replay of a folder of found cases: which of them still fail, which are fixed, which cannot be read."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click
from rich.console import Console

from conformance.bridge.isolation import IsolatedDecoder
from conformance.bridge.loading import load_adapter
from conformance.implementation.driver import Implementation
from conformance.implementation.session import Session
from conformance.suite.found_cases import (
    SUFFIX,
    BadFoundCase,
    check_found,
    is_offered,
    read_found_case,
    recorded_release,
)
from reference.definitions.errors import DefinitionError

if TYPE_CHECKING:
    from pathlib import Path

    from reference import Release

STYLES = {"still fails": "bold red", "error": "bold red", "fixed": "green"}


def replay_folder(folder: Path, impl: str, release: str | None) -> bool:
    """Try every found case in a folder, each against its own release unless one is named; return whether all are fixed.

    Raises:
        AdapterError: the implementation cannot be loaded.
        ClickException: there are no found cases: nothing tested is not success.
    """
    files = sorted(folder.glob(f"*{SUFFIX}"))
    if not files:
        raise click.ClickException(f"there are no found cases in {folder}")
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    counts = dict.fromkeys(STYLES, 0)
    with _Sessions(impl, release) as sessions:
        for file in files:
            state, text = sessions.state(file)
            counts[state] += 1
            console.print(f"{state:11}  {file.name}{text}", style=STYLES[state])
    console.print(f"{len(files)} found cases: " + ", ".join(f"{count} {state}" for state, count in counts.items()))
    return counts["fixed"] == len(files)


class _Sessions(ExitStack):
    """An implementation, loaded once for each release that cases are about."""

    def __init__(self, impl: str, release: str | None) -> None:
        super().__init__()
        self._impl = impl
        self._release = release
        self._loaded: dict[str, Session] = {}

    def state(self, file: Path) -> tuple[str, str]:
        """Return what became of one case, and what there is to say about it."""
        try:
            session = self._session(recorded_release(file, self._release))
            found = read_found_case(file, session.release)
        except (BadFoundCase, DefinitionError) as error:
            return "error", f": {error}"
        if not is_offered(session, found.case):
            return "error", f": {session.implementation.name} does not offer {found.case.target}"
        keys = {violation.key for violation in check_found(session, found)}
        if not keys:
            return "fixed", ""
        return "still fails", ": " + ", ".join(f"{rule} ({outcome})" for rule, outcome in sorted(keys))

    def _session(self, release: Release) -> Session:
        """Return the session of a release; everything is decoded in a child process, for found cases may be deadly."""
        if release.name not in self._loaded:
            implementation = Implementation(load_adapter(self._impl, release))
            decoder = None
            if not implementation.adapter.is_over_stdio:
                decoder = self.enter_context(IsolatedDecoder(self._impl, release.name))
            self._loaded[release.name] = Session(implementation, release, decoder, isolate_all=True)
        return self._loaded[release.name]
