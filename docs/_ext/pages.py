"""All pages of the site, and their folder for Sphinx.

A page is a file of `docs/`, a file elsewhere in the repository (`ELSEWHERE`), or made of code and data (`MADE`).
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from docs._ext.book import book_pages
from docs._ext.commands import command_pages
from docs._ext.links import linked
from docs._ext.markdown import Page
from docs._ext.python_names import python_name_pages
from docs._ext.rules import rule_pages
from docs._ext.schemas import schema_pages

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

ELSEWHERE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "builders/contributing.md",
    "SECURITY.md": "security.md",
    "tests/mutants/TABLE.md": "builders/mutants.md",
    "vectors/README.md": "reference/vectors.md",
}
"""Files of the repository outside of `docs/`, and the page of each on the site."""

MADE = (book_pages, rule_pages, command_pages, schema_pages, python_name_pages)


def every_page() -> list[Page]:
    """Return all pages with links for the site."""
    pages = list(chain(_written(), _elsewhere(), *(make() for make in MADE)))
    homes = {page.home: page.path for page in pages}
    return [linked(page, homes, ROOT) for page in pages]


def _written() -> list[Page]:
    paths = [path.relative_to(DOCS).as_posix() for path in sorted(DOCS.rglob("*.md"))]
    return [Page(path, (DOCS / path).read_text(encoding="utf-8"), f"docs/{path}") for path in paths]


def _elsewhere() -> list[Page]:
    return [Page(path, (ROOT / home).read_text(encoding="utf-8"), home) for home, path in ELSEWHERE.items()]


def write_pages(folder: Path) -> None:
    """Write all pages and the other sources of Sphinx into a folder, except for unchanged ones."""
    wanted = {folder / page.path: page.text.encode() for page in every_page()}
    wanted |= {folder / path.relative_to(DOCS): path.read_bytes() for path in _others()}
    for path in set(folder.rglob("*.md")) - wanted.keys():
        path.unlink()
    for path, content in wanted.items():
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def _others() -> list[Path]:
    return [DOCS / "conf.py", *sorted((DOCS / "_static").iterdir())]
