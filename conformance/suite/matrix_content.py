"""What the result of a run rests on, as a hash: a report with the same hash need not be made again."""

from __future__ import annotations

import shlex
import sys
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.codec.bridge.adapter_files import module_spec
from conformance.codec.loaded_adapter import STDIO, is_over_stdio
from conformance.definitions.named import release_of
from conformance.suite.import_guard import HOME
from conformance.suite.matrix_plan import digest_of
from conformance.system.import_path import current_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.suite.matrix_plan import PlannedRun

SUITE = ("conformance", "reference")
AFTER = {"reports", "matrix"}
"""Rooms of the suite that come after a run."""

BUILT = {"__pycache__", "node_modules", "target"}
"""Folders of what is built."""


def content_key(run: PlannedRun) -> str:
    """Return a hash of all that is known to change a report.

    That is: the options, the definitions of the release, the rules, the file of known failures, the suite, the package
    of the adapter, the files that a command names, and the versions of everything that is installed. A codec that is
    built from sources beside its adapter's package, and a program that a command starts in turn, are not in it.
    """
    return digest_of(_parts(run))


def _parts(run: PlannedRun) -> Iterator[bytes]:
    yield repr((run.impl, run.release, run.options)).encode()
    yield from (b"installed", _installed(), b"suite", _suite())
    yield digest_of(_contents([Path(str(release_of(run.release).folder))])).encode()
    if run.known_failures:
        yield run.known_failures.read_bytes()
    yield digest_of(_contents(_adapter(run.impl))).encode()


@cache
def _installed() -> bytes:
    """Return the version of Python, and the names and versions of all distributions that can be imported."""
    return "\n".join([sys.version, *sorted({f"{each.name} {each.version}" for each in distributions()})]).encode()


@cache
def _suite() -> bytes:
    """Return a hash of the suite and of the rules."""
    rooms = sorted(place for name in SUITE for place in (HOME / name).iterdir() if place.name not in AFTER)
    return digest_of(_contents([*rooms, HOME / "specs" / "rules.toml"])).encode()


def _adapter(impl: str) -> list[Path]:
    """Return the files and folders of an adapter: its top package, or what a command names."""
    if is_over_stdio(impl):
        return [Path(word) for word in shlex.split(impl.removeprefix(STDIO)) if Path(word).is_file()]
    top = impl.partition(":")[0].partition(".")[0]
    spec = module_spec(top, current_folder()) if top not in SUITE else None
    if spec is None:
        return []
    folders = [Path(folder) for folder in spec.submodule_search_locations or ()]
    return folders or ([Path(spec.origin)] if spec.origin else [])


def _contents(places: Iterable[Path]) -> Iterator[bytes]:
    """Yield names and contents of files, and of all files in folders, in the order of their names."""
    for place in places:
        files = sorted(file for file in place.rglob("*") if file.is_file()) if place.is_dir() else [place]
        for file in files:
            name = file.relative_to(place).as_posix() if file != place else file.name
            if not BUILT.intersection(file.parts):
                yield from (name.encode(), file.read_bytes())
