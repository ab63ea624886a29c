"""The releases that Apache Kafka has published: fetched with Maven, imported once, and kept in the user's cache.

A release is there whole or not at all. Its jars go when it is imported; Maven may have them in a cache of its own.
"""

from __future__ import annotations

import json
import re
import shutil
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from conformance.definitions import maven
from conformance.definitions.importer import checked_name, import_release
from conformance.definitions.sources import jar_source
from conformance.system.writing import explained, write_text
from reference.inputs.json_text import read_json
from reference.limits import by_version
from reference.release import imported_release, imported_releases

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
