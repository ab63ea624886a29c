"""Runs on harnesses with a mistake in every reply."""

import shlex

import pytest

from tests.fakes.bad_harness import command
from tests.helpers.runs import suite

MISTAKES = {
    "text for a number": (
        '{"ErrorCode": str(code)}',
        "decode returns a JSON string at ErrorCode, where the definition has",
    ),
    "another name": (
        '{"error_code": code}',
        "decode of HeartbeatResponse-v0 returns error_code, which is no field of it",
    ),
}


@pytest.mark.parametrize(("value", "sentence"), MISTAKES.values(), ids=MISTAKES)
def test_mistake_in_every_reply_is_told_without_findings_about_the_reader(value: str, sentence: str) -> None:
    mistake = f"""
        def decode(request, correct=decode):
            reply = correct(request)
            code = reply.get("value", {{}}).get("ErrorCode")
            return {{**reply, "value": {value}}} if "value" in reply else reply
    """
    finished = suite(f"--impl=stdio:{shlex.join(command(mistake))}", "-m", "not hypothesis")
    assert finished.status == 1, finished.text
    assert sentence in finished.text
    assert "decode HeartbeatResponse" not in finished.text
    assert "decode calls: rejected 12, value 121" in finished.text  # as of the correct harness
