"""A browser with a record of errors of the console, and of requests to other sites."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

Scheme = Literal["light", "dark"]

WCAG_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
"""The rules of axe for level AA of WCAG 2.0, 2.1 and 2.2, and its best practices."""

CONTRAST = ["color-contrast"]
"""The rule about what a colour scheme changes."""

SECONDS = 20
"""How long a page may take on a machine with other work; what is measured has limits of its own."""


class Visitor:
    """A page of a browser, opened on files of a site."""

    def __init__(self, page: Page, site: Path, scheme: Scheme) -> None:
        self.page = page
        self.scheme = scheme
        self.site = site
        self.complaints: list[str] = []
        page.set_default_timeout(1000 * SECONDS)
        page.on("console", lambda message: self.complaints.append(f"console: {message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        page.on("requestfailed", lambda request: self.complaints.append(f"failed: {request.url}"))
        page.on("request", lambda request: self._look_at(request.url))

    def open(self, name: str) -> Page:
        """Open a file of the site."""
        self.page.goto((self.site / name).as_uri())
        return self.page

    @property
    def place(self) -> str:
        """The name of the open file."""
        return str(Path(unquote(urlsplit(self.page.url).path)).relative_to(self.site))

    def violations(self) -> list[str]:
        """The departures from WCAG at level AA found by axe, each with its rule and its elements.

        In the dark colour scheme, axe looks at colours alone.

        Preloading is off: it would fetch style sheets by a script, and no browser allows this to a file.
        """
        rules = WCAG_AA if self.scheme == "light" else CONTRAST
        found: dict[str, Any] = Axe().run(self.page, options={"runOnly": rules, "preload": False}).response
        return [
            f"{each['id']}: {node['html'][:200]}: {node.get('failureSummary', '')[:300]}"
            for each in found["violations"]
            for node in each["nodes"]
        ]

    def _look_at(self, url: str) -> None:
        if not url.startswith((self.site.as_uri(), "data:")):
            self.complaints.append(f"request: {url}")


@contextmanager
def looking(browser: Browser, site: Path, scheme: Scheme = "light", **settings: Any) -> Iterator[Visitor]:
    """A visitor without a network."""
    context = browser.new_context(color_scheme=scheme, offline=True, **settings)
    try:
        yield Visitor(context.new_page(), site, scheme)
    finally:
        context.close()


@contextmanager
def visiting(browser: Browser, site: Path, scheme: Scheme = "light", **settings: Any) -> Iterator[Visitor]:
    """Yield a visitor without a network, and fail if it has complaints at the end."""
    with looking(browser, site, scheme, **settings) as visitor:
        yield visitor
        assert visitor.complaints == []


__all__ = ["Scheme", "Visitor", "expect", "looking", "visiting"]
