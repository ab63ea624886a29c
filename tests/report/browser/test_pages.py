"""Pages of every kind open and are accessible in a browser without a network."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.report.browser.conftest import Site
from tests.report.browser.visitor import SCHEMES, Scheme, visiting

pytestmark = pytest.mark.browser

KINDS = (
    *("matrix", "matrix-of-a-release", "campaigns", "rules", "rule", "run", "coverage", "cases", "case"),
    *("server", "frame", "hostile-matrix", "hostile-run", "hostile-case"),
)
NARROW = {"width": 320, "height": 640}
"""The width at which WCAG 1.4.10 asks for text that needs no scrolling in two directions."""

OPEN_EVERYTHING = """
    document.querySelectorAll("details").forEach((each) => { each.open = true; });
    document.querySelectorAll("button[aria-expanded=false]").forEach((each) => each.click());
"""


def test_every_page_of_the_site_is_of_a_kind_that_is_tested(site: Site) -> None:
    folders = {path.parent.relative_to(site.folder).parts[:1] for path in site.folder.rglob("*.html")}
    assert folders == {Path(name).parent.parts[:1] for name in site.kinds.values()}
    assert set(KINDS) == set(site.kinds)


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_opens_without_errors_and_requests(browser: Browser, site: Site, kind: str) -> None:
    with visiting(browser, site.folder) as visitor:
        page = visitor.open(site.kinds[kind])
        assert page.locator("h1").count() == 1


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation(browser: Browser, site: Site, screenshots: Path, kind: str, scheme: Scheme) -> None:
    """WCAG 2 at level AA, as the page is at first and with everything opened; a picture of it is kept."""
    with visiting(browser, site.folder, scheme) as visitor:
        page = visitor.open(site.kinds[kind])
        page.screenshot(path=screenshots / f"{kind}-{scheme}.png")
        assert visitor.violations() == []
        page.evaluate(OPEN_EVERYTHING)
        assert visitor.violations() == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_narrow_page_is_read_without_scrolling_sideways(
    browser: Browser, site: Site, screenshots: Path, kind: str
) -> None:
    """Tables scroll in a region of their own, which the keyboard reaches."""
    with visiting(browser, site.folder, viewport=NARROW) as visitor:
        page = visitor.open(site.kinds[kind])
        page.screenshot(path=screenshots / f"{kind}-narrow.png")
        assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


@pytest.mark.parametrize("kind", KINDS)
def test_without_scripts_nothing_is_hidden_and_nothing_is_offered_that_does_not_work(
    browser: Browser, site: Site, kind: str
) -> None:
    with visiting(browser, site.folder, java_script_enabled=False) as visitor:
        page = visitor.open(site.kinds[kind])
        assert all(not button.is_visible() for button in page.locator("button, input, select").all())
        assert all(row.is_visible() for row in page.locator("main table tr").all()[:50])


def test_what_an_implementation_says_runs_no_script(browser: Browser, site: Site) -> None:
    """Its name has a script element, and so have its findings: no element of a page came from it."""
    with visiting(browser, site.folder) as visitor:
        for kind in ("hostile-matrix", "hostile-run", "hostile-case"):
            page = visitor.open(site.kinds[kind])
            assert page.locator("script").count() == 1
            assert page.locator("script").get_attribute("src") is not None
            assert "<script>alert('1')</script>" in page.locator("main").inner_text()
