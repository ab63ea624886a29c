"""Writes the site: all pages into a folder of a temporary name, which takes the place of the old one at the end."""

from __future__ import annotations

import json
import shutil
import tempfile
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.reports.pages.campaigns import campaign_pages
from conformance.reports.pages.implementation import case_pages, run_pages
from conformance.reports.pages.matrix import matrix_pages, rule_pages
from conformance.reports.shelf import shelf_of
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.reports.facts import RunReport
    from conformance.reports.trend import Trend

MARKER = "site.json"
"""The file by which a folder is known as a site that may be replaced."""

FORMAT = 1
STATIC = ("style.css", "site.js")


class NoSite(ConformanceError):
    """The output is something else than a site that was written before."""


def site_pages(
    runs: Iterable[RunReport], baselines: Sequence[RunReport] = (), trends: Sequence[Trend] = ()
) -> Iterator[tuple[str, str]]:
    """Yield name and text of every file of a site: a pure function of the reports, in whatever order they come.

    `trends` are those of campaigns, which get a page of their own.

    Raises:
        SameRun: two reports cannot be told apart.
    """
    shelf = shelf_of(runs)
    yield from chain(
        matrix_pages(shelf, trends),
        run_pages(shelf, baselines, trends),
        rule_pages(shelf),
        case_pages(shelf),
        campaign_pages(trends),
    )
    for name in STATIC:
        yield name, (files(__package__) / "static" / name).read_text(encoding="utf-8")
    about = [
        {"slug": each.slug, "title": each.title, "kind": each.run.kind, "release": each.run.release}
        for each in shelf.placed
    ]
    yield MARKER, json.dumps({"site": FORMAT, "runs": about}, indent=2) + "\n"


def write_site(folder: Path, pages: Iterable[tuple[str, str]]) -> int:
    """Write the files of a site to a folder, and return how many; a site that was there before is replaced as a whole.

    Raises:
        NoSite: there is something else at that place: it is left as it is.
        OSError: the folder cannot be written.
    """
    folder = folder.resolve()
    check_output(folder)
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        count = 0
        for count, (name, text) in enumerate(pages, start=1):  # noqa: B007  # how many there were
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        temporary.chmod(0o755)
        _replace(folder, temporary)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
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
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARKER).is_file():
        raise NoSite(f"{folder} is not empty, and no site of this command ({MARKER} is missing): name another folder")


def _replace(folder: Path, temporary: Path) -> None:
    """Put a folder in the place of another one, which is removed; if that fails, it is put back."""
    if not folder.exists():
        temporary.rename(folder)
        return
    old = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}.")) / "old"
    folder.rename(old)
    try:
        temporary.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    finally:
        shutil.rmtree(old.parent, ignore_errors=True)
