"""Pairs left to a base release are neither tested nor untested in any form of a report."""

import json

from conformance.definitions.catalogue import catalogue
from conformance.report.files.badges import GREY, badge_of
from conformance.report.files.junit import junit
from conformance.report.files.markdown import markdown
from conformance.report.files.sarif import SourceLine, sarif
from conformance.report.states import PairState, State, pair_states, rule_state
from tests.helpers.releases import NEWEST, OLDEST
from tests.report.lines import Event, report_of
from tests.report.site.examples import site_of

LINE = f"the same as in {NEWEST}: 2 of 3 message versions, 1 wire type, record batches, not tested again"
SHARED: Event = {
    "event": "shared",
    "release": NEWEST,
    "pairs": ["HeartbeatRequest-v4", "HeartbeatResponse-v4"],
    "others": ["int8", "record-batches"],
    "selected": 3,
}
EVENTS: tuple[Event, ...] = (
    {"event": "case-counts", "cases": {"edge values": 30}, "outcomes": []},
    SHARED,
    {"event": "not-tested", "what": "header versions", "why": "no header_version"},
    {"event": "pair", "pair": "VoteRequest-v0", "tests": {"test_edge_values": {"tried": 30}}},
    {"event": "rule", "rule": "bool.byte", "pairs": 1},
)
REPORT = report_of(*EVENTS, release=OLDEST, pairs=3)
NAME = f"honest-1-{OLDEST}-run"


def test_shared_pair_has_a_state_of_its_own() -> None:
    states = pair_states(REPORT)
    assert states["HeartbeatRequest-v4"] == PairState(State.SHARED)
    assert states["VoteRequest-v0"].state is State.KEPT


def test_untried_rule_may_be_shared_with_the_base_release() -> None:
    states = {name: rule_state(REPORT, catalogue()[name]).state for name in ("bool.byte", "uuid.byte-order")}
    assert states == {"bool.byte": State.KEPT, "uuid.byte-order": State.SHARED}
    assert rule_state(REPORT, catalogue()["header.request-version"]).state is State.NOT_OFFERED


def test_page_of_a_run_shows_its_base_release() -> None:
    page = site_of(REPORT).pages[f"runs/{NAME}.html"]
    assert f"Base release {LINE}" in page.text
    rows = {row.all("th")[0].text: row for row in page.one("table", id="heat").one("tbody").all("tr")}
    cells = [each.text for each in rows["Heartbeat"].all("td") if each.attributes["class"] == "the-same"]
    assert [each.split(", ") for each in cells] == [["request the same", "response the same"]]
    assert page.one("p", id="wire-types").text == "int8, the same"
    assert page.one("p", id="record-batches").text.split(", ") == ["record-batches", "the same"]


def test_coverage_names_the_pairs_outside_of_the_table() -> None:
    assert f"the table, {LINE}." in site_of(REPORT).pages[f"runs/{NAME}-coverage.html"].text


def test_the_matrix_counts_it_neither_as_tested_nor_as_untested() -> None:
    page = site_of(REPORT).pages[f"matrix-{OLDEST}.html"]
    group = page.one("tbody", id="g-messages-bool").one("tr", class_="head")
    assert group.one("span", class_="word").text == "follows"
    group = page.one("tbody", id="g-messages-uuid").one("tr", class_="head")
    assert group.one("span", class_="word").text == "the same"
    [total] = page.one("tr", class_="total").all("td")
    assert total.text.startswith("1 of ")
    assert int(total.text.split()[2]) < 10


def test_other_formats_name_the_base_release() -> None:
    assert f"`{LINE}`" in markdown([REPORT])
    assert LINE in junit([REPORT])
    assert 'name="uuid.byte-order"' not in junit([REPORT])
    [run] = json.loads(sarif([REPORT], lambda _report, _finding: SourceLine("adapter.py")))["runs"]
    assert run["properties"]["baseRelease"] == LINE


def test_run_with_shared_pairs_alone_is_not_called_untested() -> None:
    report = report_of(SHARED, release=OLDEST)
    badge = badge_of(report)
    assert badge.message.endswith(f"same as in {NEWEST}")
    assert badge.color == GREY
    assert "This report is" not in site_of(report).pages[f"runs/{NAME}.html"].text
