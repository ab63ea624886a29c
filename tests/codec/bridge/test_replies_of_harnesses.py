"""Runs on harnesses with a mistake in every reply."""

import shlex

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.fakes.bad_harness import command
from tests.helpers.runs import faults, suite

MISTAKES = {"text for a number": '{"ErrorCode": str(code)}', "another name": '{"error_code": code}'}


@pytest.mark.parametrize("value", MISTAKES.values(), ids=MISTAKES)
def test_mistake_in_every_reply_is_told_without_findings_about_the_reader(
    value: str, snapshot: SnapshotAssertion
) -> None:
    mistake = f"""
        def decode(request, correct=decode):
            reply = correct(request)
            code = reply.get("value", {{}}).get("ErrorCode")
            return {{**reply, "value": {value}}} if "value" in reply else reply
    """
    finished = suite(f"--impl=stdio:{shlex.join(command(mistake))}", "-m", "not hypothesis", "-v")
    assert finished.status == 1, finished.text
    assert faults(finished.text) == snapshot
    assert "decode HeartbeatResponse" not in finished.text
    assert "rejected 12, value 122" in finished.text  # as of the correct harness
