"""Bytes tampered with by chance, judged one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.checks.bases import bases_of
from conformance.checks.hostile_bytes import HostileBytesCase, check_hostile_cases
from conformance.generate.hostile import hostile_bytes

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


BATCH = 5
"""Inputs in one example of Hypothesis, sent to the child process together."""

FEWER = settings(max_examples=1 + settings().max_examples // (4 * BATCH))
"""A quarter of the number of values: `test_hostile_input` has tried all that the structure gives."""


@FEWER
@given(data=st.data())
def test_generated_hostile_input(kafka_run: Run, schema: MessageSchema, data: st.DataObject) -> None:
    """Bytes that nobody thought of are refused if they are invalid, read if they are valid, and never deadly."""
    if not kafka_run.session.implementation.offers("decode", schema):
        return
    mask = bases_of(kafka_run.session, schema).mask
    drawn = dict.fromkeys(data.draw(hostile_bytes(schema, mask)) for _ in range(BATCH))
    cases = [HostileBytesCase(schema, "generated", "", wire, deterministic=False) for wire in drawn]
    kafka_run.judge_random(check_hostile_cases(kafka_run.session, schema, cases))
