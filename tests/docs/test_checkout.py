"""The documentation in a checkout: links between files, and generated pages that are committed."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from docs._ext.addresses import slug
from docs._ext.markdown import outside_code
from docs._ext.pages import DOCS, committed_pages

ROOT = DOCS.parent
FILES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "specs/**/*.md", "vectors/*.md", "conformance/*.md", "reference/*.md")
    for path in ROOT.glob(pattern)
)
_LINK = re.compile(r"\[(?:[^\[\]]|`[^`]*`)*\]\(([^)\s]+)\)")
_SOURCE = re.compile(r'(?:src|srcset|href)="([^"]+)"')
_ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


def links_of(text: str) -> Iterator[str]:
    """Yield the links of a page outside of code, but for those to other sites."""
    lines: list[str] = []

    def kept(line: str) -> str:
        lines.append(line)
        return line

    outside_code(text, kept)
    found = (link for line in lines for link in (*_LINK.findall(line), *_SOURCE.findall(line)))
    return (link for link in found if not re.match(r"[a-z]+:", link))


@cache
def anchors_of(path: Path) -> set[str]:
    text = path.read_text(encoding="utf-8")
    titles = [line.lstrip("#").strip() for line in text.splitlines() if line.startswith("#")]
    return {*map(slug, titles), *(slug(_ANCHOR.sub("", title).strip()) for title in titles), *_ANCHOR.findall(text)}


def leads(path: Path, link: str) -> bool:
    """Whether a link of a file leads to a file, and to a heading in it."""
    target, _, anchor = link.partition("#")
    place = (path.parent / target).resolve() if target else path
    return place.exists() and (not anchor or place.suffix != ".md" or anchor in anchors_of(place))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    assert [link for link in links_of(path.read_text(encoding="utf-8")) if not leads(path, link)] == []


def test_dead_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A\n\n[a](#a) [b](#b) [c](other.md)\n", encoding="utf-8")
    assert [link for link in links_of(page.read_text(encoding="utf-8")) if not leads(page, link)] == ["#b", "other.md"]


def test_generated_pages_are_those_of_the_commit() -> None:
    """`python -m docs._ext pages` writes them."""
    pages = committed_pages()
    stale = [page.path for page in pages if (DOCS / page.path).read_text(encoding="utf-8") != page.text]
    assert len(pages) == 8
    assert stale == []
