"""Pages of every kind open and are accessible in a browser without a network."""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.report.browser.conftest import Site
from tests.report.browser.visitor import Visitor, looking, visiting

pytestmark = pytest.mark.browser

KINDS = (
    *("front", "front-of-a-release", "matrix", "campaigns", "rules", "rule", "book", "run", "coverage", "cases"),
    *("cause", "server", "frame", "not-found", "hostile-front", "hostile-matrix", "hostile-run", "hostile-cause"),
)
NARROW: ViewportSize = {"width": 320, "height": 640}
"""The width at which WCAG 1.4.10 asks for text that needs no scrolling in two directions."""

OPEN_EVERYTHING = """
    document.querySelectorAll("details").forEach((each) => { each.open = true; });
    document.querySelectorAll("button[aria-expanded=false]").forEach((each) => each.click());
"""


def test_every_page_of_the_site_is_of_a_tested_kind(site: Site) -> None:
    folders = {path.parent.relative_to(site.folder).parts[:1] for path in site.folder.rglob("*.html")}
    assert folders == {Path(name).parent.parts[:1] for name in site.kinds.values()}
    assert set(KINDS) == set(site.kinds)


class Seen(NamedTuple):
    """One visit to a page, at first, narrow, and with everything opened."""

    headings: int
    complaints: list[str]
    at_first: list[str]
    narrow_width: int
    opened: list[str]


@pytest.fixture(scope="module")
def seen(browser: Browser, site: Site, screenshots: Path) -> Callable[[str], Seen]:
    """Visit a page of each kind once, and keep pictures of it."""

    @cache
    def visit(kind: str) -> Seen:
        with looking(browser, site.folder) as visitor:
            page = visitor.open(site.kinds[kind])
            headings = page.locator("h1").count()
            page.screenshot(path=screenshots / f"{kind}-light.png")
            at_first, size = visitor.violations(), page.viewport_size
            assert size is not None
            page.set_viewport_size(NARROW)
            narrow_width = page.evaluate("document.documentElement.scrollWidth")
            page.screenshot(path=screenshots / f"{kind}-narrow.png")
            page.set_viewport_size(size)
            page.evaluate(OPEN_EVERYTHING)
            return Seen(headings, visitor.complaints, at_first, narrow_width, visitor.violations())

    return visit


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_opens_without_errors_and_requests(seen: Callable[[str], Seen], kind: str) -> None:
    assert seen(kind).headings == 1
    assert seen(kind).complaints == []


@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation(seen: Callable[[str], Seen], kind: str) -> None:
    """WCAG 2 at level AA and the best practices hold for the page at first and with everything opened."""
    assert seen(kind).at_first == []
    assert seen(kind).opened == []


DARK_AT_A_CHANGE = ("front", "run")
"""The kinds with the colours of the style sheet; each other kind is tried in dark colours at night."""


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, marks=[] if kind in DARK_AT_A_CHANGE else [pytest.mark.nightly]) for kind in KINDS],
)
def test_axe_finds_no_violation_in_dark_colours(browser: Browser, site: Site, screenshots: Path, kind: str) -> None:
    with visiting(browser, site.folder, "dark") as visitor:
        page = visitor.open(site.kinds[kind])
        page.screenshot(path=screenshots / f"{kind}-dark.png")
        assert visitor.violations() == []
        page.evaluate(OPEN_EVERYTHING)
        assert visitor.violations() == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_narrow_page_is_read_without_scrolling_sideways(seen: Callable[[str], Seen], kind: str) -> None:
    """Tables scroll in a region of their own, within reach of the keyboard."""
    assert seen(kind).narrow_width <= NARROW["width"]


@pytest.fixture(scope="module")
def scriptless(browser: Browser, site: Site) -> Iterator[Visitor]:
    with visiting(browser, site.folder, java_script_enabled=False) as visitor:
        yield visitor


@pytest.mark.parametrize("kind", KINDS)
def test_without_scripts_every_row_is_visible_and_no_control_is(scriptless: Visitor, site: Site, kind: str) -> None:
    page = scriptless.open(site.kinds[kind])
    assert all(not button.is_visible() for button in page.locator("button, input, select").all())
    rows = page.locator("main table:not(details *) tr").all()
    assert all(row.is_visible() for row in rows[:50])
    assert scriptless.complaints == []


def test_text_of_an_implementation_runs_no_script(browser: Browser, site: Site) -> None:
    """Its name has a script element, and so have its findings, and neither becomes an element of a page."""
    with visiting(browser, site.folder) as visitor:
        for kind in ("hostile-front", "hostile-matrix", "hostile-run", "hostile-cause"):
            page = visitor.open(site.kinds[kind])
            assert page.locator("script").count() == 1
            assert page.locator("script").get_attribute("src") is not None
            assert "<script>alert('1')</script>" in page.locator("main").inner_text()
