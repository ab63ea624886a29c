"""Checks of every page of a site."""

import re
from itertools import pairwise
from posixpath import dirname, join, normpath

import pytest

from conformance.commands.replay_cases import replay_of
from conformance.definitions.catalogue import catalogue
from conformance.report.site.rule_pages import source_address
from conformance.report.site.site import site_pages
from tests.helpers.releases import NEWEST, OLDEST
from tests.report.site.examples import HOSTILE, codec, hostile, server, site_of, trend
from tests.report.site.reading_pages import Element, Site, page_of

TRENDS = (trend(), trend(HOSTILE, 1), trend("other", 2, 2))


@pytest.fixture(scope="module")
def site() -> Site:
    return site_of(codec(), codec(release=OLDEST), server(), hostile(), baselines=(codec(),), trends=TRENDS)


def test_every_link_leads_to_a_page_and_a_place_on_it(site: Site) -> None:
    ids = {name: set(ids_of(page)) for name, page in site.pages.items()}
    for name in site.pages:
        for target in site.targets(name):
            page, _, place = target.partition("#")
            assert page in site.files, f"{name} refers to {target}"
            assert not place or place in ids[page], f"{name} refers to {target}"


def test_every_page_is_reached_from_the_first(site: Site) -> None:
    reached, new = set(), {"index.html"}
    while new:
        reached |= new
        targets = {target.partition("#")[0] for name in new if name in site.pages for target in site.targets(name)}
        new = targets - reached
    assert reached == site.files.keys() - {"site.json", "404.html"}


def test_every_page_has_a_title_a_text_and_a_picture_for_links(site: Site) -> None:
    """The title names the implementation on pages about one."""
    for name in site.files.keys() - {"404.html"}:
        if name.endswith(".html"):
            metas = {each.attributes.get("property"): each.attributes["content"] for each in metas_of(site.pages[name])}
            assert metas["og:title"]
            assert metas["og:description"]
            assert normpath(join(dirname(name), metas["og:image"])) in site.files
            assert "honest" in metas["og:title"] or "honest" not in name


def metas_of(page: Element) -> list[Element]:
    return [each for each in page.all("meta") if "content" in each.attributes]


def test_picture_of_a_published_site_has_its_whole_address() -> None:
    address = "https://example.org/kafka"
    pages = dict(site_pages([codec()], replay_of, site_url=address))
    [picture] = page_of(pages[f"runs/honest-1-{NEWEST}.html"]).all("meta", property="og:image")
    assert picture.attributes["content"].startswith(f"{address}/runs/honest-1")


def test_ids_are_unique_on_a_page(site: Site) -> None:
    for name, page in site.pages.items():
        assert len(ids_of(page)) == len(set(ids_of(page))), name


def test_nothing_is_loaded_from_elsewhere(site: Site) -> None:
    """The only addresses of the web are links of known failures, sources and weaknesses, which load nothing."""
    linked = {
        "https://example.com/issues/7",
        *(each.address for rule in catalogue().values() for each in rule.weaknesses),
        *(source_address(source) for rule in catalogue().values() for source in rule.sources),
    }
    for name, page in site.pages.items():
        for tag, attribute in (("script", "src"), ("link", "href"), ("img", "src")):
            for each in page.all(tag):
                assert "//" not in each.attributes.get(attribute, ""), name
        assert {each.attributes["href"] for each in page.all("a") if "://" in each.attributes["href"]} <= linked
    assert "//" not in re.sub(r"^// .*", "", site.files["site.js"], flags=re.MULTILINE)
    assert "url(" not in site.files["style.css"]
    assert "@import" not in site.files["style.css"]


def test_the_same_reports_give_the_same_site(site: Site) -> None:
    again = site_of(codec(), codec(release=OLDEST), server(), hostile(), baselines=(codec(),), trends=TRENDS)
    assert again.files == site.files


def test_texts_of_implementations_are_text_on_every_page(site: Site) -> None:
    """The only script is the site's own, no attribute is a handler, and no link runs anything.

    The page for missing addresses has no text of an implementation.
    """
    for name, page in site.pages.items():
        if name == "404.html":
            continue
        assert [each.attributes["src"].rpartition("/")[2] for each in page.all("script")] == ["site.js"], name
        assert not [key for each in page.all() for key in each.attributes if key.startswith("on")], name
        assert not [each for each in page.all("a") if each.attributes["href"].startswith("javascript:")], name


def test_unprintable_character_is_written_as_its_escape(site: Site) -> None:
    for name, text in site.files.items():
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", text), name
    assert any("\\x00\\u202e" in text for text in site.files.values())


def test_long_texts_are_cut_but_in_commands_and_in_the_json_of_a_case(site: Site) -> None:
    for name, page in site.pages.items():
        for each in page.all():
            own = "".join(text for text in each.content if isinstance(text, str))
            assert len(own) < 2_500 or each.tag == "code", (name, each.tag)


def test_every_table_has_a_caption_and_headers_with_a_scope(site: Site) -> None:
    for name, page in site.pages.items():
        for table in page.all("table"):
            assert table.one("caption").text, name
            assert all(each.attributes.get("scope") for each in table.all("th")), name


def test_headings_leave_out_no_level(site: Site) -> None:
    for name, page in site.pages.items():
        levels = [int(each.tag[1]) for each in in_order(page) if re.fullmatch("h[1-6]", each.tag)]
        assert levels[0] == 1, name
        assert all(one <= before + 1 for before, one in pairwise(levels)), (name, levels)


def ids_of(page: Element) -> list[str]:
    return [each.attributes["id"] for each in page.all() if "id" in each.attributes]


def in_order(element: Element) -> list[Element]:
    below = [each for each in element.content if isinstance(each, Element)]
    return [one for each in below for one in (each, *in_order(each))]
