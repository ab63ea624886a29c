"""The size and the loading time of pages on a site of ten implementations and three releases."""

import json
from pathlib import Path

import pytest

from conformance.commands.replay_cases import replay_of
from conformance.definitions.catalogue import rules_of
from conformance.report.facts import RunReport
from conformance.report.report_reading import report_from
from conformance.report.site.site import site_pages, write_site
from reference import load_release
from tests.helpers.releases import BASE, NEWEST, OLDEST
from tests.report.lines import EXTENT, FINDING, RUN, SUMMARY, Event

pytestmark = pytest.mark.browser

IMPLEMENTATIONS, RELEASES = 10, (OLDEST, BASE, NEWEST)
FINDINGS = 20
MEGABYTE = 1_000_000
TESTS = ("edge values", "hostile inputs", "invalid inputs", "messages after a refusal", "unencodable values")


def full_run(number: int, release: str) -> RunReport:
    """The run of a codec with every message, and with a finding under each of many rules."""
    counts = {"tried": 100 + number, "failed": 1, "known": 0, "skipped": 9, "inconclusive": 1}
    rules = [rule.id for rule in rules_of().values() if rule.side != "definition"]
    pairs = [str(schema) for schema in load_release(release).schemas()]
    events: list[Event] = [
        {**RUN, "implementation": f"implementation {number}", "release": release, "pairs": len(pairs)},
        EXTENT,
        {"event": "case-counts", "cases": {"edge values": 1}, "outcomes": []},
        *({"event": "pair", "pair": pair, "tests": dict.fromkeys(TESTS, counts)} for pair in pairs),
        *({"event": "rule", "rule": rule, "pairs": 9} for rule in rules),
        *({**FINDING, "rule": rule, "pairs": pairs[:50]} for rule in rules[number : number + FINDINGS]),
        SUMMARY,
    ]
    return report_from([json.dumps(event) for event in events], f"{number}-{release}.jsonl")


@pytest.fixture(scope="module")
def large_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large") / "site"
    runs = [full_run(number, release) for release in RELEASES for number in range(IMPLEMENTATIONS)]
    write_site(folder, site_pages(runs, replay_of))
    return folder


@pytest.mark.parametrize("kind", ["index.html", f"runs/implementation-1-1-{NEWEST}.html"])
def test_page_with_style_and_script_weighs_two_megabytes_at_most(large_site: Path, kind: str) -> None:
    files = (kind, "style.css", "site.js")
    assert sum((large_site / name).stat().st_size for name in files) <= 2 * MEGABYTE
