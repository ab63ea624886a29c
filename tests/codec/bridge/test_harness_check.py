import sys
from functools import partial

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.codec.bridge.hangs import SURE
from conformance.codec.bridge.harness_check import START_SECONDS, HarnessUnderCheck, check_hello, check_records
from conformance.codec.bridge.reply_check import merged
from conformance.codec.bridge.transcript import Diagnostic, Transcript
from reference import load_release
from tests.fakes.bad_harness import MISTAKES, command
from tests.helpers.releases import BASE, NEWEST
from tests.helpers.runs import invoke

check = partial(invoke, "bridge", "check", "--seconds", "2", "--")


def test_a_correct_harness_passes(snapshot: SnapshotAssertion) -> None:
    """Every check is named, and the exit status is 0."""
    result = check(*command())
    assert result.exit_code == 0, result.output
    checks, _, conclusion = result.output.partition("\n\n")
    assert checks == snapshot
    assert conclusion.startswith("example 1 can ")


def child(codec: str) -> tuple[str, ...]:
    impl = f"tests.fakes.records_only:{codec}"
    return (sys.executable, "-m", "conformance.codec.bridge.child", "--release", BASE, "--impl", impl)


def test_a_correct_harness_of_records_alone_passes(snapshot: SnapshotAssertion) -> None:
    """It has no messages, so only records are encoded and decoded."""
    result = check(*child("Records"))
    assert result.exit_code == 0, result.output
    assert result.output.partition("\n\n")[0] == snapshot


def diagnostics_of_records(codec: str) -> list[Diagnostic]:
    harness = HarnessUnderCheck(child(codec), load_release(BASE), 20.0)
    hello, problems = check_hello(harness)
    assert problems == []
    return list(check_records(harness, hello))


def test_harness_with_a_hidden_field_of_records_is_correct() -> None:
    assert diagnostics_of_records("HidesSequences") == []


MISTAKES_IN_RECORDS = {
    "DropsSequences": (False, "decode-records of the smallest batch: batches[0].baseSequence is -1, not None"),
    "WritesEpochZero": (True, "encode-records of the smallest batch: the bytes are"),
    "RefusesAll": (True, "decode-records of the smallest batch: rejected: Malformed"),
}
"""Whether it is a note, which does not change the exit status, and what is told."""


@pytest.mark.parametrize("codec", MISTAKES_IN_RECORDS)
def test_a_mistake_in_records_is_reported(codec: str) -> None:
    is_note, text = MISTAKES_IN_RECORDS[codec]
    assert [each.is_note for each in diagnostics_of_records(codec) if each.problem.startswith(text)] == [is_note]


WORDS = {
    "exits_at_once": ("answers hello", "it ended with exit status 1 before it had answered", "no licence"),
    "prints_a_greeting": (
        "answers hello",
        "it wrote Welcome! to standard output, which is not a reply",
        "standard error",
    ),
    "refuses_hello": ("answers hello", "hello with version 1 of the protocol is answered with unsupported: not today"),
    "supports_what_no_release_has": ("answers hello", f"it supports no message and version that Kafka {NEWEST} has"),
    "offers_what_it_does_not_support": ("answers hello", 'the operation "decode" and the messages'),
    "accepts_any_version": ("refuses other versions", "hello with version 9999 of the protocol is answered with"),
    "answers_with_one_id": ("echoes ids", "has the id 0", "Give each reply the id of its request"),
    "answers_in_another_order": ("echoes ids", "replies are not in the order of their requests"),
    "answers_twice": ("echoes ids", "lines in reply to 6 requests", "Write one line for each request"),
    "aborts_on_unknown_operations": ("answers unknown", "unknown operation: it ended with SIGABRT", "assertion failed"),
    "exits_on_invalid_json": ("answers unknown", "invalid JSON: it ended with exit status 1 before it had answered"),
    "calls_unknown_messages_protocol_errors": (
        "answers unknown",
        "unknown message",
        "Answer it with the outcome unsupported",
    ),
    "prints_as_it_decodes": ("echoes ids", "it wrote decoding 0000 to standard output, which is not a reply"),
    "waits_for_more_lines": ("accepts many", "300 requests of 60000 bytes each", "without waiting for more"),
    "ends_with_status_3": ("answers hello", "at the end of its input it ends with exit status 3"),
    "adds_an_unknown_key": ("echoes ids", "is not valid by the schema", "'size' was unexpected"),
    "reads_another_field": ("encodes and decodes", "Error, which is no field of it; did you mean ErrorCode?"),
    "takes_anything_for_records": ("answers unknown", "wrong wire", "Answer it with the outcome protocol-error"),
}


