"""The contents of single pages."""

import json
import re
import shlex

import pytest

from conformance.report.facts import RunReport, case_address, key_address
from conformance.report.words import causes_text
from tests.helpers.releases import NEWEST, OLDEST
from tests.report.lines import CASE, FINDING, KNOWN, VIOLATION, Event, report_of
from tests.report.site.examples import COVERAGE, INVALID, codec, finding, known, server, site_of
from tests.report.site.reading_pages import Element, Site

CODEC = f"honest-1-{NEWEST}"
RUN_PAGE = f"runs/{CODEC}.html"
OWN_FILE = {"source": "honest.jsonl"}
"""The name of a report that says no more than the name of the implementation."""


@pytest.fixture(scope="module")
def site() -> Site:
    return site_of(codec(), codec(release=OLDEST), server())


def run_page(*events: Event) -> Element:
    return site_of(report_of(*events, **OWN_FILE)).pages[RUN_PAGE]


def cause_page(site: Site, rule: str, run: str = CODEC) -> Element:
    [page] = [page for page in site.below(f"causes/{run}/") if rule in page.one("h1").text]
    return page


def cells_of(page: Element, table: str) -> dict[str, list[str]]:
    """Return the texts of the cells of a table by the first one of their row."""
    rows = [row for body in page.one("table", id=table).all("tbody") for row in body.all("tr")]
    return {row.all("th")[0].text: [each.text for each in row.all("td")] for row in rows}


def matrix_row(page: Element, rule: str) -> list[str]:
    """Return the words of the states of a rule, column by column."""
    [row] = [each for each in page.all("tr", class_="rule") if each.one("th").one("a").text == rule]
    return [each.one("span", class_="word").text + ("!" if each.all("small") else "") for each in row.all("td")]


@pytest.mark.parametrize(
    ("rule", "cells"),
    [
        ("int.width-and-order", ["broken", "not tested"]),
        ("null.not-allowed", ["broken!", "not tested"]),
        ("bool.byte", ["follows", "not tested"]),
        ("uuid.byte-order", ["not tested", "not tested"]),
        ("header.request-version", ["no API for it", "not tested"]),
        ("varint.overlong", ["accepts", "not tested"]),
        ("tag.duplicate", ["rejects", "not tested"]),
        ("connection.answered", ["does not apply", "broken, should"]),
    ],
)
def test_matrix_has_the_state_of_each_rule(site: Site, rule: str, cells: list[str]) -> None:
    """A known failure has a mark, and no state of its own."""
    assert matrix_row(site.pages[f"matrix-{NEWEST}.html"], rule) == cells


def test_group_of_the_matrix_counts_its_tested_rules(site: Site) -> None:
    group = site.pages[f"matrix-{NEWEST}.html"].one("tbody", id="g-messages-varint").one("tr", class_="head")
    assert group.all("td")[0].text.endswith("1 of 5 tested")


def test_front_page_of_an_older_release_has_its_missing_runs(site: Site) -> None:
    older = site.pages[f"kafka-{OLDEST}.html"]
    assert older.one("nav", aria_label="Release").one("a", aria_current="page").text == OLDEST
    assert re.search(rf"Not run against \w+ {re.escape(OLDEST)}: kfake\.", older.text)


def test_front_page_counts_the_must_rules_of_each_program(site: Site) -> None:
    rows = cells_of(site.pages["index.html"], "libraries-table")
    [must] = [cells[0] for name, cells in rows.items() if name.startswith("honest 1")]
    followed, broken, untested = map(int, re.findall("[0-9]+", must))
    assert (followed, broken) == (1, 2)
    assert untested > 50


def test_front_page_has_the_worst_impact_whether_it_is_known_or_not() -> None:
    crash = known({**CASE, "rule": "bool.byte"}, impact="fatal")
    [cells] = cells_of(site_of(report_of(finding(), crash)).pages["index.html"], "libraries-table").values()
    assert "crashes: bool.byte" in cells[1]
    assert [cell.removesuffix("none").strip() for cell in cells[2:7]] == ["1", "", "", "1", ""]


