"""What is known of each published release, and whether its definitions can be imported: a row for each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from conformance.definitions.published import (
    committed_releases,
    list_releases,
    listed_releases,
    published_release,
)
from conformance.definitions.sources import ImportFailedError
from conformance.system.writing import NotWritten
from reference import ConformanceError, releases
from reference.limits import by_version
from reference.release import imported_release, imported_releases, read_manifest

if TYPE_CHECKING:
    from pathlib import Path

COMMITTED, CACHED, NOT_HERE, REFUSED = "committed", "cached", "not here", "refused"
"""Where the definitions of a release are: in this project, in the user's cache, or nowhere."""


@dataclass(frozen=True)
class Row:
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


def row_of(release: str, *, offline: bool) -> Row:
    """Return the row of a release, which is fetched and imported if it is not here and Maven may be asked.

    Raises:
        NotWritten: the user's cache cannot be written.
    """
    if release in releases():
        return _row(release, COMMITTED, committed_releases() / release)
    if offline and imported_release(release) is None:
        return Row(release, NOT_HERE, problem="not fetched so far")
    try:
        return _row(release, CACHED, published_release(release))
    except NotWritten:
        raise
    except ConformanceError as error:
        return Row(release, REFUSED, problem=str(error))


def _row(release: str, state: str, folder: Path) -> Row:
    manifest = read_manifest(folder)
    counts = manifest.get("counts", {})
    return Row(release, state, manifest.get("date", ""), counts.get("definitions", 0), counts.get("pairs", 0))
