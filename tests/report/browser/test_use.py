"""A site can be followed, filtered, sorted, and read with the keyboard."""

import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.helpers.releases import NEWEST, OLDEST
from tests.report.browser.conftest import CODEC, Site
from tests.report.browser.visitor import looking, visiting

pytestmark = pytest.mark.browser

RULE = "int.width-and-order"


def rows_shown(page: Page, table: str) -> list[str]:
    """The first cells of the visible rows of a table."""
    rows = page.locator(f"#{table} > tbody > tr")
    return [row.locator("th, td").first.inner_text() for row in rows.all() if row.is_visible()]


def test_links_lead_from_the_front_page_to_the_bytes_and_back(browser: Browser, site: Site) -> None:
    with visiting(browser, site.folder) as visitor:
        page = visitor.open("index.html")
        page.get_by_role("link", name="honest 1", exact=True).first.click()
        assert visitor.place == site.kinds["run"]
        page.locator("#causes-table tbody th a").first.click()
        assert visitor.place.startswith(f"causes/{CODEC}/")
        page.locator("#facts + dl a").first.click()
        assert visitor.place.startswith("rules/")
        page.get_by_role("navigation", name="Site").get_by_role("link").first.click()
        assert visitor.place == "index.html"


def test_address_of_a_case_leads_to_its_row(browser: Browser, site: Site) -> None:
    """A case of several runs is marked in the list instead, and the visitor chooses the run."""
    for kind, place in (("frame", site.kinds["frame"]), ("cause", site.kinds["cases"])):
        text = (site.folder / site.kinds[kind]).read_text(encoding="utf-8")
        [address] = re.findall('<div id="([0-9a-f]{10})">', text)
        # Requests of the page that is left may end early, which is no complaint here.
        with looking(browser, site.folder) as visitor:
            visitor.page.goto((site.folder / "cases.html").as_uri() + f"#{address}")
            visitor.page.wait_for_url(f"**/{place}#{address}")
            assert visitor.page.locator(":target").count() == 1


def test_former_page_of_a_case_leads_to_its_row(browser: Browser, site: Site) -> None:
    """A host shows the page for missing addresses, whatever folder it has the site in."""
    [address] = re.findall('<div id="([0-9a-f]{10})">', (site.folder / site.kinds["frame"]).read_text(encoding="utf-8"))

    def answer(route: Route) -> None:
        file = site.folder / urlsplit(route.request.url).path.removeprefix("/some/folder/")
        route.fulfill(path=file if file.is_file() else site.folder / "404.html")

    page = browser.new_context(offline=True).new_page()
    page.route("http://host.invalid/**", answer)
    page.goto(f"http://host.invalid/some/folder/cases/any-run/{address}.html")
    page.wait_for_url(f"http://host.invalid/some/folder/{site.kinds['frame']}#{address}")
    page.context.close()


def test_a_switch_leads_to_another_release(browser: Browser, site: Site) -> None:
    with visiting(browser, site.folder) as visitor:
        page = visitor.open("index.html")
        switch = page.get_by_role("navigation", name="Release")
        expect(switch.get_by_role("link", name=NEWEST)).to_have_attribute("aria-current", "page")
        switch.get_by_role("link", name=OLDEST).click()
        assert visitor.place == f"kafka-{OLDEST}.html"


def test_heads_of_a_long_table_stay_in_sight(browser: Browser, site: Site) -> None:
    with visiting(browser, site.folder) as visitor:
        page = visitor.open(site.kinds["rules"])
        head = page.locator("#rules-table thead th").first
        before = head.bounding_box()
        first = page.locator("#rules-table tbody tr").first
        page.locator(".scroll:has(#rules-table)").evaluate("(each) => { each.scrollTop = 2000; }")
        assert first.bounding_box() != before
        after = head.bounding_box()
        assert before is not None
        assert after is not None
        assert after["y"] <= before["y"]
        assert after["y"] >= 0


def test_filter_of_the_matrix_shows_the_matching_rules(browser: Browser, site: Site) -> None:
    """It opens their groups, shows their number, and goes back to all groups when cleared."""
    with visiting(browser, site.folder) as visitor:
        page = visitor.open(site.kinds["matrix"])
        groups = len(rows_shown(page, "matrix"))
        page.get_by_label("Rules", exact=True).fill("width-and-order")
        shown = [text for text in rows_shown(page, "matrix") if "." in text]
        assert [text.split()[0] for text in shown] == [RULE]
        expect(page.locator("[data-shown=matrix]")).to_contain_text("1 of ")
        page.get_by_label("Rules", exact=True).fill("")
        assert len(rows_shown(page, "matrix")) == groups


def test_a_choice_of_the_matrix_shows_the_rules_in_a_state(browser: Browser, site: Site) -> None:
    with visiting(browser, site.folder) as visitor:
        page = visitor.open(site.kinds["matrix"])
        page.get_by_label("Show").select_option("broken")
        rules = page.locator("#matrix tr.rule:visible")
        assert rules.count() >= 1
        assert all(row.locator("td.broken").count() for row in rules.all())


