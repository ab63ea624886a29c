"""The contents of single pages."""

import json
import re
import shlex

import pytest

from conformance.report.facts import RunReport
from tests.helpers.releases import NEWEST, OLDEST
from tests.report.lines import CASE, FINDING, VIOLATION, Event, report_of
from tests.report.site.examples import COVERAGE, INVALID, codec, finding, known, server, site_of
from tests.report.site.reading_pages import Element, Site

RUN_PAGE = f"runs/honest-1-{NEWEST}.html"


@pytest.fixture(scope="module")
def site() -> Site:
    return site_of(codec(), codec(release=OLDEST), server())


def matrix_row(page: Element, rule: str) -> list[str]:
    """Return the states of a rule, column by column."""
    [row] = [each for each in page.all("tr", class_="rule") if each.one("th").one("a").text == rule]
    return [each.text for each in row.all("td")]


@pytest.mark.parametrize(
    ("rule", "cells"),
    [
        ("int.width-and-order", ["1 finding", "not tested"]),
        ("null.not-allowed", ["1 known", "not tested"]),
        ("bool.byte", ["follows", "not tested"]),
        ("uuid.byte-order", ["not tested", "not tested"]),
        ("header.request-version", ["no API for it", "not tested"]),
        ("varint.overlong", ["accepts", "not tested"]),
        ("tag.duplicate", ["rejects", "not tested"]),
        ("connection.answered", ["does not apply", "1 finding"]),
    ],
)
def test_the_matrix_has_the_state_of_each_rule(site: Site, rule: str, cells: list[str]) -> None:
    """An untested rule, and one of unknown state, are never shown as kept."""
    assert matrix_row(site.pages["index.html"], rule) == cells


def test_group_of_the_matrix_counts_its_tested_rules(site: Site) -> None:
    group = site.pages["index.html"].one("tbody", id="g-messages-int").one("tr", class_="head")
    assert [each.text for each in group.all("td")] == ["1 finding", "not tested"]
    group = site.pages["index.html"].one("tbody", id="g-messages-varint").one("tr", class_="head")
    assert [each.text for each in group.all("td")] == ["accepts 1 of 5 tested", "not tested"]


def test_each_release_has_its_own_matrix_with_missing_runs(site: Site) -> None:
    older = site.pages[f"matrix-{OLDEST}.html"]
    assert older.one("caption").text == f"Rules against Kafka {OLDEST}"
    assert older.one("nav", aria_label="Release").one("a", aria_current="page").text == OLDEST
    assert f"Not run against Kafka {OLDEST}: kfake." in older.text


def test_a_finding_has_its_cause_its_link_and_its_replay_line(site: Site) -> None:
    card = next(each for each in site.pages[RUN_PAGE].all("article") if "null.not-allowed" in each.one("h3").text)
    assert "writes the low byte first" in card.text
    assert card.one("a", rel="noreferrer").attributes["href"] == "https://example.com/issues/7"
    assert card.one("pre").text.startswith("kafka-conformance replay --impl myproj.adapter")


def test_finding_has_its_impact_and_its_message_versions(site: Site) -> None:
    card = next(each for each in site.pages[RUN_PAGE].all("article") if "int.width-and-order" in each.one("h3").text)
    assert "writes wrong bytes" in card.text
    assert "3 cases in 1 message version: HeartbeatResponse v0" in card.text


def test_consequence_names_its_cause() -> None:
    origin = {"rule": "int.width-and-order", "outcome": "bytes", "cluster": "", "why": "the same mistake"}
    page = site_of(report_of(FINDING, {**FINDING, "rule": "codec.round-trip", "follows": origin})).pages[RUN_PAGE]
    card = next(each for each in page.all("article") if "codec.round-trip" in each.one("h3").text)
    assert "Follows from int.width-and-order, bytes: the same mistake" in card.text


@pytest.mark.parametrize(
    ("message", "version", "text"),
    [
        ("HeartbeatResponse", "v0", "3 finding"),
        ("MetadataResponse", "v2", "1 known"),
        ("VoteRequest", "v0", "follows"),
        ("VoteRequest", "v1", "not tested"),
        ("FetchRequest", "v12", "no API for it"),
        ("HeartbeatResponse", "v9", ""),
    ],
)
def test_the_heat_map_has_the_state_of_each_message_and_version(
    site: Site, message: str, version: str, text: str
) -> None:
    heat = site.pages[RUN_PAGE].one("table", id="heat")
    column = [each.text for each in heat.one("thead").all("th")].index(version)
    [row] = [each for each in heat.one("tbody").all("tr") if each.one("th").text == message]
    assert row.all("td")[column - 1].text == text


