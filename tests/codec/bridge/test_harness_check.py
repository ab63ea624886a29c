import re
import sys
from functools import partial, reduce

import pytest
from click.testing import Result
from syrupy.assertion import SnapshotAssertion

from conformance.codec.bridge.form_probes import Probe
from conformance.codec.bridge.hangs import SURE
from conformance.codec.bridge.harness import claims_in
from conformance.codec.bridge.harness_check import START_SECONDS, HarnessUnderCheck, check_contents, check_hello
from conformance.codec.bridge.records_check import records_diagnostics, records_probes
from conformance.codec.bridge.reply_check import merged
from conformance.codec.bridge.transcript import Diagnostic, Transcript
from conformance.targets import ENCODE, RecordsField
from conformance.targets.claims import STDIO
from reference import load_release
from tests.codec.bridge.diagnostic_text import text_of
from tests.fakes.bad_harness import MISTAKES, command
from tests.helpers.releases import BASE, NEWEST
from tests.helpers.runs import invoke

check = partial(invoke, "bridge", "check", "--seconds", "2", "--")

CHANGING = {
    r'(?<="definitions":")[^"]*': "...",
    r"within .* processors": "within some seconds",
    r"standard error: .*Error": "standard error: ...Error",
    r"(?<=more than )[\d,]+": "some",
    r"--impl=.*": "--impl=...",
    f"Kafka {NEWEST}": "Kafka ...",
}
"""The parts of the output that depend on the machine and on the version of Python."""


def output_of(result: Result) -> str:
    return reduce(lambda text, part: re.sub(part, CHANGING[part], text), CHANGING, result.output)


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
    claims = claims_in(STDIO, hello)
    return check_contents(harness, claims, records_probes(claims), records_diagnostics)


def test_harness_with_a_hidden_field_of_records_is_correct() -> None:
    assert diagnostics_of_records("HidesSequences") == []


IS_NOTE = {"DropsSequences": False, "WritesEpochZero": True, "RefusesAll": True}
"""Whether the mistake of a codec is a note, which does not change the exit status."""


@pytest.mark.parametrize("codec", IS_NOTE)
def test_a_mistake_in_records_is_reported(codec: str, snapshot: SnapshotAssertion) -> None:
    diagnostics = diagnostics_of_records(codec)
    assert diagnostics[0].is_note == IS_NOTE[codec]
    assert text_of(diagnostics) == snapshot


FAILED = {
    "exits_at_once": "answers hello",
    "prints_a_greeting": "answers hello",
    "refuses_hello": "answers hello",
    "supports_what_no_release_has": "answers hello",
    "supports_versions_of_no_release": "answers hello",
    "offers_what_it_does_not_support": "answers hello",
    "accepts_any_version": "refuses other versions",
    "prints_5_megabytes": "answers hello",
    "speaks_another_version": "answers hello",
    "hides_a_misspelt_field": "answers hello",
    "notes_what_it_lacks": "answers hello",
    "refuses_for_good": "refuses other versions",
    "answers_with_one_id": "echoes ids",
    "answers_in_another_order": "echoes ids",
    "answers_twice": "echoes ids",
    "aborts_on_unknown_operations": "answers unknown",
    "exits_on_invalid_json": "answers unknown",
    "calls_unknown_messages_protocol_errors": "answers unknown",
    "prints_as_it_decodes": "echoes ids",
    "waits_for_more_lines": "accepts many",
    "ends_with_status_3": "answers hello",
    "adds_an_unknown_key": "echoes ids",
    "reads_another_field": "encodes and decodes",
    "takes_anything_for_records": "answers unknown",
}
"""The first check that fails for each mistake."""


@pytest.mark.parametrize("mistake", FAILED)
def test_a_mistake_is_reported_with_a_hint(mistake: str, snapshot: SnapshotAssertion) -> None:
    """The exit status is 1."""
    result = check(*command(mistake))
    assert result.exit_code == 1, result.output
    assert f"wrong  {FAILED[mistake]}" in result.output
    assert output_of(result) == snapshot


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
    probes = [(Probe(ENCODE, RecordsField(), name, {}), text) for name, text in texts.items()]
    found = [(probe, Diagnostic(f"{probe}: {text}", "Fix it")) for probe, text in probes]
    assert [each.problem for each in merged(found)] == snapshot


NOTES = ("writes_little_endian", "refuses_everything")


@pytest.mark.parametrize("mistake", NOTES)
def test_possible_mistake_of_the_implementation_is_a_note(mistake: str, snapshot: SnapshotAssertion) -> None:
    """The exit status is 0, as mistakes of implementations are the suite's task."""
    result = check(*command(mistake))
    assert result.exit_code == 0, result.output
    assert result.output.partition("\n\n")[0] == snapshot


SLOW = ("never_answers", "never_ends", "holds_replies_back")


@pytest.mark.parametrize("mistake", SLOW)
def test_harness_without_an_answer_is_stopped(
    mistake: str, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr("conformance.codec.bridge.harness_check.START_SECONDS", 1.0)
    result = check(*command(mistake))
    assert result.exit_code == 1
    assert output_of(result) == snapshot


def test_a_late_harness_is_run_again_with_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    limits: list[float] = []

    def late(_command: object, _lines: object, seconds: float) -> Transcript:
        limits.append(seconds - START_SECONDS)
        return Transcript((), (), None, "", "some seconds")

    monkeypatch.setattr("conformance.codec.bridge.harness_check.run_script", late)
    HarnessUnderCheck((), load_release(BASE), 2.0).script()
    assert limits == [2.0, SURE * 2.0]


def test_every_mistake_is_tried() -> None:
    assert FAILED.keys() | {*NOTES, *SLOW} == MISTAKES.keys()


def test_command_of_a_missing_program_is_an_error(snapshot: SnapshotAssertion) -> None:
    result = check("./no-such-harness")
    assert result.exit_code == 1
    assert result.output == snapshot