@pytest.mark.parametrize("mistake", WORDS)
def test_a_mistake_is_reported_with_a_hint(mistake: str) -> None:
    """The exit status is 1."""
    result = check(*command(mistake))
    check_name, *words = WORDS[mistake]
    assert result.exit_code == 1, result.output
    assert f"wrong  {check_name}" in result.output
    assert [word for word in words if word not in result.output] == [], result.output


def test_each_reason_of_the_harness_s_own_code_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of other mistakes the first five are shown."""
    own = [Diagnostic(f"harness-error: no {name}", "Fix it", is_own_code=True) for name in "abcdefgh"]
    others = [Diagnostic(f"{name} is missing", "Add it") for name in "abcdefgh"]
    monkeypatch.setattr("conformance.commands.bridge.run_checks", lambda *_: [("values", [*others, *own])])
    result = check(*command())
    assert result.exit_code == 1
    assert [each.problem for each in own if each.problem not in result.output] == []
    assert "and 3 more; --all " in result.output


def test_reasons_different_only_in_their_values_are_one(snapshot: SnapshotAssertion) -> None:
    texts = {
        "a": 'no form of "text"',
        "b": "no form of 5",
        "c": "no form of 7",
        "d": 'no field "Topics"',
        "e": 'no field "Id"',
    }
    found = [(asked, Diagnostic(f"{asked}{text}", "Fix it")) for asked, text in texts.items()]
    assert [each.problem for each in merged(found)] == snapshot


NOTES = ("writes_little_endian", "refuses_everything")


@pytest.mark.parametrize("mistake", NOTES)
def test_possible_mistake_of_the_implementation_is_a_note(mistake: str, snapshot: SnapshotAssertion) -> None:
    """The exit status is 0, as mistakes of implementations are the suite's task."""
    result = check(*command(mistake))
    assert result.exit_code == 0, result.output
    assert result.output.partition("\n\n")[0] == snapshot


SLOW = {
    "never_answers": "was not answered within",
    "never_ends": "it has not ended",
    "holds_replies_back": "Flush standard output before waiting for further input",
}


@pytest.mark.parametrize("mistake", SLOW)
def test_harness_without_an_answer_is_stopped(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.codec.bridge.harness_check.START_SECONDS", 1.0)
    result = check(*command(mistake))
    assert result.exit_code == 1
    assert SLOW[mistake] in result.output


def test_a_late_harness_is_run_again_with_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []

    def late(_command: object, _lines: object, seconds: float) -> Transcript:
        limits.append(seconds - START_SECONDS)
        return Transcript((), (), None, "", "some seconds")

    monkeypatch.setattr("conformance.codec.bridge.harness_check.run_script", late)
    HarnessUnderCheck((), load_release(BASE), 2.0).script()
    assert limits == [2.0, SURE * 2.0]


def test_every_mistake_is_tried() -> None:
    assert WORDS.keys() | {*NOTES} | SLOW.keys() == MISTAKES.keys()


def test_command_of_a_missing_program_is_an_error(snapshot: SnapshotAssertion) -> None:
    result = check("./no-such-harness")
    assert result.exit_code == 1
    assert result.output == snapshot
