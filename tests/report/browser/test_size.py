"""The size and the loading time of pages on a site of ten reports with many findings."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from conformance.commands.replay_cases import replay_of
from conformance.definitions.catalogue import rules_of
from conformance.report.facts import RunReport
from conformance.report.report_reading import report_from
from conformance.report.site.one_page import one_page
from conformance.report.site.site import site_pages, write_site
from reference import load_release
from tests.helpers.releases import NEWEST
from tests.report.browser.visitor import looking
from tests.report.lines import EXTENT, FINDING, RUN, SUMMARY, VIOLATION, Event

pytestmark = pytest.mark.browser

REPORTS = 10
FINDINGS, ITEMS = 25, 25
MEGABYTE = 1_000_000
TESTS = ("edge values", "hostile inputs", "invalid inputs", "messages after a refusal", "unencodable values")


def full_run(number: int) -> RunReport:
    """The run of a codec with every message, and with a finding under each of many rules."""
    counts = {"tried": 100 + number, "failed": 1, "known": 0, "skipped": 9}
    rules = [rule.id for rule in rules_of().values() if rule.side != "definition"]
    pairs = [str(schema) for schema in load_release(NEWEST).schemas()]
    events: list[Event] = [
        {**RUN, "implementation": f"implementation {number}", "pairs": len(pairs)},
        EXTENT,
        {"event": "case-counts", "cases": {"edge values": 1}, "outcomes": []},
        *({"event": "pair", "pair": pair, "tests": dict.fromkeys(TESTS, counts)} for pair in pairs),
        *({"event": "rule", "rule": rule, "pairs": 9} for rule in rules),
    ]
    for rule in rules[number : number + FINDINGS]:
        items = [{**VIOLATION, "rule": rule, "case": f"ErrorCode={item}"} for item in range(ITEMS)]
        example = {name: value for name, value in items[0].items() if name not in {"event", "count", "fields"}}
        events += [*items, {**FINDING, "rule": rule, "pairs": pairs[:50], "example": {**example}}]
    return report_from([json.dumps(event) for event in (*events, SUMMARY)], f"implementation-{number}.jsonl")


@pytest.fixture(scope="module")
def reports() -> list[RunReport]:
    return [full_run(number) for number in range(REPORTS)]


@pytest.fixture(scope="module")
def large_site(tmp_path_factory: pytest.TempPathFactory, reports: list[RunReport]) -> Path:
    folder = tmp_path_factory.mktemp("large") / "site"
    write_site(folder, site_pages(reports, replay_of))
    return folder


def sizes(site: Path) -> dict[Path, int]:
    return {path: path.stat().st_size for path in site.rglob("*") if path.is_file()}


def test_site_of_ten_reports_has_600_files_and_12_megabytes_at_most(large_site: Path) -> None:
    found = sizes(large_site)
    assert len(found) <= 600
    assert sum(found.values()) <= 12 * MEGABYTE


def test_largest_page_has_half_a_megabyte_and_is_complete_within_a_second(large_site: Path, browser: Browser) -> None:
    """The shortest of five visits counts, since the machine may have other work."""
    size, page = max((size, path) for path, size in sizes(large_site).items())
    assert size <= MEGABYTE / 2
    with looking(browser, large_site) as visitor:
        visits = [visitor.open(str(page.relative_to(large_site))).evaluate(COMPLETE) for _ in range(5)]
    assert min(visits) <= 1000


COMPLETE = 'performance.getEntriesByType("navigation")[0].domComplete'


def test_page_of_a_run_is_at_most_8000_pixels_high(large_site: Path, browser: Browser) -> None:
    with looking(browser, large_site, viewport={"width": 1300, "height": 900}) as visitor:
        page = visitor.open(f"runs/implementation-1-1-{NEWEST}.html")
        assert page.evaluate("document.documentElement.scrollHeight") <= 8_000


def test_one_page_of_ten_reports_has_5_megabytes_at_most(reports: list[RunReport]) -> None:
    assert len(one_page(reports, replay_of).encode()) <= 5 * MEGABYTE
