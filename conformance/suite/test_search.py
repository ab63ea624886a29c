"""Random search with values and bytes drawn by Hypothesis.

The suite itself makes a smaller case of a new finding. Hypothesis would try hundreds of other draws for that, and look
for the rule of each. Several inputs make one example, as starting and ending an example takes longer than drawing an
input.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from conformance.generate.drawn_values import many_values
from conformance.generate.hostile_bodies import many_hostile_bytes
from conformance.judge.bases import bases_of
from conformance.judge.checks.body_bytes import hostile_case
from conformance.judge.checks.generated_records import generated_records
from conformance.judge.checks.smaller_bytes import smaller_bytes
from conformance.judge.checks.value_cases import generated_value
from conformance.judge.engine import run
from conformance.targets import Body

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.suite.suite_run import SuiteRun
    from reference import MessageSchema

    Draw = Callable[[st.SearchStrategy[Any]], Any]
    Check = Callable[[SuiteRun, Any, int, Draw], None]

BATCH = 25
"""The maximum of inputs in one example of Hypothesis."""

SEED = 482
"""The seed of repeatable runs; Hypothesis takes one from the source text of a test, which changes by a new name."""

HOSTILE_ONE_IN = 4
"""The number of values for one hostile input, as `test_hostile_input` has tried all structured ones."""


@pytest.mark.hypothesis
def test_generated_values(kafka_run: SuiteRun, kafka_item: MessageSchema) -> None:
    """A random value is written canonically and read back as it was."""
    _search(_values, kafka_run, kafka_item)


@pytest.mark.hypothesis
def test_generated_real_records(kafka_run: SuiteRun, kafka_item: MessageSchema) -> None:
    """A random value with record batches in it is written canonically and read back as it was."""
    _search(_real_records, kafka_run, kafka_item)


@pytest.mark.hypothesis
def test_generated_hostile_input(kafka_run: SuiteRun, kafka_item: MessageSchema) -> None:
    """Random bytes are refused if they are invalid, read if they are valid, and never deadly."""
    if kafka_run.subject.session.offers(Body(kafka_item), "decode"):
        _search(_hostile, kafka_run, kafka_item, HOSTILE_ONE_IN)


@pytest.mark.hypothesis
def test_generated_records(kafka_run: SuiteRun, kafka_item: str) -> None:
    """A random value is written and read back as it was, and random bytes are judged one by one."""
    _search(_records, kafka_run, kafka_item)


def _search(check: Check, kafka_run: SuiteRun, item: Any, one_in: int = 1) -> None:
    count = settings().max_examples // one_in
    batch = min(count, BATCH)
    _drawing(check, 1 + count // batch, SEED if settings().derandomize else None)(kafka_run, item, batch)


@cache
def _drawing(check: Check, examples: int, from_seed: int | None) -> Callable[[SuiteRun, Any, int], None]:
    # The first example has the simplest input alone.
    @seed(from_seed)
    @settings(max_examples=examples)
    @given(data=st.data())
    def draw(run: SuiteRun, item: Any, batch: int, data: st.DataObject) -> None:
        check(run, item, batch, data.draw)

    return draw


def _values(kafka_run: SuiteRun, schema: MessageSchema, batch: int, draw: Draw, records: Any = "opaque") -> None:
    drawn = draw(many_values(schema, batch, records))
    tried = drawn[:1] if all(value == drawn[0] for value in drawn) else drawn
    kafka_run.judge_random(run(kafka_run.subject.session, (generated_value(schema, value) for value in tried)))


def _real_records(kafka_run: SuiteRun, schema: MessageSchema, batch: int, draw: Draw) -> None:
    _values(kafka_run, schema, batch, draw, "real")


def _hostile(kafka_run: SuiteRun, schema: MessageSchema, batch: int, draw: Draw) -> None:
    session = kafka_run.subject.session
    mask = bases_of(session, Body(schema)).mask
    drawn = dict.fromkeys(draw(many_hostile_bytes(schema, batch, mask)))
    cases = [hostile_case(schema, "generated", wire, deterministic=False) for wire in drawn]
    kafka_run.judge_random(run(session, cases), lambda violation: smaller_bytes(session, violation))


def _records(kafka_run: SuiteRun, group: str, batch: int, draw: Draw) -> None:
    for _ in range(batch):
        kafka_run.judge_random(generated_records(kafka_run.subject.session, group, draw))