def test_front_page_has_the_spoken_versions_of_each_api(site: Site) -> None:
    rows = cells_of(site.pages["index.html"], "apis-table")
    assert rows["Heartbeat"] == ["v0 broken", "not tested"]
    assert rows["Vote"] == ["v0 follows", "not tested"]


def test_first_sentence_of_a_run_counts_its_causes(site: Site) -> None:
    page = site.pages[RUN_PAGE]
    assert causes_text(codec()) in page.one("p", class_="lead").text
    [description] = page.all("meta", name="description")
    assert causes_text(codec()) in description.attributes["content"]
    assert causes_text(codec()) in site.pages["index.html"].text


def test_causes_of_a_run_lead_to_their_pages(site: Site) -> None:
    rows = site.pages[RUN_PAGE].one("table", id="causes-table").one("tbody").all("tr")
    assert [row.one("th").text.removeprefix("writes wrong bytes") for row in rows] == ["", " ✓ known"]
    targets = [row.one("th").one("a").attributes["href"].removeprefix("../") for row in rows]
    assert targets == [name for name in site.pages if name.startswith(f"causes/{CODEC}/")]


def test_known_cause_has_its_reason_and_its_link(site: Site) -> None:
    page = cause_page(site, "null.not-allowed")
    assert KNOWN["reason"] in page.text
    assert page.one("a", rel="noreferrer").attributes["href"] == "https://example.com/issues/7"


def test_consequence_is_on_the_page_of_its_cause() -> None:
    origin = {"rule": "int.width-and-order", "outcome": "bytes", "cluster": "", "why": "the same mistake"}
    site = site_of(report_of(FINDING, {**FINDING, "rule": "codec.round-trip", "follows": origin}, **OWN_FILE))
    follower = cause_page(site, "int.width-and-order").one("article")
    assert "codec.round-trip" in follower.one("h3").text
    assert "the same mistake" in follower.text
    assert site.pages[RUN_PAGE].all("span", id="r-codec.round-trip")


@pytest.mark.parametrize(
    ("name", "version", "text"),
    [
        ("Heartbeat", "v0", "3 request no API for it, response broken"),
        ("Metadata", "v2", "1✓ request no API for it, response broken"),
        ("Vote", "v0", "request follows, response no API for it"),
        ("Vote", "v1", "request not tested, response no API for it"),
    ],
)
def test_heat_map_has_the_states_of_each_api_and_version(site: Site, name: str, version: str, text: str) -> None:
    heat = site.pages[RUN_PAGE].one("table", id="heat")
    column = [each.text for each in heat.one("thead").all("th")].index(version)
    assert cells_of(site.pages[RUN_PAGE], "heat")[name][column - 1] == text


def test_rows_without_an_api_are_folded_into_one_line(site: Site) -> None:
    page = site.pages[RUN_PAGE]
    assert "Fetch" not in cells_of(page, "heat")
    assert any("Fetch" in each.text for each in page.all("details"))


def test_coverage_is_shown_by_test_of_the_suite(site: Site) -> None:
    page = site.pages[RUN_PAGE.replace(".html", "-coverage.html")]
    rows = cells_of(page, "coverage-table")
    heads = [each.text for each in page.one("table", id="coverage-table").one("thead").all("th")]
    assert heads[2:] == ["edge values", "hostile input", "invalid input"]
    assert rows["HeartbeatResponse-v0"] == ["28", "20, 3 failed", "8, 2 skipped", "no such test"]
    assert rows["VoteRequest-v1"] == ["0", "0, 5 inconclusive", "no such test", "no such test"]


def test_run_without_findings_has_no_table_of_causes() -> None:
    page = run_page(*COVERAGE)
    assert not page.all("table", id="causes-table")
    assert causes_text(report_of()) in page.one("p", class_="lead").text


