"""Writing of a site to a folder with a temporary name, which replaces the old folder at the end."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.report.report_set import report_set_of
from conformance.report.site.campaign_pages import campaign_pages
from conformance.report.site.cause_pages import cause_pages
from conformance.report.site.documentation import published
from conformance.report.site.front_pages import front_pages
from conformance.report.site.rule_pages import matrix_pages, rule_pages
from conformance.report.site.run_pages import run_pages
from conformance.system.folders import document_in, foreign, named, replacing_folder
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from conformance.report.changes import Trend
    from conformance.report.facts import RunReport
    from conformance.report.report_set import ReportSet
    from conformance.report.site.cause_pages import ReplayOf
    from conformance.report.site.documentation import Documentation

MARKER = "site.json"
"""The file that marks a site, with the SHA-256 of all others, so that no file of somebody else is deleted."""

FORMAT = 2
STATIC = ("style.css", "site.js", "icon.svg", "404.html")


class NoSite(ConformanceError):
    """The output folder is not a site of this command."""


def site_pages(  # noqa: PLR0913  # one argument for each option of the command
    runs: Iterable[RunReport],
    replay_of: ReplayOf,
    baselines: Sequence[RunReport] = (),
    trends: Sequence[Trend] = (),
    *,
    documentation: Documentation | None = None,
    site_url: str = "",
) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every file of a site, which depends on nothing else, nor on the order of reports.

    `baselines` are older reports for a list of changes. Without `documentation` rules link to that of the package.
    Pictures have links to the published `site_url`. Two reports of one title and release raise `SameRun`.
    """
    shelf = report_set_of(runs)
    address = site_url and f"{site_url.rstrip('/')}/"
    pages = chain(
        front_pages(shelf, trends, address),
        matrix_pages(shelf),
        run_pages(shelf, baselines, trends, address),
        rule_pages(shelf, published() if documentation is None else documentation),
        cause_pages(shelf, replay_of, address),
        campaign_pages(trends),
        ((name, (files(__package__) / "static" / name).read_text(encoding="utf-8")) for name in STATIC),
    )
    hashes = {}
    for name, text in pages:
        hashes[name] = hashlib.sha256(text.encode()).hexdigest()
        yield name, text
    yield MARKER, marker_text(shelf, hashes)


def marker_text(shelf: ReportSet, hashes: Mapping[str, str]) -> str:
    """Return the text of the marker file, given the SHA-256 of the other files by name."""
    about = [
        {"slug": each.slug, "title": each.title, "kind": each.run.kind, "release": each.run.release}
        for each in shelf.placed
    ]
    return json.dumps({"site": FORMAT, "runs": about, "files": dict(sorted(hashes.items()))}, indent=2) + "\n"


def write_site(folder: Path, pages: Iterable[tuple[str, str]]) -> int:
    """Write the files of a site to a folder, in place of an older one, and return their number.

    Raises:
        NoSite: the folder has other files. They are left as they are.
        NotWritten: the folder cannot be written.
    """
    folder = folder.resolve()
    # Before any page is made, and again before the old folder is deleted: files may have come into it meanwhile.
    check_output(folder)
    count = 0
    with replacing_folder(folder, lambda: check_output(folder)) as new:
        for count, (name, text) in enumerate(pages, start=1):  # noqa: B007  # how many there were
            path = new / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    return count


def check_output(folder: Path) -> None:
    """Raise `NoSite` if a folder is neither a site nor empty, or its parent folder does not exist."""
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
    names = marker.get("files")
    if marker.get("site") != FORMAT or not isinstance(marker.get("runs"), list) or not isinstance(names, dict):
        return None
    return names if all(isinstance(each, str) for each in names.values()) else None
