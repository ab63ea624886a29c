"""Items of the suite in a fork, with an end of the codec as a finding in a run that goes on."""

import os
import re
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.suite import item_forks
from conformance.suite.hooks import SUITE
from conformance.suite.item_forks import ItemForks, ItemProtocol
from conformance.system.forks import ForkReply
from tests.fakes.deadly_writers import MESSAGES, SMALLEST, WAYS, WRONG_TYPE
from tests.helpers.runs import ROOT, WITHOUT_SEARCH, Finished, events, started, suite, suite_on

WRITERS = "tests.fakes.deadly_writers"
FEW = ("--messages=Heartbeat*", "-k", "test_adapter or test_edge_values or unspecified or unencodable", *WITHOUT_SEARCH)


def run(writer: str, *options: str) -> Finished:
    return suite(f"--impl={WRITERS}:{writer}", *options)


def check_single_end(done: Finished, rule: str) -> None:
    """Check that the end is a single cause with its value, and that all other items were tried."""
    text = done.ended(1)
    assert "1 cause (" in text
    assert f"1. crashes: {rule} (crashed), must: " in text
    assert "\n    encode HeartbeatRequest v1, " in text
    assert "replay --impl" in text
    assert "ended in errors" not in text
    assert "at fault" not in text


@pytest.mark.parametrize("way", sorted(WAYS.keys() - {"kill"}))
def test_end_of_a_writer_is_one_finding(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEADLY", f"{way} HeartbeatRequest")
    check_single_end(run("EndsWriting", *FEW), "message.writable")


def test_end_at_a_value_of_the_probe_is_found_by_its_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEADLY", f"abort {SMALLEST}")
    check_single_end(run("EndsWriting", *FEW), "message.writable")


def test_end_at_the_first_call_of_each_process_is_found() -> None:
    """The first calls are those of the probe of the adapter, before all cases."""
    text = run("EndsTheFirstCall", "-k", "test_adapter or test_edge_values", *WITHOUT_SEARCH).ended(1)
    rule = "message.writable"
    assert f"{rule} (crashed), must: " in text


def test_end_at_a_wrong_type_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEADLY", f"abort {WRONG_TYPE}")
    check_single_end(run("EndsWriting", *FEW), "value.type")


@pytest.mark.parametrize("message", [MESSAGES[0], MESSAGES[9], MESSAGES[-1]])
@pytest.mark.parametrize("workers", ["-n0", "-n2"])
def test_other_messages_are_tried_after_the_end_of_a_writer(
    message: str, workers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEADLY", f"segfault {message}")
    report = tmp_path / "report.jsonl"
    done = run("EndsWriting", workers, f"--report={report}", *WITHOUT_SEARCH)
    assert "1 cause (" in done.ended(1)
    tests = {event["pair"]: event["tests"] for event in events(report) if event["event"] == "pair"}
    assert {pair.removesuffix("-v1") for pair in tests} >= set(MESSAGES)
    assert all(tests[f"{each}-v1"]["test_edge_values"].get("failed", 0) == 0 for each in {*MESSAGES} - {message})


def test_end_outside_of_the_child_alone_is_an_error_of_the_item() -> None:
    text = run("EndsItsFirstProcess", "-k", "test_edge_values").ended(1)
    assert re.search(r"\(.*SIGABRT\), but", text)
    assert "1 item ended in" in text


def test_everything_runs_in_the_child_with_isolation_always() -> None:
    text = run("StaysInTheChild", "-v", "--isolation=always", "-k", "not hostile", *WITHOUT_SEARCH).ended(0)
    for category in ("frames", "header versions", "primitive values", "unspecified values", "values of record batches"):
        assert category in " ".join(text.split()), category


def test_warnings_of_a_codec_are_shown() -> None:
    assert "FutureWarning: this codec" in run(
        "WarnsWriting", "-k", "test_edge_values", "-W", "default::FutureWarning"
    ).ended(0)


@pytest.mark.parametrize(
    ("writer", "options"),
    [("HasAThread", ()), ("WarnsWriting", ("--costs",)), ("WarnsWriting", ("--pdb",))],
    ids=["threads", "costs", "pdb"],
)
def test_header_has_the_reason_for_no_fork(writer: str, options: tuple[str, ...], snapshot: SnapshotAssertion) -> None:
    text = run(writer, "--collect-only", *options).text
    assert [line for line in text.splitlines() if line.startswith("isolation: ")] == snapshot


def test_header_is_silent_about_a_fork() -> None:
    assert "isolation: " not in run("WarnsWriting", "--collect-only").text


def item_of(name: str = "item") -> Any:
    return SimpleNamespace(nodeid=name, location=("", 0, ""))


def answered(monkeypatch: pytest.MonkeyPatch, *replies: ForkReply) -> list[str]:
    """Return the texts of the reports of an item, by the replies of its forks."""
    given = iter(replies)
    monkeypatch.setattr(ItemForks, "_ask", lambda *_, **__: next(given))
    return [report.longreprtext for report in ItemForks(cast("Any", None)).reports(item_of(), None)]


ENDED = ForkReply(None, "items", -signal.SIGSEGV)
KILLED = ForkReply(None, "items", -signal.SIGKILL)
NOTHING = '{"reports": [], "warnings": [], "ends": %d, "error": ""}'


def test_second_end_is_an_error_of_the_item(monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion) -> None:
    [text] = answered(monkeypatch, ENDED, ENDED)
    assert text == snapshot


def test_end_in_the_child_is_no_error_of_the_item(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(monkeypatch, ENDED, ForkReply(NOTHING % 1, "items")) == []


def test_end_from_outside_is_no_error_of_the_item(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(monkeypatch, KILLED, ForkReply(NOTHING % 0, "items")) == []


def test_error_of_another_plugin_is_an_error_of_the_item(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = NOTHING.replace('"error": ""', '"error": "Traceback: no"') % 0
    assert answered(monkeypatch, ForkReply(answer, "items")) == ["Traceback: no"]


def test_interruption_keeps_the_results_so_far(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first process alone is interrupted, while a codec does not return."""
    waiting, output = tmp_path / "waiting", tmp_path / "output"
    monkeypatch.setenv("WAITING", str(waiting))
    words = (str(ROOT / "conformance"), "-p", "no:cacheprovider", f"--impl={WRITERS}:Waits", "-k", "test_edge_values")
    with output.open("w") as file:
        process = started(pytest.main, *words, output=file.fileno())
    while not waiting.exists():
        assert process.is_alive(), output.read_text(encoding="utf-8")
        process.join(0.05)
    os.kill(cast("int", process.pid), signal.SIGINT)
    process.join(60)
    assert process.exitcode == pytest.ExitCode.INTERRUPTED
    assert "INTERRUPTED: no findings; 77 " in output.read_text(encoding="utf-8")
    with pytest.raises(ProcessLookupError):
        os.kill(int(waiting.read_text(encoding="ascii")), 0)


def test_passing_items_have_one_report_each() -> None:
    text = suite_on("Honest", "-n1", "--durations=0", "--durations-min=0", "-k", "test_edge_values").ended(0)
    assert re.findall(r"s (setup|call|teardown) ", text) == ["call", "call"]


def reported(monkeypatch: pytest.MonkeyPatch, *phases: tuple[str, bool]) -> list[tuple[str, Any]]:
    """Return the events of an item of the suite on a worker, by the outcomes of its phases."""
    events: list[tuple[str, Any]] = []
    hook = SimpleNamespace(
        pytest_runtest_logstart=lambda **facts: events.append(("start", facts["nodeid"])),
        pytest_runtest_logreport=lambda report: events.append(("report", report.when)),
        pytest_runtest_logfinish=lambda **facts: events.append(("finish", facts["nodeid"])),
    )
    reports = [SimpleNamespace(when=when, passed=passed) for when, passed in phases]
    monkeypatch.setattr(item_forks, "runtestprotocol", lambda *_, **__: reports)
    item = SimpleNamespace(path=SUITE / "test_stored.py", nodeid="item", location=("", 0, ""), ihook=hook)
    assert ItemProtocol(None, is_worker=True).pytest_runtest_protocol(cast("pytest.Item", item), None)
    return events


def test_failing_phase_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    events = reported(monkeypatch, ("setup", False), ("teardown", True))
    assert events == [("start", "item"), ("report", "setup"), ("finish", "item")]


def test_a_call_is_reported_whether_it_passed_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    events = reported(monkeypatch, ("setup", True), ("call", False), ("teardown", True))
    assert events == [("start", "item"), ("report", "call"), ("finish", "item")]


def test_items_of_other_suites_are_left_to_pytest() -> None:
    item = SimpleNamespace(path=SUITE.parent / "test_other.py")
    protocol = ItemProtocol(None, is_worker=True)
    assert protocol.pytest_runtest_protocol(cast("pytest.Item", item), None) is None
