"""Requests sent ahead have the violations, counts and order of requests one by one, for every conduct of a harness."""

import sys

import pytest

from conformance.codec.bridge import ahead
from conformance.codec.bridge.ahead import Ahead, kind_of_request
from conformance.codec.bridge.child_client import Client, Policy
from conformance.codec.bridge.loading import load_codec
from conformance.codec.session import Session
from conformance.judge import engine
from conformance.judge.checks.special_values import unencodable_cases, unspecified_value_cases
from conformance.judge.checks.state_leaks import leaks_of_writing
from conformance.judge.checks.value_cases import value_cases
from conformance.judge.engine import counted
from conformance.judge.forms import Broken
from conformance.judge.tally import Sum, Tally
from conformance.system.time_limits import TimeLimit
from reference import load_release, newest_release
from tests.codec.bridge.test_child_client import LOCK_STEP, starter
from tests.fakes import unruly_codec

RELEASE = load_release(newest_release())
SCHEMA = RELEASE.schema("HeartbeatRequest", 0)
IMPL = f"stdio:{sys.executable} {unruly_codec.__file__}"


def run(*arguments: str, deadline: float, one_by_one: bool) -> tuple[list[Broken], list[Sum]]:
    """Return the violations of the checks of values, in their order, and the counts."""
    codec = load_codec(" ".join((IMPL, *arguments)), RELEASE, deadline=deadline)
    if one_by_one:
        vars(codec)["send"] = list
    session = Session(codec, RELEASE)
    tally = Tally()
    checks = (value_cases, leaks_of_writing, unencodable_cases, unspecified_value_cases)
    events = (event for check in checks for event in engine.run(session, check(session, SCHEMA)))
    return [violation.event() for violation in counted(events, tally)], tally.events()


def test_values_sent_ahead_have_the_outcomes_of_values_one_by_one() -> None:
    """Deaths, noise, floods, wrong ids, lines too many, refusals and wrong bytes."""
    violations, counts = run(deadline=60, one_by_one=True)
    assert {each.outcome for each in violations} >= {"crashed", "protocol-error", "bytes", "rejected"}
    assert run(deadline=60, one_by_one=False) == (violations, counts)


def test_hanging_values_have_the_outcomes_of_lock_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests sent ahead take nothing from the budget of hangs.

    Every request has the whole deadline, so that the load of the machine does not count.
    """
    monkeypatch.setattr(TimeLimit, "__str__", lambda limit: f"{limit.seconds:g} seconds")
    monkeypatch.setattr("conformance.codec.bridge.hangs.PATIENCE", 1)
    monkeypatch.setattr("conformance.codec.bridge.hangs.HURRY", 1)
    violations, counts = run("topic-1", deadline=1, one_by_one=True)
    assert "timed-out" in {each.outcome for each in violations}
    assert run("topic-1", deadline=1, one_by_one=False) == (violations, counts)


def client() -> Client:
    return Client(starter(LOCK_STEP), Policy.BATCHED, deadline=20.0)


def test_received_reply_is_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with client() as running:
        sent = Ahead(running, kind_of_request)
        sent.send([{"op": "a"}, {"op": "b"}])
        running.close()
        monkeypatch.setattr(running, "ask_many", None)
        assert [sent.ask({"op": operation})["outcome"] for operation in "ba"] == ["b", "a"]


def test_a_failure_ahead_counts_for_nothing() -> None:
    with client() as running:
        sent = Ahead(running, kind_of_request)
        sent.send([{"op": "a"}, {"op": "b"}, {"op": "die"}, {"op": "c"}])
        assert running.restarts == 0
        assert [sent.ask({"op": operation})["outcome"] for operation in "abc"] == ["a", "b", "c"]
        assert running.restarts == 0
        assert sent.ask({"op": "die"})["outcome"] == "crashed"
        assert running.restarts == 1


def test_after_too_many_failures_nothing_is_sent_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "FAILURES", 1)
    with client() as running:
        sent = Ahead(running, kind_of_request)
        sent.send([{"op": "die"}])
        monkeypatch.setattr(running, "ask_ahead", None)
        sent.send([{"op": "a"}])
        assert sent.ask({"op": "a"})["outcome"] == "a"
