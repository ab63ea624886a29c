"""Replay of a folder of found cases: which of them still fail, which are fixed, which cannot be read."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import click
from rich.console import Console

from conformance.bridge.isolation import IsolatedDecoder
from conformance.findings.found import SUFFIX, BadFoundCase, check_found, read_found_case, recorded_schema
from conformance.findings.tally import Tally
from conformance.implementation.driver import Implementation, offered
from conformance.implementation.loading import is_over_stdio, load_adapter
from reference.definitions.errors import DefinitionError

if TYPE_CHECKING:
    from pathlib import Path

    from reference import Release

STYLES = {"still fails": "bold red", "error": "bold red", "fixed": "green"}


def replay_folder(folder: Path, impl: str, release: str | None) -> bool:
    """Try every found case in a folder, each against its own release unless one is named; whether all are fixed.

    Raises:
        AdapterError: the implementation cannot be loaded.
        ClickException: there are no found cases: nothing tested is not success.
    """
    files = sorted(folder.glob(f"*{SUFFIX}"))
    if not files:
        raise click.ClickException(f"there are no found cases in {folder}")
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    counts = dict.fromkeys(STYLES, 0)
    with _Replays(impl, release) as replays:
        for file in files:
            state, text = replays.state(file)
            counts[state] += 1
            console.print(f"{state:11}  {file.name}{text}", style=STYLES[state])
    console.print(f"{len(files)} found cases: " + ", ".join(f"{count} {state}" for state, count in counts.items()))
    return counts["fixed"] == len(files)


class _Replays(ExitStack):
    """An implementation, loaded once for each release that cases are about."""

    def __init__(self, impl: str, release: str | None) -> None:
        super().__init__()
        self._impl = impl
        self._release = release
        self._loaded: dict[str, tuple[Implementation, IsolatedDecoder | None]] = {}

    def state(self, file: Path) -> tuple[str, str]:
        """What became of one case, and what there is to say about it."""
        try:
            schema, release = recorded_schema(file, self._release)
            implementation, decoder = self._load(release)
            if not offered(implementation, [schema]):
                return "error", f": {implementation.name} does not offer {schema}"
            found = read_found_case(file, schema)
        except (BadFoundCase, DefinitionError) as error:
            return "error", f": {error}"
        keys = {violation.key for violation in check_found(implementation, decoder, found, Tally())}
        if not keys:
            return "fixed", ""
        return "still fails", ": " + ", ".join(f"{rule} ({outcome})" for rule, outcome in sorted(keys))

    def _load(self, release: Release) -> tuple[Implementation, IsolatedDecoder | None]:
        """With a child process to decode everything in: what was found may be deadly."""
        if release.name not in self._loaded:
            implementation = Implementation(load_adapter(self._impl, release))
            decoder = None
            if not is_over_stdio(self._impl):
                decoder = self.enter_context(IsolatedDecoder(self._impl, release.name))
                implementation.isolated_decode = decoder.decode
            self._loaded[release.name] = (implementation, decoder)
        return self._loaded[release.name]
