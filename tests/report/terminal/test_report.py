import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.helpers.releases import NEWEST
from tests.helpers.runs import LIARS, ROOT, events, suite, suite_on

Event = dict[str, Any]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> list[Event]:
    return report_of("LittleEndian", tmp_path_factory.mktemp("report"))


def report_of(liar: str, folder: Path, *options: str) -> list[Event]:
    path = folder / f"{liar}.jsonl"
    done = suite_on(liar, f"--report={path}", *options)
    assert done.status in {0, 1}, done.text
    return events(path)


def test_events_come_in_the_order_of_the_contract(report: list[Event]) -> None:
    kinds = list(dict.fromkeys(event["event"] for event in report))
    counts = ["case-counts", "not-tested", "conclusive", "adapted-base", "unspecified-profile", "limit", "pair", "rule"]
    assert kinds == ["run", "extent", *counts, "violation", "finding", "summary"]


def test_first_event_describes_the_run(report: list[Event]) -> None:
    run = report[0]
    assert (run["implementation"], run["implementation_version"], run["release"]) == ("honest", "1", NEWEST)
    assert (run["impl"], run["depth"], run["pairs"]) == ("tests.fakes.faulty_codecs:LittleEndian", "quick", 2)


def test_a_finding_names_rule_outcome_pairs_and_its_smallest_case(report: list[Event]) -> None:
    first = next(event for event in report if event["event"] == "finding")
    assert (first["rule"], first["outcome"]) == ("int.width-and-order", "bytes")
    assert first["pairs"] == ["HeartbeatResponse-v0"]
    smallest = first["example"]
    assert (smallest["expected"], smallest["actual"], smallest["value"]) == ("0001", "0100", '{"ErrorCode": 1}')


def test_consequence_refers_to_its_cause(report: list[Event]) -> None:
    """It has the key of the finding before it, and the reason."""
    _, second = (event for event in report if event["event"] == "finding")
    assert (second["rule"], second["follows"]["rule"]) == ("codec.round-trip", "int.width-and-order")
    assert second["follows"]["why"]


def test_the_sum_counts_the_findings(report: list[Event]) -> None:
    found = [event for event in report if event["event"] == "finding"]
    summary = report[-1]
    assert summary["findings"] == len(found)
    assert (summary["known"], summary["stale"], summary["unclassified"]) == ({}, [], {})


def test_report_has_the_tried_cases_of_each_pair(report: list[Event]) -> None:
    """By test of the suite, it has the distinct failed cases and the tried ones."""
    pairs = {event["pair"]: event["tests"] for event in report if event["event"] == "pair"}
    edges = pairs["HeartbeatResponse-v0"]["test_edge_values"]
    assert 0 < edges["failed"] < edges["tried"]
    assert "failed" not in pairs["HeartbeatResponse-v0"]["test_unencodable_values"]


def test_report_has_the_tried_rules(report: list[Event]) -> None:
    """One of the two messages has integers, both can be read, and none has a UUID."""
    tried = {event["rule"]: event["pairs"] for event in report if event["event"] == "rule"}
    assert tried["int.width-and-order"] == 1
    assert tried["input.truncated"] == 2
    assert "uuid.byte-order" not in tried


def test_a_finding_has_its_impact_and_its_replay_line(report: list[Event]) -> None:
    first = next(event for event in report if event["event"] == "finding")
    assert first["impact"] == "wrong-bytes"
    assert shlex.split(first["replay"])[1:4] == ["replay", "--impl", f"{LIARS}:LittleEndian"]
    assert f"--release {NEWEST}" in first["replay"]


def test_nothing_of_the_machine_is_in_a_report(report: list[Event]) -> None:
    assert str(ROOT) not in repr(report)


def test_two_processes_have_the_findings_of_one(report: list[Event], tmp_path: Path) -> None:
    """Events and their order are equal, and only the number of tries depends on the process."""
    apart = report_of("LittleEndian", tmp_path, "-n2")
    assert without_counts(apart) == without_counts(report)


def without_counts(report: list[Event]) -> list[Event]:
    """Leave out the counts, and notes, which depend on the load of the machine."""
    return [event for event in report if event["event"] not in {"case-counts", "note"}]


def test_untested_calls_are_in_the_report(tmp_path: Path) -> None:
    report = report_of("HoldsNoZero", tmp_path)
    [event] = [event for event in report if event["event"] == "unrepresentable"]
    assert event["message"] == "HeartbeatResponse"
    assert re.search("ErrorCode: .*no zero$", event["reason"])
    assert event["count"] > 0


def test_known_and_stale_entries_are_in_the_report(tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    entry = '[[failure]]\nrule = "{}"\nmessages = "*"\noutcome = "bytes"\nreason = "because"\n'
    known.write_text(entry.format("int.width-and-order") + entry.format("null.not-written"), encoding="utf-8")
    report = report_of("LittleEndian", tmp_path, f"--known-failures={known}")
    found = {event["event"]: event for event in report}
    fixed, stale = "int.width-and-order", "null.not-written"
    assert found["known-failure"]["entry"] == f"{fixed} (bytes) in *"
    assert found["known-failure"]["example"]["actual"] == "0100"
    assert found["summary"]["stale"] == [f"{stale} (bytes) in *"]


def test_a_report_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    report_of("Honest", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["Honest.jsonl"]


def test_declarations_of_an_adapter_are_in_the_report(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """A note on slow calls depends on the load of the machine."""
    path = tmp_path / "report.jsonl"
    suite("--impl=tests.fakes.bad_adapters:SaysZeroIsNull", "--isolation=never", "--smoke", f"--report={path}")
    shown = [event for event in events(path) if event["event"] in {"representation", "note"}]
    assert [event for event in shown if not event["text"].startswith("slow: ")] == snapshot
