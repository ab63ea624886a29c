"""Owners of the code that takes the processor time of a run."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.suite.costs import ADAPTER, FRAMEWORKS, IMPLEMENTATION, ORACLE, PROGRAMS, SUITE, Costs, owner_of
from tests.helpers.runs import suite_on

STACKS = {
    "a codec that the adapter calls": (
        ("kafka.protocol.types", "my_adapter", "conformance.judge.engine"),
        IMPLEMENTATION,
    ),
    "what the codec calls of Python": (("struct", "kafka.codec", "my_adapter.mapping"), IMPLEMENTATION),
    "the adapter": (("my_adapter", "conformance.codec.driver"), ADAPTER),
    "what the adapter calls of Python": (("uuid", "my_adapter", "conformance.judge.engine"), ADAPTER),
    "an adapter of the suite": (("conformance.adapters._mapping", "conformance.judge.engine"), ADAPTER),
    "a library that the oracle uses": (
        ("construct.core", "reference.wire.base", "conformance.judge.checks.value_cases"),
        ORACLE,
    ),
    "the suite": (("json.encoder", "conformance.judge.forms", "_pytest.runner"), SUITE),
    "Hypothesis": (("hypothesis.core", "conformance.suite.test_search"), FRAMEWORKS),
    "what none of them has called": (("threading",), SUITE),
}


@pytest.mark.parametrize(("modules", "owner"), STACKS.values(), ids=STACKS)
def test_innermost_frame_with_an_owner_decides(modules: tuple[str, ...], owner: str) -> None:
    assert owner_of(iter(modules), "my_adapter") == owner


def test_a_run_shows_its_costs_with_those_of_its_workers() -> None:
    text = suite_on("LittleEndian", "--costs", "-n2", isolation="auto").text
    assert "CPU seconds: " in text
    assert f"{PROGRAMS} " in text


def test_an_owner_without_a_sample_is_not_shown(snapshot: SnapshotAssertion) -> None:
    """The implementation of a harness is a child process, and a figure of 0.0 for it would be wrong."""
    costs = Costs("", is_worker=False)
    costs.seconds.update({ORACLE: 1, PROGRAMS: 3})
    assert costs.text() == snapshot
