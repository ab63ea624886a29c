"""Checks for dead links of the built site, and for missing addresses of rules, statements and commands."""

from __future__ import annotations

from functools import cached_property
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

from conformance.definitions.book import requirements_of_proposals, statements
from conformance.definitions.catalogue import catalogue
from conformance.report.site.documentation import rule_address, statement_address
from docs._ext.addresses import command_page
from docs._ext.commands import commands

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ENDING = ".html"


class _Reader(HTMLParser):
    """The ids and links of one page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the id and the link of a tag."""
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif (name == "href" and tag == "a") or name == "src":
                self.links.append(value or "")


class BuiltSite:
    """A site in a folder.

    Attributes:
        folder: where it is.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def pages(self) -> dict[str, _Reader]:
        """The ids and links of every page, by its path."""
        return {path.relative_to(self.folder).as_posix(): _read(path) for path in self.folder.rglob(f"*{ENDING}")}

    def has(self, page: str, anchor: str = "") -> bool:
        """Whether the site has a page, named without the ending, and an anchor on it."""
        read = self.pages.get(page + ENDING)
        return read is not None and (not anchor or anchor in read.ids)

    def dead_links(self) -> Iterator[str]:
        """Yield each dead link inside of the site, with its page."""
        for name, page in self.pages.items():
            for link in sorted(set(page.links)):
                if not self._leads(name, link):
                    yield f"{name}: {link}"

    def _leads(self, name: str, link: str) -> bool:
        parts = urlsplit(urljoin(name, link) if not link.startswith("#") else f"{name}{link}")
        if parts.scheme or parts.netloc:
            return True
        page = self.pages.get(parts.path)
        if page is None:
            return (self.folder / unquote(parts.path)).is_file()
        return not parts.fragment or unquote(parts.fragment) in page.ids


def _read(path: Path) -> _Reader:
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def missing_addresses(site: BuiltSite) -> Iterator[str]:
    """Yield each rule, statement and command without an address on the site."""
    for rule in catalogue():
        if not site.has(*rule_address(rule)):
            yield f"rule {rule}"
    for number in (*statements(), *(each.number for each in requirements_of_proposals())):
        if not site.has(*statement_address(number)):
            yield f"statement {number}"
    for words in commands():
        if not site.has(command_page(words)):
            yield f"command {' '.join(words)}"


def problems(folder: Path) -> list[str]:
    """Return all problems of a site."""
    site = BuiltSite(folder)
    dead = [f"dead link: {each}" for each in site.dead_links()]
    return [*dead, *(f"without an address: {each}" for each in missing_addresses(site))]
