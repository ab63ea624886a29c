"""Writes the site: all pages into a folder of a temporary name, which takes the place of the old one at the end."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.report.shelf import shelf_of
from conformance.report.site.campaign_pages import campaign_pages
from conformance.report.site.documentation import published
from conformance.report.site.rule_pages import matrix_pages, rule_pages
from conformance.report.site.run_pages import case_pages, run_pages
from conformance.system.folders import document_in, foreign, named, replacing_folder
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from conformance.report.changes import Trend
    from conformance.report.facts import RunReport
    from conformance.report.shelf import Shelf
    from conformance.report.site.documentation import Documentation
    from conformance.report.site.run_pages import ReplayOf

MARKER = "site.json"
"""The file by which a folder is known as a site that may be replaced: it has the SHA-256 of all others."""

FORMAT = 2
STATIC = ("style.css", "site.js")


class NoSite(ConformanceError):
    """The output is something else than a site that was written before."""


def site_pages(
    runs: Iterable[RunReport],
    replay_of: ReplayOf,
    baselines: Sequence[RunReport] = (),
    trends: Sequence[Trend] = (),
    documentation: Documentation | None = None,
) -> Iterator[tuple[str, str]]:
    """Yield name and text of every file of a site: a pure function of the reports, in whatever order they come.

    `trends` are those of campaigns, which get a page of their own; `replay_of` makes the commands of cases.
    Pages of rules link to `documentation`, or to the one that the package names.

    Raises:
        SameRun: two reports cannot be told apart.
    """
    shelf = shelf_of(runs)
    pages = chain(
        matrix_pages(shelf, trends),
        run_pages(shelf, baselines, trends),
        rule_pages(shelf, published() if documentation is None else documentation),
        case_pages(shelf, replay_of),
        campaign_pages(trends),
        ((name, (files(__package__) / "static" / name).read_text(encoding="utf-8")) for name in STATIC),
    )
    hashes = {}
    for name, text in pages:
        hashes[name] = hashlib.sha256(text.encode()).hexdigest()
        yield name, text
    yield MARKER, marker_text(shelf, hashes)


def marker_text(shelf: Shelf, hashes: Mapping[str, str]) -> str:
    """Return the text of the file that makes a folder a site, given the SHA-256 of its other files by name."""
    about = [
        {"slug": each.slug, "title": each.title, "kind": each.run.kind, "release": each.run.release}
        for each in shelf.placed
    ]
    return json.dumps({"site": FORMAT, "runs": about, "files": dict(sorted(hashes.items()))}, indent=2) + "\n"


def write_site(folder: Path, pages: Iterable[tuple[str, str]]) -> int:
    """Write the files of a site to a folder, and return how many; a site that was there before is replaced as a whole.

    Raises:
        NoSite: there is something else at that place: it is left as it is.
        NotWritten: the folder cannot be written.
    """
    folder = folder.resolve()
    check_output(folder)
    count = 0
    with replacing_folder(folder, lambda: check_output(folder)) as new:
        for count, (name, text) in enumerate(pages, start=1):  # noqa: B007  # how many there were
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    return count


def check_output(folder: Path) -> None:
    """See that nothing but a site, or an empty folder, would be replaced.

    Raises:
        NoSite: something else is there, or there is no folder to put it into.
    """
    if not folder.parent.is_dir():
        raise NoSite(f"{folder.parent} is no folder: make it first")
    if folder.exists() and not folder.is_dir():
        raise NoSite(f"{folder} is a file: name a folder for the site")
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    hashes = _hashes(document_in(folder / MARKER))
    if hashes is None:
        raise NoSite(
            f"{folder} is not empty, and no site of this command (no {MARKER} of this version says so): name another "
            "folder, or empty it yourself"
        )
    others = foreign(folder, {**hashes, MARKER: None})
    if others:
        raise NoSite(
            f"{folder} has what this command did not write, or not so, and which would be deleted with the older site: "
            f"{named(others)}. Move it away, or name another folder"
        )


def _hashes(marker: dict[str, Any]) -> dict[str, str] | None:
    """Return the SHA-256 of each file of the site that a marker is of; None: it is of none."""
    names = marker.get("files")
    if marker.get("site") != FORMAT or not isinstance(marker.get("runs"), list) or not isinstance(names, dict):
        return None
    return names if all(isinstance(each, str) for each in names.values()) else None