def test_coverage_is_shown_by_test_of_the_suite(site: Site) -> None:
    table = site.pages[RUN_PAGE.replace(".html", "-coverage.html")].one("table", id="coverage-table")
    rows = {each.one("th").text: [cell.text for cell in each.all("td")] for each in table.one("tbody").all("tr")}
    assert [each.text for each in table.one("thead").all("th")][2:] == ["edge values", "hostile input", "invalid input"]
    assert rows["HeartbeatResponse-v0"] == ["28", "20 3 failed", "8 2 skipped", "no such test"]
    assert rows["VoteRequest-v1"] == ["0", "0 5 inconclusive", "no such test", "no such test"]


def test_run_without_findings_claims_nothing_more() -> None:
    page = site_of(report_of(*COVERAGE)).pages[RUN_PAGE]
    assert "No case departs from a rule. See below for what was tested, and what was not." in page.text


def test_a_fault_of_the_adapter_is_shown_before_findings() -> None:
    fault = {"event": "adapter-fault", "kind": "unstable", "text": "answers differ", "count": 2}
    text = site_of(report_of(fault, FINDING)).pages[RUN_PAGE].text
    assert text.index("answers differ (2 times)") < text.index("Findings, new ones first")


def changes(old: RunReport, new: RunReport) -> str:
    return site_of(new, baselines=(old,)).pages[RUN_PAGE].one("section", aria_labelledby="changes").text


def test_baseline_separates_new_gone_and_persistent_findings() -> None:
    tried = {"event": "pair", "pair": "HeartbeatResponse-v0", "tests": {"test_edge_values": {"tried": 1}}}
    old = report_of(finding(), finding({**CASE, "rule": "bool.byte"}), implementation_version="0")
    new = report_of(tried, finding(), known())
    text = changes(old, new)
    assert "Since honest 0" in text
    assert "1 new, 1 gone, 1 still there" in text
    assert "Gone: 1 bool.byte, bytes: HeartbeatResponse v0" in text


def test_page_of_a_rule_has_its_text_its_example_and_its_findings(site: Site) -> None:
    page = site.pages["rules/int.width-and-order.html"]
    assert "An example that keeps it" in page.text
    assert "1.1.3 int16, int32 and int64 are big-endian" in page.text
    rows = [[each.text for each in row.all("td")] for row in page.one("table", id="who-table").one("tbody").all("tr")]
    assert rows == [
        ["codec", NEWEST, "1 finding", "3 message versions"],
        ["codec", OLDEST, "1 finding", "3 message versions"],
        ["server", NEWEST, "not tested", "none"],
    ]


def test_a_rule_links_to_its_weaknesses(site: Site) -> None:
    page = site.pages["rules/length.within-input.html"]
    link = next(each for each in page.all("a") if each.text == "CWE-789")
    assert link.attributes["href"] == "https://cwe.mitre.org/data/definitions/789.html"
    assert "CWE-789 Memory Allocation with Excessive Size Value" in page.text
    assert "Weakness" not in site.pages["rules/int.width-and-order.html"].text


def case_page(site: Site, run: str, rule: str) -> Element:
    [page] = [page for page in site.below(f"cases/{run}/") if rule in page.one("h1").text]
    return page


def test_written_bytes_stand_beside_expected_ones_with_the_first_difference_marked(site: Site) -> None:
    page = case_page(site, f"honest-1-{NEWEST}", "int.width-and-order")
    sides = page.one("div", class_="sides")
    assert [each.text for each in sides.all("code")] == ["0001", "0100"]
    assert [each.text for each in page.all("mark")] == ["00", "01"]
    assert "they differ first at byte 0" in page.text


def test_each_byte_of_a_case_has_its_field_its_type_and_its_rule(site: Site) -> None:
    page = case_page(site, f"honest-1-{NEWEST}", "null.not-allowed")
    first = page.one("section", class_="annotated").one("tbody").all("tr")[0]
    assert [each.text for each in (*first.all("th"), *first.all("td"))][:6] == [
        "0",
        "ff ff ff ff",
        "Brokers",
        "array",
        "count",
        "",
    ]
    assert first.attributes["class"] == "marked"


def test_every_byte_of_a_case_is_in_one_piece(site: Site) -> None:
    page = case_page(site, f"honest-1-{NEWEST}", "null.not-allowed")
    assert "".join(each.text for each in page.all("a", class_="piece")).replace(" ", "") == INVALID["wire"]


def test_case_has_a_shell_command_and_its_json(site: Site) -> None:
    page = case_page(site, f"honest-1-{NEWEST}", "null.not-allowed")
    assert shlex.split(page.one("pre", id="replay").text)[:3] == ["kafka-conformance", "replay", "--impl"]
    assert json.loads("".join(page.one("pre", id="event").one("code")._texts())) == INVALID


