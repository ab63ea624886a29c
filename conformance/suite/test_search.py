"""Random search: Hypothesis draws values and bytes, and reduces each new finding to a small case."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from conformance.checks.bases import bases_of
from conformance.checks.hostile_bytes import HostileBytesCase
from conformance.checks.records.generated import generated_records
from conformance.checks.values import generated_value
from conformance.engine.run import run
from conformance.generate.hostile import hostile_bytes
from conformance.generate.values import values

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema

BATCH = 5
"""Inputs in one example of Hypothesis: to start and end an example takes longer than to draw one."""

BATCHES = settings(max_examples=1 + settings().max_examples // BATCH)
"""The first example has the simplest value only, which is tried once; so there is one more."""

FEWER = settings(max_examples=1 + settings().max_examples // (4 * BATCH))
"""A quarter of the number of values: `test_hostile_input` has tried all that the structure gives."""

RECORDS = settings(
    max_examples=1 + settings().max_examples,
    phases=[phase for phase in settings().phases if phase is not Phase.shrink],
)
"""The check makes each value smaller by itself, by its parts; Hypothesis would draw hundreds of others."""


@BATCHES
@given(data=st.data())
def test_generated_values(kafka_run: Run, kafka_item: MessageSchema, data: st.DataObject) -> None:
    """A random value is written canonically and read back as it was."""
    drawn = [data.draw(values(kafka_item)) for _ in range(BATCH)]
    for value in drawn[:1] if all(value == drawn[0] for value in drawn) else drawn:
        kafka_run.judge_random(run(kafka_run.subject.session, [generated_value(kafka_item, value)]))


@BATCHES
@given(data=st.data())
def test_generated_real_records(kafka_run: Run, kafka_item: MessageSchema, data: st.DataObject) -> None:
    """A random value with record batches in it is written canonically and read back as it was."""
    for _ in range(BATCH):
        value = data.draw(values(kafka_item, "real"))
        kafka_run.judge_random(run(kafka_run.subject.session, [generated_value(kafka_item, value)]))


@FEWER
@given(data=st.data())
def test_generated_hostile_input(kafka_run: Run, kafka_item: MessageSchema, data: st.DataObject) -> None:
    """Bytes that nobody thought of are refused if they are invalid, read if they are valid, and never deadly."""
    if not kafka_run.subject.session.implementation.offers("decode", kafka_item):
        return
    mask = bases_of(kafka_run.subject.session, kafka_item).mask
    drawn = dict.fromkeys(data.draw(hostile_bytes(kafka_item, mask)) for _ in range(BATCH))
    cases = [HostileBytesCase(kafka_item, "generated", "", wire, deterministic=False) for wire in drawn]
    kafka_run.judge_random(run(kafka_run.subject.session, cases))


@RECORDS
@given(data=st.data())
def test_generated_records(kafka_run: Run, kafka_item: str, data: st.DataObject) -> None:
    """A random value is written and read back as it was; random bytes are judged one by one."""
    kafka_run.judge_random(generated_records(kafka_run.subject.session, kafka_item, data.draw))
