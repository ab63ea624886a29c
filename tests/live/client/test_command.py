"""Output and exit status of `kafka-conformance client`."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING

import pytest

from conformance.commands.client import Caps
from conformance.live.capture.capture import read_capture
from tests.helpers.runs import invoke
from tests.live.client.commands import fake

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result


def client(name: str, *options: str) -> Result:
    return invoke("client", *options, "--", *fake(name))


def test_departure_fails_and_is_shown_with_its_capture(tmp_path: Path) -> None:
    capture = tmp_path / "session.jsonl"
    done = client("Overlong", "--capture", str(capture))
    assert done.exit_code == 1
    assert f"kafka-conformance judge {capture} --frame 3" in done.output
    assert len(list(read_capture(capture).frames)) == 8


def test_departure_is_shown_with_its_bytes_without_a_capture() -> None:
    shown = re.search(r"kafka-conformance (explain --without-size --frame [0-9a-f]+)", client("Overlong").output)
    assert shown is not None
    explained = invoke(*shown[1].split()).output
    assert "not canonical" in explained
    assert "26 bytes" in explained


def test_known_failure_passes(tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    lines = ("rule = 'varint.shortest'", "messages = ['MetadataRequest']", "outcome = 'bytes'", "reason = 'long'")
    known.write_text("[[failure]]\n" + "\n".join(lines), encoding="utf-8")
    assert client("Overlong", "--known-failures", str(known)).exit_code == 0


def test_sessions_with_capped_versions_are_shown_one_by_one_and_judged_together(tmp_path: Path) -> None:
    capture = tmp_path / "sessions.jsonl"
    done = client("Honest", "--cap-versions", "0..1", "--capture", str(capture))
    assert done.exit_code == 0, done.output
    assert re.findall(r"by (\d): exit status (\d)", done.output) == [("0", "0"), ("1", "0")]
    assert "PASSED" in done.output
    assert "10 cases" in done.output
    assert {frame.connection for frame in read_capture(capture).frames} == {1, 2}


def test_all_caps_may_be_chosen_in_either_case() -> None:
    assert Caps().convert("ALL", None, None) is Caps().convert("all", None, None) is None


@pytest.mark.parametrize("text", ["3..1", "-1", "some"])
def test_odd_cap_is_refused(text: str) -> None:
    done = client("Honest", "--cap-versions", text)
    assert done.exit_code == 2
    assert f"'{text}' is neither a number" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("EndsFirst", "did not connect before it ended (exit status 1)"),
        ("NeverConnects", "did not connect within the deadline"),
        ("Garbage", "wrote no request"),
    ],
)
def test_client_without_a_request_is_named(name: str, text: str) -> None:
    done = client(name, "--deadline", "5")
    assert done.exit_code == 5
    assert text in " ".join(done.output.split())


def test_hostile_answers_are_counted() -> None:
    done = client("Honest", "--answers", "hostile", "--cases", "2", "-n", "2", "-v")
    assert done.exit_code == 0, done.output
    assert re.findall(r"plain answers: .*status (\d)", done.output) == ["0"]
    assert "PASSED" in done.output
    assert "2 cases" in done.output


def test_finding_can_be_shown_again() -> None:
    name = "MetadataResponse-v9/empty-input"
    done = client("Aborts", "--answers", "hostile", "--case", name)
    assert done.exit_code == 1
    assert f"--case {name}" in done.output


def test_client_failing_on_plain_answers_is_not_judged() -> None:
    done = client("Fails", "--answers", "hostile")
    assert done.exit_code == 5
    assert "nothing is judged" in done.output
    assert "tested:" not in done.output


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--answers", "sound", "--cap-versions", "1"), "--cap-versions does not go with --answers"),
        (("--cases", "3"), "--cases needs --answers"),
    ],
)
def test_option_without_effect_is_refused(options: tuple[str, ...], text: str) -> None:
    done = client("Honest", *options)
    assert done.exit_code == 2
    assert text in done.output


def test_report_of_answers_counts_tried_answers(tmp_path: Path) -> None:
    """A version answered in any other way than plainly counts as tried."""
    report = tmp_path / "report.jsonl"
    done = client("Aborts", "--answers", "hostile", "--cases", "4", "-n", "2", "--report", str(report))
    events = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    tests = [event["tests"]["hostile answers"] for event in events if event["event"] == "pair"]
    assert sum(counts["tried"] for counts in tests) == 4, done.output
    assert sum(counts.get("failed", 0) for counts in tests) > 0
    assert {"event": "rule", "rule": "codec.survival", "pairs": len(tests)} in events


def test_report_of_sound_answers_counts_the_versions_of_each_tried_rule(tmp_path: Path) -> None:
    """The client fails on unknown tags in one version, and was tried in others."""
    report = tmp_path / "report.jsonl"
    done = client("RefusesTags", "--answers", "sound", "--cases", "1", "--report", str(report))
    events = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    pairs = {event["pair"]: event["tests"].get("sound answers", {}) for event in events if event["event"] == "pair"}
    failed = [pair for pair, counts in pairs.items() if counts.get("failed")]
    rules = {event["rule"]: event["pairs"] for event in events if event["event"] == "rule"}
    assert failed == ["MetadataResponse-v9"], done.output
    assert rules["tag.unknown-accepted"] > 1


def test_crash_while_listening_is_a_finding(tmp_path: Path) -> None:
    """The answers were sound, so the rule is theirs, in the report and at the replay."""
    report = tmp_path / "report.jsonl"
    done = client("Dies", "--cap-versions", "0", "--report", str(report))
    events = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    [found] = [event for event in events if event["event"] == "finding"]
    assert done.exit_code == 1, done.output
    assert (found["rule"], found["outcome"]) == ("message.accepted", "crashed")
    [violation] = [event for event in events if event["event"] == "violation"]
    assert "SIGABRT" in violation["actual"]
    last = ["ProduceRequest-v9", "ProduceResponse-v9", "FetchRequest-v12", "FetchResponse-v12"]
    assert re.findall(r"\w+-v\d+", violation["actual"]) == last
    assert shlex.split(found["replay"])[1:3] == ["client", "--release"]


def test_unrepeated_crash_is_no_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is only shown."""
    monkeypatch.setenv("FAKE_PID_FILE", str(tmp_path / "died"))
    done = client("DiesOnce")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "died").exists()
    assert "SIGABRT" in done.output
