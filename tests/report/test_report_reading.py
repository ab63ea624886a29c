import json
import re
from pathlib import Path

import pytest
from msgspec import UNSET

from conformance.judge.count_lines import NotRun
from conformance.judge.findings.lines import Coverage
from conformance.report.facts import AcceptanceProfile, case_address
from conformance.report.report_reading import BadReport, read_report, report_from
from tests.helpers.releases import OLDEST
from tests.report.lines import CASE, FINDING, KNOWN, RUN, SUMMARY, VIOLATION, report_of, text_of


def test_the_facts_of_a_run_are_those_of_its_first_line() -> None:
    report = report_of(release=OLDEST, options=["--release", OLDEST])
    assert (report.impl, report.release, report.options) == ("myproj.adapter", OLDEST, ("--release", OLDEST))


@pytest.mark.parametrize(("kind", "title"), [("codec", "honest 1"), ("server", "run"), ("client", "run")])
def test_a_server_or_client_is_named_after_the_file_of_its_report(kind: str, title: str) -> None:
    assert report_of(kind=kind).title == title


def test_consequence_has_the_key_of_its_cause() -> None:
    origin = {"rule": "int.width-and-order", "outcome": "bytes", "cluster": "", "why": "the same mistake"}
    report = report_of(FINDING, {**FINDING, "rule": "codec.round-trip", "follows": origin})
    cause, follower = report.findings
    assert cause.follows is UNSET
    assert follower.follows is not UNSET
    assert (follower.follows.key, follower.follows.why) == (cause.key, "the same mistake")


def test_a_known_failure_has_reason_and_link() -> None:
    [known] = report_of(KNOWN).known
    assert (known.reason, known.link) == (KNOWN["reason"], "https://example.com/issues/7")


def test_another_case_has_another_address() -> None:
    [one] = report_of(VIOLATION).violations
    [other] = report_of({**VIOLATION, "version": 1}).violations
    assert case_address(one) != case_address(other)


def test_coverage_is_read_by_pair_and_test() -> None:
    tests = {"test_edge_values": {"tried": 9, "known": 1}}
    report = report_of({"event": "pair", "pair": "HeartbeatResponse-v0", "tests": tests})
    assert report.coverage == {"HeartbeatResponse-v0": {"test_edge_values": Coverage(tried=9, known=1)}}


def test_both_ways_of_a_profile_are_counted() -> None:
    events = [
        {"event": "unspecified-profile", "rule": "varint.overlong", "accepts": way, "count": count}
        for way, count in ((True, 5), (False, 2))
    ]
    [profile] = report_of(*events).profiles.values()
    assert (profile, profile.text) == (AcceptanceProfile(accepts=5, rejects=2), "accepts some")


def test_an_unpaired_surrogate_is_read_as_its_escape() -> None:
    """Texts of implementations may contain anything."""
    assert report_of({"event": "note", "text": "\ud800", "\ud800": 1}).declared == (("note", r"\ud800"),)


def test_an_unpaired_surrogate_in_place_of_a_kind_is_an_error() -> None:
    with pytest.raises(BadReport, match=r"\\ud800"):
        report_of({"event": "run", "kind": "\ud800"})


def test_untested_calls_are_read() -> None:
    event = {"event": "not-run", "message": "FetchResponse", "reason": "a crash before it", "count": 4}
    assert report_of(event).untested == (NotRun("FetchResponse", "a crash before it", 4),)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ([], "bad.jsonl is no report: its first line is no `run` event"),
        ([json.dumps(SUMMARY)], "bad.jsonl is no report: its first line is no `run` event"),
        ([json.dumps(RUN)], "bad.jsonl is cut off: its last line is no `summary` event"),
        (text_of() + text_of(), "bad.jsonl has the reports of 2 runs"),
        (["{"], "bad.jsonl, line 1: not JSON"),
        (["[]"], "bad.jsonl, line 1 is no event"),
        (text_of({"event": "verdict"}), "bad.jsonl, line 2: this version knows no event 'verdict'"),
        (text_of({"event": "error"}), "bad.jsonl, line 2, event error: Object missing required field `item`"),
        (
            [json.dumps({name: fact for name, fact in RUN.items() if name != "kind"}), json.dumps(SUMMARY)],
            "bad.jsonl, line 1, event run: Object missing required field `kind`; give a file that `--report` of this",
        ),
        (
            text_of({**FINDING, "count": "3"}),
            "bad.jsonl, line 2, event finding: Expected `int`, got `str` - at `$.count`",
        ),
        (
            text_of({**VIOLATION, "wire": "0g"}),
            "bad.jsonl, line 2, event violation: Expected `str` matching regex '^(?:[0-9a-f]{2})*$' - at `$.wire`",
        ),
        (
            text_of({**FINDING, "example": {**CASE, "version": None}}),
            "bad.jsonl, line 2, event finding: Expected `int`, got `null` - at `$.example.version`",
        ),
    ],
)
def test_error_of_a_broken_report_names_the_line(lines: list[str], text: str) -> None:
    with pytest.raises(BadReport, match=re.escape(text)):
        report_from(lines, "bad.jsonl")


def test_file_of_other_bytes_than_utf_8_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"\xff")
    with pytest.raises(BadReport, match=rf"{path.name}, line 1: not UTF-8"):
        read_report(path)