def test_fault_of_the_adapter_is_shown_before_causes() -> None:
    fault = {"event": "adapter-fault", "kind": "unstable", "text": "answers differ", "count": 2}
    following = {**FINDING, "event": "adapter-finding"}
    page = run_page(fault, following)
    assert "answers differ (2 times)" in page.one("section", class_="notice").text
    assert "int.width-and-order" in page.one("table", id="following-table").text
    assert not page.all("table", id="causes-table")


def changes(old: RunReport, new: RunReport) -> list[str]:
    """Return the first line of each list of changes."""
    section = site_of(new, baselines=(old,)).pages[RUN_PAGE].one("section", aria_labelledby="changes")
    return [each.one("summary").text for each in section.all("details")]


def test_baseline_separates_causes_by_what_both_runs_tried() -> None:
    tried = {"event": "pair", "pair": "HeartbeatResponse-v0", "tests": {"test_edge_values": {"tried": 1}}}
    old = report_of(tried, finding(), finding({**CASE, "rule": "bool.byte"}), implementation_version="0")
    new = report_of(tried, finding(), known(), finding({**CASE, "rule": "string.utf8"}), **OWN_FILE)
    assert changes(old, new) == ["New: 1", "Gone: 1", "Not tried before: 1", "Still there: 1"]


def test_page_of_a_rule_has_its_text_its_example_and_its_findings(site: Site) -> None:
    page = site.pages["rules/int.width-and-order.html"]
    assert "example that follows" in page.text
    assert "1.1.3 int16, int32" in page.text
    rows = [[each.text for each in row.all("td")] for row in page.one("table", id="who-table").one("tbody").all("tr")]
    assert rows == [
        ["codec", NEWEST, "broken", "writes wrong bytes", "3 message versions"],
        ["codec", OLDEST, "broken", "writes wrong bytes", "3 message versions"],
        ["server", NEWEST, "not tested", "", "none"],
    ]


def test_list_of_rules_counts_runs_with_each_rule_broken(site: Site) -> None:
    rows = cells_of(site.pages["rules/index.html"], "rules-table")
    assert rows["int.width-and-order"][2] == "2 of 2"
    assert rows["uuid.byte-order"][2] == "not tested"


def test_rule_links_to_its_weaknesses_and_sources(site: Site) -> None:
    page = site.pages["rules/length.within-input.html"]
    link = next(each for each in page.all("a") if each.text == "CWE-789")
    assert link.attributes["href"] == "https://cwe.mitre.org/data/definitions/789.html"
    assert "Weakness" not in site.pages["rules/int.width-and-order.html"].text
    [source] = [each for each in site.pages["rules/tag.section.html"].all("a") if each.text == "KIP-482"]
    assert source.attributes["href"].startswith("https://cwiki.apache.org/")


def test_written_bytes_stand_beside_expected_ones_with_the_first_difference_marked(site: Site) -> None:
    page = cause_page(site, "int.width-and-order")
    assert page.one("pre", id="comparison").text.split()[:4] == ["expected", "0001", "actual", "0100"]
    assert [each.text for each in page.all("mark")] == ["00", "01"]
    assert "ErrorCode: 00 01 expected, 01 00 written" in page.one("p", class_="lead").text


def test_each_byte_of_an_example_has_its_field_its_type_and_its_rule(site: Site) -> None:
    first = cause_page(site, "null.not-allowed").one("section", class_="annotated").one("tbody").all("tr")[0]
    cells = [each.text for each in (*first.all("th"), *first.all("td"))][:6]
    assert cells == ["0", (b"\xff" * 4).hex(" "), "Brokers", "array", "count", ""]
    assert first.attributes["class"] == "marked"


def test_every_byte_of_an_example_is_in_one_piece(site: Site) -> None:
    page = cause_page(site, "null.not-allowed")
    assert "".join(each.text for each in page.all("a", class_="piece")).replace(" ", "") == INVALID["wire"]


