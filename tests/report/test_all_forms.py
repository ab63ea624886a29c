"""The causes of a run, their numbers and their order are the same in all forms of its report.

The reports of `before/` were written before causes of known failures were in them. They are read all the same.
"""

import json
import re
from pathlib import Path

import pytest

from conformance.campaign.campaign_reports import reports_in
from conformance.campaign.folder import FINDINGS
from conformance.campaign.part_rows import HELD
from conformance.campaign.pipeline.storage import Storage
from conformance.judge.findings.known_failures import load_known_failures
from conformance.report.facts import RunReport
from conformance.report.files.badges import badge_of
from conformance.report.files.found_cases import load_found_cases
from conformance.report.files.junit import junit
from conformance.report.files.markdown import markdown
from conformance.report.files.sarif import SourceLine, sarif
from conformance.report.report_reading import read_report
from conformance.report.terminal.run_summary import TerminalForm, one_line, run_summary
from conformance.report.words import causes_text, verdict_of
from reference import load_release
from tests.campaign.conftest import campaign_of, run_all
from tests.helpers.releases import NEWEST
from tests.helpers.runs import LIARS
from tests.report.files.samples import parsed
from tests.report.lines import FINDING, FOLLOWER, KNOWN, report_of
from tests.report.site.examples import site_of

BEFORE = Path(__file__).parent / "before"
KNOWN_FOLLOWER = {**FOLLOWER, "event": "known-failure", "entry": "codec.round-trip (bytes) in *", "reason": "the same"}
REPORTS = {
    **{kind: read_report(BEFORE / f"{kind}.jsonl") for kind in ("codec", "server", "client", "capture")},
    "everything": report_of(FINDING, FOLLOWER, {**KNOWN, "cluster": "KeyError"}, KNOWN, KNOWN_FOLLOWER),
    "nothing": report_of(),
}

Cause = tuple[str, bool]
"""The rule of a cause, and whether it is known."""


def causes_of(report: RunReport) -> list[Cause]:
    return [(cause.finding.rule, cause.is_known) for cause in report.all_causes]


def in_terminal(report: RunReport) -> list[Cause]:
    text = run_summary(report, TerminalForm(300, verbose=True))
    return [
        (rule, bool(known)) for known, rule in re.findall(r"^\d+\. (known: )?[a-z ]+: ([\w.-]+) \(", text, re.MULTILINE)
    ]


def in_markdown(report: RunReport) -> list[Cause]:
    rows = re.findall(r"^\| \d+ \| [^|]* \| `([\w.-]+)` \| .* \| (.*) \|$", markdown([report]), re.MULTILINE)
    return [(rule, bool(known)) for rule, known in rows]


def in_junit(report: RunReport) -> list[Cause]:
    tests = [test for test in parsed(junit([report])).iter("testcase") if "(" in str(test.get("name"))]
    return [(str(test.get("name")).partition(" (")[0], test.find("skipped") is not None) for test in tests]


def in_sarif(report: RunReport) -> list[Cause]:
    [run] = json.loads(sarif([report], lambda _report, _finding: SourceLine("adapter.py")))["runs"]
    return [(result["ruleId"], "suppressions" in result) for result in run["results"]]


def on_site(report: RunReport) -> list[Cause]:
    tables = [table for page in site_of(report).pages.values() for table in page.all("table", id="causes-table")]
    rows = [row for table in tables for row in table.one("tbody").all("tr")]
    return [(row.all("td")[0].text.partition(",")[0], "known" in row.one("th").text) for row in rows]


FORMS = {"terminal": in_terminal, "markdown": in_markdown, "junit": in_junit, "sarif": in_sarif, "site": on_site}


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_has_the_same_causes_in_the_same_order(report: RunReport, form: str) -> None:
    assert FORMS[form](report) == causes_of(report)


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_every_form_has_the_same_numbers(report: RunReport) -> None:
    texts = [
        run_summary(report, TerminalForm(300)),
        one_line(report),
        str(verdict_of(report)),
        markdown([report]),
        junit([report]),
        sarif([report], lambda _report, _finding: SourceLine("adapter.py")),
    ]
    assert [text for text in texts if causes_text(report) not in text] == []


def test_reports_of_a_campaign_have_its_findings(tmp_path: Path) -> None:
    """A report has the findings of one implementation, in all forms."""
    names = ("LittleEndian", "RefusesUnknownTags")
    run_all(campaign_of(*(f"{LIARS}:{name}" for name in names), cases=60), tmp_path)
    HELD.close()
    reports = reports_in(Storage(str(tmp_path)))
    assert sum(len(report.findings) for report in reports) == len(json.loads((tmp_path / FINDINGS).read_text()))
    for report in reports:
        assert report.all_causes
        assert {tuple(read(report)) for read in FORMS.values()} == {tuple(causes_of(report))}


@pytest.mark.parametrize("kind", ["codec", "server", "client", "capture"])
def test_badge_has_the_numbers_of_a_report_of_before(kind: str) -> None:
    assert badge_of(REPORTS[kind]).message.startswith(causes_text(REPORTS[kind]))


def test_a_report_of_before_keeps_its_findings() -> None:
    assert {kind: (len(each.findings), len(each.known)) for kind, each in REPORTS.items() if kind != "everything"} == {
        "codec": (1, 1),
        "server": (1, 0),
        "client": (1, 0),
        "capture": (1, 0),
        "nothing": (0, 0),
    }


def test_known_failures_and_found_cases_of_before_are_read() -> None:
    [entry] = load_known_failures(BEFORE / "known_failures.toml")
    assert entry.reason.endswith("written first")
    [found] = load_found_cases(BEFORE / "found", load_release(NEWEST))
    assert found.case.target.message == "HeartbeatResponse"
