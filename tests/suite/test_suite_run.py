from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from conformance.codec.bridge.loading import load_codec
from conformance.codec.selection import Selection
from conformance.codec.session import Session
from conformance.judge.events import Answered
from conformance.suite.hooks import unit_of
from conformance.suite.subjects import CodecSubject
from conformance.suite.suite_run import SuiteRun
from reference import load_release, newest_release
from tests.helpers.cases import violation
from tests.helpers.runs import kafka_conformance

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.judge.case import Violation

RANDOM = violation("null.not-written", "HeartbeatRequest", 0, deterministic=False)
DETERMINISTIC = violation("null.not-written", "HeartbeatRequest", 0, deterministic=True)


@pytest.fixture
def run() -> SuiteRun:
    release = load_release(newest_release())
    implementation = load_codec("conformance.adapters.reference", release)
    return SuiteRun(CodecSubject(Session(implementation, release)), Selection([], []), [])


def smaller(given: list[Violation]) -> Callable[[Violation], Violation]:
    """Return a function that makes a case smaller, and lists each violation given to it."""

    def make(violation: Violation) -> Violation:
        given.append(violation)
        return replace(violation, path="smaller")

    return make


def test_the_first_random_case_of_a_finding_is_made_smaller(run: SuiteRun) -> None:
    given: list[Violation] = []
    run.begin_item("HeartbeatRequest-v0")
    run.judge_random([RANDOM], smaller(given))
    assert run.record.new[RANDOM.key].example.path == "smaller"
    run.judge_random([RANDOM], smaller(given))
    assert given == [RANDOM]


def test_random_case_of_a_deterministic_finding_of_the_pair_is_not_made_smaller(run: SuiteRun) -> None:
    given: list[Violation] = []
    for item in ("HeartbeatRequest-v0", "another"):
        run.begin_item(item)
        run.judge([DETERMINISTIC] if item == "HeartbeatRequest-v0" else [])
        run.end_item()
    for item in ("HeartbeatRequest-v0", "another"):
        run.begin_item(item)
        run.judge_random([RANDOM], smaller(given))
        assert RANDOM.key in run.end_item().new
    assert given == [RANDOM]


def test_findings_of_a_fork_count_as_those_of_deterministic_tests(run: SuiteRun) -> None:
    given: list[Violation] = []
    run.begin_item("HeartbeatRequest-v0")
    run.judge([DETERMINISTIC])
    result = run.end_item().result()
    first = SuiteRun(run.subject, Selection([], []), [])
    first.remember("HeartbeatRequest-v0", result)
    first.begin_item("HeartbeatRequest-v0")
    first.judge_random([RANDOM], smaller(given))
    assert not given


def test_a_hang_is_not_made_smaller_by_search(run: SuiteRun) -> None:
    """Each attempt would take seconds."""
    given: list[Violation] = []
    run.begin_item("HeartbeatRequest-v0")
    run.judge_random([replace(RANDOM, observation=Answered("timed-out"))], smaller(given))
    assert run.end_item().new
    assert not given


def test_an_error_of_a_harness_is_a_fault_and_no_finding(run: SuiteRun) -> None:
    run.begin_item("test_edge_values")
    run.judge([replace(DETERMINISTIC, observation=Answered("harness-error"))])
    record = run.end_item()
    assert [fault.kind for fault in record.faults] == ["harness-error"]
    assert not record.new


@pytest.mark.parametrize("test", ["test_edge_values", "test_generated_values", "test_framing"])
def test_the_tests_of_a_pair_are_one_unit_of_work(test: str) -> None:
    assert unit_of(f"conformance/suite/{test}.py::{test}[FetchRequest-v4]") == "FetchRequest-v4"


def test_the_workers_of_a_run_wait_for_its_hangs_together() -> None:
    """Two hangs are waited for, and one begun before the second is counted, not two by each worker alone."""
    hangs = "tests.fakes.crashing_codecs:HangsOnNothingAnywhere"
    options = ("-n", "2", "-v", "--time-limit=1", "-k", "test_hostile_input")
    text = kafka_conformance("run", f"--impl={hangs}", *options).ended(1)
    [count] = re.findall(r"timed-out (\d+)", text)
    assert int(count) in {2, 3}