def test_example_has_a_shell_command_and_its_json(site: Site) -> None:
    page = cause_page(site, "null.not-allowed")
    assert shlex.split(page.one("pre", id="replay").text)[:3] == ["kafka-conformance", "replay", "--impl"]
    assert json.loads("".join(page.one("pre", id="event").one("code")._texts())) == INVALID


def test_frames_of_a_server_are_explained(site: Site) -> None:
    [page] = site.below("causes/kfake")
    assert re.search("Frame 1 .*: ApiVersionsRequest v0, .*whole", page.text)
    assert "header.RequestApiKey" in page.text


def test_cause_keeps_its_address_when_it_becomes_known(site: Site) -> None:
    """Other findings and reports do not change it either."""
    key = codec().findings[0].key
    name = f"causes/{CODEC}/{key_address(key)}.html"
    assert name in site.files
    assert name in site_of(report_of(known(CASE), **OWN_FILE)).files


def test_other_cases_of_a_cause_are_rows_with_their_addresses() -> None:
    other = {**VIOLATION, "version": 1, "case": "ErrorCode=2"}
    report = report_of(VIOLATION, other, finding(), **OWN_FILE)
    site = site_of(report)
    [row] = cause_page(site, "int.width-and-order").one("table", id="cases-table").one("tbody").all("tr")
    assert row.one("th").text == "HeartbeatResponse v1"
    assert "HeartbeatResponse --version 1 --value" in row.all("td")[-1].text
    assert row.attributes["id"] == case_address(report.violations[1])


def test_address_of_a_case_leads_to_its_cause_in_each_run() -> None:
    report = codec()
    [line] = [
        each
        for each in site_of(report, codec(implementation="other")).pages["cases.html"].all("li")
        if each.all("i", id=case_address(report.findings[0].example))
    ]
    addresses = {each.attributes["href"].split("/")[1] for each in line.all("a")}
    assert addresses == {CODEC, f"other-1-{NEWEST}-honest"}


def test_cause_names_every_entry_of_known_failures_with_its_example() -> None:
    """Two entries may have the same rule, outcome and words, for different messages."""
    entries = [
        known({**INVALID, "version": version}, entry=f"entry {version}", reason=f"reason {version}")
        for version in (2, 3)
    ]
    page = cause_page(site_of(report_of(*entries, **OWN_FILE)), "null.not-allowed")
    assert "reason 2" in page.text
    assert "reason 3" in page.text
    assert list(cells_of(page, "cases-table")) == ["MetadataResponse v3"]


def test_wire_types_and_groups_of_record_batches_have_their_states() -> None:
    tests = {
        "int32": {"tried": 9},
        "varint": {"tried": 7, "known": 1, "skipped": 2},
        "zstd": {"tried": 5, "failed": 2},
        "lz4": {"skipped": 3},
    }
    events: list[Event] = [{"event": "pair", "pair": pair, "tests": {"t": each}} for pair, each in tests.items()]
    known_one = known({**INVALID, "kind": "primitive", "message": "varint", "version": 0})
    page = run_page(*events, known_one)
    maps = {id_: [each.text for each in page.one("p", id=id_).all("span", class_="tag")] for id_ in SMALL_MAPS}
    assert maps == {
        "wire-types": ["int32, follows", "varint 1 ✓, broken"],
        "record-batches": ["lz4, not tested", "zstd 2, broken"],
    }
    assert not page.all("table", id="heat")


SMALL_MAPS = ("wire-types", "record-batches")


def test_example_of_an_unknown_release_is_shown_without_a_meaning() -> None:
    [page, *_] = site_of(codec(release="my fork")).below("causes/")
    assert page.all("a", class_="piece")


def test_of_very_many_parts_those_around_the_departure_are_shown() -> None:
    wire = "000007d0" + "00000001" * 2000
    example = {**INVALID, "message": "ListOffsetsRequest", "version": 1, "wire": wire}
    page = cause_page(site_of(report_of(finding(example), **OWN_FILE)), "null.not-allowed")
    assert len(page.all("a", class_="piece")) <= 240
