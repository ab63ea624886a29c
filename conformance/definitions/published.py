"""The releases that Apache Kafka has published: fetched with Maven, imported once, and kept in the user's cache.

A release is there whole or not at all. Its jars go when it is imported; Maven may have them in a cache of its own.

The overview has a row for each published release, with what is known of it, and whether it can be imported.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from conformance.definitions import maven
from conformance.definitions.importer import checked_name, import_release
from conformance.definitions.sources import ImportFailedError, jar_source
from conformance.system.whole_files import NotWritten, explained, write_text
from reference import ConformanceError, releases
from reference.inputs.json_text import read_json
from reference.limits import by_version
from reference.release import imported_release, imported_releases, read_manifest

if TYPE_CHECKING:
    from conformance.definitions.sources import Source

OLDEST = "2.3.0"
"""The first release that has definitions in its jars."""

NAME = re.compile(r"[0-9]+(\.[0-9]+)+[0-9A-Za-z.-]*")
"""What may be the name of a published release."""

FINAL = re.compile(r"[0-9]+(\.[0-9]+)+")
"""The name of one that is no beta."""


def committed_releases() -> Path:
    """Return the folder of this checkout or installation that contains the releases."""
    return Path(str(files("specs"))) / "releases"


def checkout() -> Path | None:
    """Return the checkout of this project that is being run; None in an installation."""
    root = committed_releases().parents[1]
    return root if (root / "pyproject.toml").is_file() else None


def user_cache() -> Path:
    """Return the folder for what can be had again."""
    return platformdirs.user_cache_path("kafka-wire-conformance")


def import_target() -> Path:
    """Return the folder that an import writes to by default, where `--release` finds it: nothing that is installed."""
    return committed_releases() if checkout() else imported_releases()


def is_published(name: str) -> bool:
    """Return whether a name may be that of a release which Apache Kafka has published with definitions."""
    return bool(NAME.fullmatch(name)) and by_version(name) >= by_version(OLDEST)


def published_release(release: str) -> Path:
    """Return the folder of a published release in the user's cache, after fetching and importing it if need be.

    Raises:
        ImportFailedError: there is no such release, or it cannot be fetched.
        BrokenDefinition: a definition breaks a rule.
        NotWritten: the cache cannot be written.
    """
    if imported_release(release) is None:
        import_release(release, published_sources(release), imported_releases())
        shutil.rmtree(_jars() / release, ignore_errors=True)
    return imported_releases() / release


def published_sources(release: str) -> tuple[Source, ...]:
    """Return the definitions in the jars of a published release; an artifact may have none.

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
    """Return the names of the published releases from `OLDEST` on, as Maven has them now, and keep the list.

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
    """Return the names of the list that was kept last; none if there is none."""
    return tuple(map(str, read_json(_list()))) if _list().is_file() else ()


def _list() -> Path:
    return user_cache() / "releases.json"


COMMITTED, CACHED, NOT_HERE, REFUSED = "committed", "cached", "not here", "refused"
"""Where the definitions of a release are: in this project, in the user's cache, or nowhere."""


@dataclass(frozen=True)
class ReleaseRow:
    """One release.

    Attributes:
        release: its name.
        state: one of the words above.
        date: the day on which its definitions were put into their jars; empty if that is not known.
        definitions: their number.
        pairs: the number of their (message, version) pairs.
        problem: why it is not imported; empty if it is.
    """

    release: str
    state: str
    date: str = ""
    definitions: int = 0
    pairs: int = 0
    problem: str = ""


def known_releases(*, offline: bool) -> tuple[tuple[str, ...], str]:
    """Return the names of all releases that are known, oldest first, and why they may not be all that there are.

    Args:
        offline: whether the list that was kept last is taken, and Maven is not asked.

    Raises:
        NotWritten: the list cannot be kept.
    """
    problem = "" if not offline else "Maven was not asked"
    try:
        listed = listed_releases() if offline else list_releases()
    except ImportFailedError as error:
        listed, problem = listed_releases(), str(error)
    kept = (folder.name for folder in imported_releases().glob("*") if imported_release(folder.name))
    return tuple(sorted({*listed, *releases(), *kept}, key=by_version)), problem


def row_of(release: str, *, offline: bool) -> ReleaseRow:
    """Return the row of a release, which is fetched and imported if it is not here and Maven may be asked.

    Raises:
        NotWritten: the user's cache cannot be written.
    """
    if release in releases():
        return _row(release, COMMITTED, committed_releases() / release)
    if offline and imported_release(release) is None:
        return ReleaseRow(release, NOT_HERE, problem="not fetched so far")
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
