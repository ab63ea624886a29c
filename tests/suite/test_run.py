import re
from dataclasses import replace

import pytest

from conformance.bridge.loading import load_adapter
from conformance.findings.events import Answered
from conformance.implementation.driver import Implementation
from conformance.implementation.selection import Selection
from conformance.implementation.session import Session
from conformance.suite.hooks import unit_of
from conformance.suite.run import SHRUNK_PER_FINDING, FoundViolation, Run
from conformance.suite.subjects import CodecSubject
from reference import load_release, newest_release
from tests.helpers.cases import violation
from tests.helpers.runs import kafka_conformance

RANDOM = violation("null.not-written", "HeartbeatRequest", 0, deterministic=False)
DETERMINISTIC = violation("null.not-written", "HeartbeatRequest", 0, deterministic=True)


@pytest.fixture
def run() -> Run:
    release = load_release(newest_release())
    implementation = Implementation(load_adapter("conformance.adapters.reference", release))
    return Run(CodecSubject(Session(implementation, release)), Selection([], []), [])


def test_a_new_random_finding_is_raised(run: Run) -> None:
    run.begin_item("test_generated_values")
    with pytest.raises(FoundViolation):
        run.judge_random([RANDOM])


def test_a_random_finding_is_raised_in_few_items(run: Run) -> None:
    for _ in range(SHRUNK_PER_FINDING):
        run.begin_item("test_generated_values")
        with pytest.raises(FoundViolation):
            run.judge_random([RANDOM])
        run.end_item()
    run.begin_item("test_generated_values")
    run.judge_random([RANDOM])
    assert RANDOM.key in run.end_item().new


def test_a_random_finding_is_not_raised_after_a_deterministic_case_of_it(run: Run) -> None:
    run.begin_item("test_edge_values")
    run.judge([DETERMINISTIC])
    run.end_item()
    run.begin_item("test_generated_values")
    run.judge_random([RANDOM])
    assert RANDOM.key in run.end_item().new


def test_a_hang_is_not_made_smaller_by_search(run: Run) -> None:
    """Each attempt would take seconds."""
    run.begin_item("test_generated_hostile_input")
    run.judge_random([replace(RANDOM, observation=Answered("timed-out"))])
    assert run.end_item().new


def test_an_error_of_a_harness_is_a_fault_and_no_finding(run: Run) -> None:
    run.begin_item("test_edge_values")
    run.judge([replace(DETERMINISTIC, observation=Answered("harness-error"))])
    record = run.end_item()
    assert [fault.kind for fault in record.faults] == ["harness-error"]
    assert not record.new


@pytest.mark.parametrize("test", ["test_edge_values", "test_generated_values", "test_framing"])
def test_the_tests_of_a_pair_are_one_unit_of_work(test: str) -> None:
    assert unit_of(f"conformance/suite/{test}.py::{test}[FetchRequest-v4]") == "FetchRequest-v4"


def test_the_workers_of_a_run_wait_for_its_hangs_together() -> None:
    """For two, and one more that may have begun when the second is counted; each of them alone would wait for two."""
    hangs = "tests.fakes.crashing_codecs:HangsOnNothingAnywhere"
    options = ("-n", "2", "--time-limit=1", "-k", "test_hostile_input")
    text = kafka_conformance("run", f"--impl={hangs}", *options).ended(1)
    [count] = re.findall(r"(\d+) timed-out", text)
    assert int(count) in {2, 3}