def test_a_table_is_sorted_by_a_heading_and_back(browser: Browser, site: Site) -> None:
    with visiting(browser, site.folder) as visitor:
        page = visitor.open(site.kinds["front"])
        before = rows_shown(page, "libraries-table")
        heading = page.locator("#libraries-table thead th").first
        heading.get_by_role("button").click()
        expect(heading).to_have_attribute("aria-sort", "ascending")
        assert rows_shown(page, "libraries-table") == sorted(before)
        heading.get_by_role("button").click()
        expect(heading).to_have_attribute("aria-sort", "descending")
        assert rows_shown(page, "libraries-table") == sorted(before, reverse=True)


def test_numbers_are_sorted_as_numbers(browser: Browser, site: Site) -> None:
    with visiting(browser, site.folder) as visitor:
        page = visitor.open(site.kinds["coverage"])
        page.locator("#coverage-table thead th").nth(1).get_by_role("button").click()
        cells = page.locator("#coverage-table > tbody > tr > td:nth-child(2)").all_inner_texts()
        numbers = [int(cell.replace(",", "")) for cell in cells]
        assert numbers == sorted(numbers)
        assert len(set(numbers)) > 1


def test_a_group_opens_by_the_keyboard(browser: Browser, site: Site) -> None:
    with visiting(browser, site.folder) as visitor:
        page = visitor.open(site.kinds["matrix"])
        group = page.locator("tbody.group", has=page.locator(f"a[href='rules/{RULE}.html']"))
        expect(group.locator("tr.rule").first).to_be_hidden()
        group.get_by_role("button").focus()
        page.keyboard.press("Enter")
        expect(group.get_by_role("button")).to_have_attribute("aria-expanded", "true")
        expect(group.locator("tr.rule").first).to_be_visible()


def test_the_first_tab_leads_past_the_navigation(browser: Browser, site: Site) -> None:
    with visiting(browser, site.folder) as visitor:
        page = visitor.open(site.kinds["run"])
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_be_focused()


def test_bytes_are_named_at_the_focus_of_the_keyboard(browser: Browser, site: Site) -> None:
    """The Tab key alone reaches one piece after another, and the mouse does the same."""
    with visiting(browser, site.folder) as visitor:
        page = visitor.open(site.kinds["cause"])
        section = page.locator("section.annotated").first
        pieces, panel = section.locator(".piece"), section.locator("[data-inspector]")
        assert pieces.count() >= 2
        pieces.nth(0).focus()
        first = panel.inner_text()
        assert first.startswith("Offset: 0")
        page.keyboard.press("Tab")
        expect(pieces.nth(1)).to_be_focused()
        assert panel.inner_text() != first
        pieces.nth(0).hover()
        assert panel.inner_text() == first


def test_a_focused_element_is_seen_to_be_focused(browser: Browser, site: Site) -> None:
    """Its outline differs from that without focus."""
    with visiting(browser, site.folder) as visitor:
        page = visitor.open(site.kinds["cause"])
        style = "(each) => getComputedStyle(each).outlineStyle + getComputedStyle(each).outlineWidth"
        piece = page.locator(".piece").first
        before = piece.evaluate(style)
        page.locator("section.annotated").first.locator(".piece").nth(1).focus()
        page.keyboard.press("Shift+Tab")
        expect(piece).to_be_focused()
        assert piece.evaluate(style) != before


def test_the_departing_bytes_are_marked(browser: Browser, site: Site) -> None:
    with visiting(browser, site.folder) as visitor:
        page = visitor.open(site.kinds["cause"])
        assert page.locator("section.annotated mark").count() >= 1
        departing = page.locator(".piece.departs, tr.marked")
        assert departing.count() >= 1


def test_a_replay_line_is_copied(browser: Browser, site: Site) -> None:
    with visiting(browser, site.folder, permissions=["clipboard-read", "clipboard-write"]) as visitor:
        page = visitor.open(site.kinds["cause"])
        line = page.locator("#replay").inner_text()
        assert line.startswith("kafka-conformance replay ")
        page.locator("[data-copy=replay]").click()
        expect(page.locator("[data-copy=replay]")).to_have_text("Copied")
        assert page.evaluate("navigator.clipboard.readText()") == line


def test_line_is_selected_if_copying_is_forbidden(browser: Browser, site: Site) -> None:
    with visiting(browser, site.folder) as visitor:
        visitor.page.add_init_script("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));")
        page = visitor.open(site.kinds["cause"])
        page.locator("[data-copy=replay]").click()
        expect(page.locator("[data-copy=replay]")).to_have_text("Selected: copy it with the keyboard")
        assert page.evaluate("getSelection().toString()").strip() == page.locator("#replay").inner_text().strip()