def test_case_without_a_command_in_the_report_gets_one() -> None:
    page = case_page(site_of(report_of(VIOLATION)), f"honest-1-{NEWEST}", "int.width-and-order")
    assert "--message HeartbeatResponse --version 0 --value" in page.one("pre", id="replay").text


def test_the_frames_of_a_server_are_explained(site: Site) -> None:
    [page, *_] = site.below("cases/kfake")
    assert "Frame 1 that was sent: ApiVersionsRequest v0, a whole frame" in page.text
    assert "header.RequestApiKey" in page.text


def test_a_case_has_the_same_address_whatever_else_a_report_has(site: Site) -> None:
    alone = site_of(report_of(VIOLATION, finding()))
    name = next(name for name in alone.files if name.startswith("cases/"))
    assert re.fullmatch(r"cases/honest-1-4\.4\.0/[0-9a-f]{10}\.html", name)
    assert name in site.files


def test_every_case_of_a_finding_is_listed_with_its_page() -> None:
    """The smallest case comes first, then those of single items, each once, and a known failure has its own."""
    other = {**VIOLATION, "version": 1, "case": "ErrorCode=2"}
    site = site_of(report_of(VIOLATION, other, finding(), known()))
    table = site.pages[RUN_PAGE.replace(".html", "-cases.html")].one("table", id="cases-table")
    rows = [[each.text for each in row.all("td")] for row in table.one("tbody").all("tr")]
    assert [(row[0], row[2], row[-1]) for row in rows] == [
        ("finding", "HeartbeatResponse v0", "ErrorCode=1"),
        ("finding", "HeartbeatResponse v1", "ErrorCode=2"),
        ("known", "MetadataResponse v2", "Brokers=null"),
    ]
    targets = {target for target in site.targets(RUN_PAGE.replace(".html", "-cases.html")) if "cases/" in target}
    assert targets == {name for name in site.pages if name.startswith("cases/")}


def test_a_finding_leads_to_its_cases() -> None:
    other = {**VIOLATION, "version": 1}
    card = site_of(report_of(VIOLATION, other, finding())).pages[RUN_PAGE].one("article")
    [link] = [each for each in card.all("a") if "-cases.html#c-" in each.attributes["href"]]
    assert link.text == "All 2 cases of it that the report has"


def test_a_case_names_its_own_entry_of_known_failures() -> None:
    """Two entries may have the same rule, outcome and words, for different messages."""
    entries = [
        known({**INVALID, "version": version}, entry=f"entry {version}", reason=f"reason {version}")
        for version in (2, 3)
    ]
    site = site_of(report_of(*entries))
    texts = {page.one("h1").text.rpartition("v")[2]: page.text for page in site.below("cases/")}
    assert "reason 2" in texts["2"]
    assert "reason 3" in texts["3"]


@pytest.mark.parametrize(
    ("table", "name", "cells"),
    [
        ("wire-types", "int32", ["follows", "9", "0", "0"]),
        ("wire-types", "varint", ["known", "7", "1", "2"]),
        ("wire-types", "uuid", ["no API for it", "0", "0", "0"]),
        ("batches", "zstd", ["finding", "5", "2", "0"]),
        ("batches", "lz4", ["not tested", "0", "0", "3"]),
    ],
)
def test_wire_types_and_groups_of_record_batches_have_tables_of_their_own(
    table: str, name: str, cells: list[str]
) -> None:
    tests = {
        "int32": {"tried": 9},
        "varint": {"tried": 7, "known": 1, "skipped": 2},
        "zstd": {"tried": 5, "failed": 2},
        "lz4": {"skipped": 3},
    }
    events: list[Event] = [{"event": "pair", "pair": pair, "tests": {"t": each}} for pair, each in tests.items()]
    known_one = known({**INVALID, "kind": "primitive", "message": "varint", "version": 0})
    page = site_of(report_of(*events, known_one)).pages[RUN_PAGE]
    rows = {
        row.one("th").text: [each.text for each in row.all("td")]
        for row in page.one("table", id=table).one("tbody").all("tr")
    }
    assert rows[name] == cells
    assert not [row for row in page.one("table", id="heat").all("tr") if row.all("th")[0].text == name]


def test_a_case_of_an_unknown_release_is_shown_without_a_meaning() -> None:
    [page, *_] = site_of(codec(release="my fork")).below("cases/")
    assert page.all("a", class_="piece")


def test_of_very_many_parts_those_around_the_departure_are_shown() -> None:
    wire = "000007d0" + "00000001" * 2000
    example = {**INVALID, "message": "ListOffsetsRequest", "version": 1, "wire": wire}
    page = case_page(site_of(report_of(finding(example))), f"honest-1-{NEWEST}", "null.not-allowed")
    assert len(page.all("a", class_="piece")) <= 240
