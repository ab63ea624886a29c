"""The published releases of Apache Kafka, fetched with Maven, imported once, and kept in the user's cache.

A release is kept whole or not at all. Its jars are removed after the import; Maven may have them in a cache of its own.

The overview has a row for each published release, with the known facts about it, and the possibility of its import.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

import platformdirs

from conformance.definitions import maven
from conformance.definitions.importer import checked_name, import_release
from conformance.definitions.sources import ImportFailedError, jar_source
from conformance.system.terminal import echo
from conformance.system.whole_files import NotWritten, explained, write_text
from reference import ConformanceError, releases
from reference.inputs.errors import BadInput
from reference.inputs.json_text import read_json
from reference.inputs.sums import misfit
from reference.limits import by_version
from reference.release import MANIFEST, imported_release, imported_releases, read_manifest

if TYPE_CHECKING:
    from conformance.definitions.sources import Source

OLDEST = "2.3.0"
"""The first release with definitions in its jars."""

NAME = re.compile(r"[0-9]+(\.[0-9]+)+[0-9A-Za-z.-]*")
"""The form of the name of a published release."""

FINAL = re.compile(r"[0-9]+(\.[0-9]+)+")
"""The form of the name of a final release, in contrast to a beta."""


def committed_releases() -> Path:
    """Return the folder of the releases in this checkout or installation."""
    return Path(str(files("specs"))) / "releases"


def checkout() -> Path | None:
    """Return the running checkout of this project, or None in an installation."""
    root = committed_releases().parents[1]
    return root if (root / "pyproject.toml").is_file() else None


def user_cache() -> Path:
    """Return the folder for reproducible files."""
    return platformdirs.user_cache_path("kafka-wire-conformance")


def import_target() -> Path:
    """Return the default target of an import, which `--release` searches. Installed folders stay unchanged."""
    return committed_releases() if checkout() else imported_releases()


def is_published(name: str) -> bool:
    """Return whether a name may be that of a published release with definitions."""
    return bool(NAME.fullmatch(name)) and by_version(name) >= by_version(OLDEST)


def published_release(release: str) -> Path:
    """Return the folder of a published release in the user's cache, after fetching and importing it if need be.

    A line on standard error says so. A damaged folder is moved aside.

    Raises:
        ImportFailedError: there is no such release, or it cannot be fetched.
        BrokenDefinition: a definition breaks a rule.
        NotWritten: the cache cannot be written.
    """
    folder = imported_releases() / release
    if imported_release(release) is None:
        damage = misfit(folder)
        problem = f"in {imported_releases()} is damaged ({damage})" if damage else "is not here"
        echo(f"Kafka {release} {problem}: fetching its definitions with Maven", err=True)
        sources = published_sources(release)
        if damage:
            _move_aside(folder)
        import_release(release, sources, imported_releases())
        shutil.rmtree(_jars() / release, ignore_errors=True)
    return folder


def _move_aside(folder: Path) -> None:
    """Rename a damaged folder, as it may have a user's changes."""
    others = user_cache() / "damaged"
    with explained(folder):
        others.mkdir(exist_ok=True)
        aside = Path(mkdtemp(prefix=f"{folder.name}-", dir=others))
        folder.rename(aside)
    echo(f"the damaged definitions are kept in {aside}", err=True)


def published_sources(release: str) -> tuple[Source, ...]:
    """Return the definitions in the jars of a published release, without artifacts of none.

    Raises:
        ImportFailedError: there is no such release, or it cannot be fetched.
        NotWritten: the cache cannot be written.
    """
    jars = maven.fetch(checked_name(release), _jars())
    sources = (jar_source(jar, artifact, maven.coordinates(artifact, release)) for artifact, jar in jars.items())
    return tuple(source for source in sources if source.files)


def _jars() -> Path:
    return user_cache() / "published"


def list_releases() -> tuple[str, ...]:
    """Return the names of the published releases from `OLDEST` on, asked of Maven, and keep the list.

    Raises:
        ImportFailedError: Maven gets no list.
        NotWritten: the cache cannot be written.
    """
    names = sorted(filter(FINAL.fullmatch, maven.published_versions()), key=by_version)
    listed = tuple(name for name in names if by_version(name) >= by_version(OLDEST))
    with explained(_list()):
        _list().parent.mkdir(parents=True, exist_ok=True)
        write_text(_list(), json.dumps(listed) + "\n")
    return listed


def listed_releases() -> tuple[str, ...]:
    """Return the names of the list kept last, or none. A damaged list is only named on standard error."""
    try:
        names = read_json(_list())
    except FileNotFoundError:
        return ()
    except BadInput:
        names = None
    if isinstance(names, list) and all(isinstance(name, str) and FINAL.fullmatch(name) for name in names):
        return tuple(names)
    echo(f"{_list()} is damaged and not used: without --offline it is written again", err=True)
    return ()


def _list() -> Path:
    return user_cache() / "releases.json"


COMMITTED, CACHED, NOT_HERE, REFUSED = "committed", "cached", "not here", "refused"
"""The places of the definitions of a release: in this project, in the user's cache, or nowhere."""


@dataclass(frozen=True)
class ReleaseRow:
    """One release. `date` is the day when definitions were put into its jars, `problem` why it is not imported."""

    release: str
    state: str
    date: str = ""
    definitions: int = 0
    pairs: int = 0
    problem: str = ""


def known_releases(*, offline: bool) -> tuple[tuple[str, ...], str]:
    """Return the names of all known releases, oldest first, and the reason why some may be missing.

    Maven is not asked if `offline`, but the list kept last is taken. A list that cannot be kept raises `NotWritten`.
    """
    problem = "" if not offline else "Maven was not asked"
    try:
        listed = listed_releases() if offline else list_releases()
    except ImportFailedError as error:
        listed, problem = listed_releases(), str(error)
    kept = (manifest.parent.name for manifest in imported_releases().glob(f"*/{MANIFEST}"))
    return tuple(sorted({*listed, *releases(), *kept}, key=by_version)), problem


def row_of(release: str, *, offline: bool) -> ReleaseRow:
    """Return the row of a release, fetched and imported if it is missing, and not `offline`, or raise `NotWritten`."""
    if release in releases():
        return _row(release, COMMITTED, committed_releases() / release)
    if offline and imported_release(release) is None:
        damage = misfit(imported_releases() / release)
        return ReleaseRow(release, NOT_HERE, problem=f"damaged: {damage}" if damage else "not fetched so far")
    try:
        return _row(release, CACHED, published_release(release))
    except NotWritten:
        raise
    except ConformanceError as error:
        return ReleaseRow(release, REFUSED, problem=str(error))


def _row(release: str, state: str, folder: Path) -> ReleaseRow:
    manifest = read_manifest(folder)
    counts = manifest.get("counts", {})
    return ReleaseRow(release, state, manifest.get("date", ""), counts.get("definitions", 0), counts.get("pairs", 0))
