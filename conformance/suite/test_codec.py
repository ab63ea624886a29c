"""The tests of a codec, one function for each test of the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from conformance.codec.bridge.mapping_check import sure_signs
from conformance.codec.corrections import Fault
from conformance.judge.case import Violation
from conformance.judge.checks.adapter_probe import probe
from conformance.judge.checks.check_list import CHECKS, checks_of
from conformance.judge.engine import run
from conformance.suite.registry import about

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.report.files.found_cases import FoundCase
    from conformance.suite.suite_run import SuiteRun
    from reference import MessageSchema


def test_adapter(kafka_run: SuiteRun, kafka_item: MessageSchema, capfd: pytest.CaptureFixture[str]) -> None:
    """The adapter returns what it should, the same each time, for the right message, and prints nothing."""
    session = kafka_run.subject.session
    seen = list(probe(session, kafka_item, kafka_run.schemas))
    kafka_run.judge(each for each in seen if isinstance(each, Violation))
    faults = [each for each in seen if isinstance(each, Fault)]
    if kafka_item == kafka_run.probed[0]:
        faults += sure_signs(session, kafka_run.probed)
    printed = capfd.readouterr().out.strip()
    if printed:
        text = f"it prints to standard output ({printed.splitlines()[0]!r:.80}), which the bridge needs for itself"
        faults.append(Fault("prints", f"{text}; print to standard error"))
    kafka_run.record.faults += faults


@pytest.mark.found_case
def test_found_cases(kafka_run: SuiteRun, kafka_item: FoundCase[Any]) -> None:
    """A case that broke a rule once breaks none any more."""
    kafka_run.judge(kafka_run.subject.again(kafka_item))


def _test(name: str) -> Callable[[SuiteRun, Any], None]:
    def function(kafka_run: SuiteRun, kafka_item: Any) -> None:
        for check in checks_of(name):
            kafka_run.judge(run(kafka_run.subject.session, check.cases(kafka_run.subject.session, kafka_item)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = about(name)
    return function


globals().update({name: _test(name) for name in dict.fromkeys(check.test for check in CHECKS)})
