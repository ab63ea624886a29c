"""One file has the pages of runs and causes, and needs no other."""

import re
from pathlib import Path

import pytest

from conformance.commands.replay_cases import replay_of
from conformance.report.facts import RunReport
from conformance.report.site.one_page import one_page
from tests.helpers.runs import invoke
from tests.report.lines import VIOLATION, report_of, text_of
from tests.report.site.examples import codec, finding, hostile, known, server
from tests.report.site.reading_pages import Element, page_of


def page_with(*runs: RunReport) -> Element:
    return page_of(one_page(runs, replay_of))


@pytest.fixture(scope="module")
def page() -> Element:
    return page_with(codec(), server(), hostile())


def test_page_of_one_report_begins_with_its_run() -> None:
    page = page_with(report_of(VIOLATION, finding(), known()))
    sections = page.all("section", class_="page")
    assert [each.one("h1").text.split()[0] for each in sections] == ["honest"] * 3
    assert sections[0].one("table", id=f"{sections[0].attributes['id']}-causes-table")


def test_page_of_several_reports_begins_with_the_front_page(page: Element) -> None:
    assert page.all("section", class_="page")[0].all("table", id="p0-libraries-table")


def test_ids_are_unique_and_every_link_leads_to_one(page: Element) -> None:
    ids = [each.attributes["id"] for each in page.all() if "id" in each.attributes]
    assert len(ids) == len(set(ids))
    links = [each.attributes["href"] for each in page.all("a") if "href" in each.attributes]
    assert {each.removeprefix("#") for each in links if each.startswith("#")} <= set(ids)
    assert all(each.startswith(("#", "https://")) for each in links)
    for name in ("aria-labelledby", "for", "data-copy", "data-filter"):
        assert {each.attributes[name] for each in page.all() if name in each.attributes} <= set(ids)


def test_page_refers_to_no_other_file(page: Element) -> None:
    assert all("src" not in each.attributes for each in page.all("script"))
    assert {each.attributes["href"] for each in page.all("link")} == {"data:,"}
    assert all(each.attributes["src"].startswith("data:") for each in page.all("img"))


def test_same_reports_give_the_same_page() -> None:
    assert one_page([codec(), server()], replay_of) == one_page([server(), codec()], replay_of)


def test_text_of_an_implementation_is_text(page: Element) -> None:
    assert len(page.all("script")) == 1
    assert not [key for each in page.all() for key in each.attributes if key.startswith("on")]


def test_command_writes_a_page_and_replaces_its_own(tmp_path: Path) -> None:
    report, output = tmp_path / "run.jsonl", tmp_path / "run.html"
    report.write_text("".join(f"{line}\n" for line in text_of(finding())), encoding="utf-8")
    for _ in range(2):
        done = invoke("report", str(report), "--format", "html", "--output", str(output))
        assert done.exit_code == 0, done.output
    assert re.match(r"<!DOCTYPE html>", output.read_text(encoding="utf-8"))
