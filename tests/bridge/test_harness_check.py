"""`kafka-conformance bridge check` finds what is wrong with a harness, and says so in plain words."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from conformance.commands.main import main
from tests.fakes.bad_harness import LIES, command


def check(*words: str) -> Result:
    """Run the command; a reply may take two seconds."""
    return CliRunner().invoke(main, ["bridge", "check", "--seconds", "2", "--", *words])


def test_a_well_mannered_harness_passes() -> None:
    """Every manner is named, and the exit status is 0."""
    result = check(*command())
    assert result.exit_code == 0, result.output
    assert result.output.count("ok ") == 8
    assert "rude 1 can be tested" in result.output


WORDS = {
    "is_not_there": ("says hello", "it ended with exit status 1 before it had answered", "no licence"),
    "greets": ("says hello", "it wrote Welcome! to standard output, which is no reply", "standard error"),
    "refuses_hello": ("says hello", "hello with version 1 of the protocol is answered with unsupported: not today"),
    "forgets_its_version": ("says hello", "'version' is a required property"),
    "supports_what_no_release_has": ("says hello", "it supports no message and version that Kafka 4.3.0 has"),
    "offers_what_it_does_not_support": ("says hello", 'the operation "decode" and the messages that it supports'),
    "accepts_any_version": ("refuses other versions", "hello with version 9999 of the protocol is answered with"),
    "forgets_ids": ("echoes ids", "has the id 0", "Give each reply the id of its request"),
    "writes_ids_as_text": ("says hello", 'has the id "0"'),
    "answers_in_another_order": ("echoes ids", "replies come in another order than their requests"),
    "answers_twice": ("echoes ids", "lines in reply to 6 requests", "Write one line for each request"),
    "dies_of_unknown_operations": ("survives what", "unknown operation: it ended with SIGABRT", "assertion failed"),
    "dies_of_bad_json": ("survives what", "no JSON: it ended with exit status 1 before it had answered"),
    "takes_unknown_messages_for_errors_of_the_protocol": (
        "survives what",
        "unknown message",
        "Answer it with the outcome unsupported",
    ),
    "prints_as_it_decodes": ("echoes ids", "it wrote decoding 0000 to standard output, which is no reply"),
    "waits_for_more": ("takes many", "300 requests of 60000 bytes each, sent at once", "without waiting for more"),
    "ends_badly": ("says hello", "at the end of its input it ends with exit status 3"),
    "lacks_the_class_of_a_refusal": ("echoes ids", "is not as the schema says", "'size' was unexpected"),
    "writes_bytes_in_upper_case": ("echoes ids", "'00FF' does not match"),
    "mixes_up_bytes": ("reads and writes", "encode of HeartbeatResponse-v0: the bytes of"),
    "reads_another_field": ("reads and writes", "Error: expected a field of the definition"),
    "refuses_everything": ("reads and writes", "is refused: NullPointer: field is null"),
}


@pytest.mark.parametrize("lie", WORDS)
def test_what_is_wrong_is_said(lie: str) -> None:
    """Which manner, what happened, and the way to mend it; the exit status is 1."""
    result = check(*command(lie))
    manner, *words = WORDS[lie]
    assert result.exit_code == 1, result.output
    assert f"wrong  {manner}" in result.output
    assert [word for word in words if word not in result.output] == [], result.output


SLOW = {
    "says_nothing": "was not answered within",
    "never_ends": "goes on for more than",
    "keeps_replies_back": "Flush standard output before waiting for further input",
}


@pytest.mark.parametrize("lie", SLOW)
def test_a_harness_that_keeps_still_is_given_up(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time for a start."""
    monkeypatch.setattr("conformance.bridge.harness_check.START_SECONDS", 1.0)
    result = check(*command(lie))
    assert result.exit_code == 1
    assert SLOW[lie] in result.output


def test_every_lie_is_found_out() -> None:
    """None is forgotten in the tests above."""
    assert WORDS.keys() | SLOW.keys() == LIES.keys()


def test_a_command_that_is_none_is_an_error_of_usage() -> None:
    """In one line."""
    result = check("./no-such-harness")
    assert result.exit_code == 1
    assert result.output == "Error: ./no-such-harness cannot be run: No such file or directory\n"
