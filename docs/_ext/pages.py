"""All pages of the site, and their folder for Sphinx.

A page is a file of `docs/`, a file elsewhere in the repository (`ELSEWHERE`), or made of code and data (`MADE`). Made
pages with links from others (`COMMITTED`) are also files of `docs/`, so that a checkout can be read.
"""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

from docs._ext.book import book_pages
from docs._ext.commands import command_index, command_pages
from docs._ext.links import linked
from docs._ext.markdown import Page
from docs._ext.navigation import with_navigation
from docs._ext.options import options_page
from docs._ext.python_names import python_name_pages
from docs._ext.rules import rule_index, rule_pages
from docs._ext.schemas import schema_pages

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

_PICTURE = re.compile(
    r'<picture>\s*<source media="[^"]*" srcset="([^"]*)">\s*<img src="([^"]*)" alt="([^"]*)">\s*</picture>'
)

ELSEWHERE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "builders/contributing.md",
    "SECURITY.md": "security.md",
    "tests/mutants/TABLE.md": "builders/mutants.md",
    "vectors/README.md": "reference/vectors.md",
}
"""Files of the repository outside of `docs/`, and the page of each on the site."""

MADE = (book_pages, rule_pages, command_pages)
COMMITTED = (rule_index, command_index, options_page, schema_pages, python_name_pages)


def committed_pages() -> list[Page]:
    """Return the generated pages in `docs/`."""
    return list(chain(*(make() for make in COMMITTED)))


def every_page(*, matrix: bool = False) -> list[Page]:
    """Return all pages with links and navigation for the site, and the home page with a link to the matrix."""
    pages = list(chain(_written(), _elsewhere(), *(make() for make in MADE)))
    homes = {page.home: page.path for page in pages}
    complete = [with_navigation(linked(page, homes, ROOT)) for page in pages]
    return [_with_matrix(page) if matrix and page.path == "index.md" else page for page in complete]


def _with_matrix(home: Page) -> Page:
    heading = "## Look something up\n\n"
    link = '- <a href="matrix/index.html">The matrix</a> shows how each tested implementation follows each rule.\n'
    return home._replace(text=home.text.replace(heading, f"{heading}{link}"))


def _written() -> list[Page]:
    paths = [path.relative_to(DOCS).as_posix() for path in sorted(DOCS.rglob("*.md"))]
    return [
        Page(_site_path(path), _themed((DOCS / path).read_text(encoding="utf-8")), f"docs/{path}") for path in paths
    ]


def _site_path(path: str) -> str:
    """Return the path of a page on the site, where the README of a folder is its index."""
    return re.sub(r"README\.md$", "index.md", path)


def _themed(text: str) -> str:
    """Return a page with an image for each theme in the place of a picture by the system's preference."""
    return _PICTURE.sub(r'<img class="only-light" src="\2" alt="\3">\n<img class="only-dark" src="\1" alt="\3">', text)


def _elsewhere() -> list[Page]:
    return [Page(path, (ROOT / home).read_text(encoding="utf-8"), home) for home, path in ELSEWHERE.items()]


def write_pages(folder: Path, *, matrix: bool = False) -> None:
    """Write all pages and the other sources of Sphinx into a folder, except for unchanged ones."""
    wanted = {folder / page.path: page.text.encode() for page in every_page(matrix=matrix)}
    wanted |= {folder / path.relative_to(DOCS): path.read_bytes() for path in _others()}
    for path in set(folder.rglob("*.md")) - wanted.keys():
        path.unlink()
    for path, content in wanted.items():
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _others() -> list[Path]:
    return [DOCS / "conf.py", *sorted((DOCS / "_static").iterdir())]
