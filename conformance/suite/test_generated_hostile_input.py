"""Bytes tampered with by chance, judged one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.checks.generated import BATCH, check_generated_bytes

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema

FEWER = settings(max_examples=1 + settings().max_examples // (4 * BATCH))
"""A quarter of the number of values: `test_hostile_input` has tried all that the structure gives."""


@FEWER
@given(data=st.data())
def test_generated_hostile_input(kafka_run: Run, schema: MessageSchema, data: st.DataObject) -> None:
    """Bytes that nobody thought of are refused if they are invalid, read if they are valid, and never deadly."""
    kafka_run.judge_random(check_generated_bytes(kafka_run.session, schema, data.draw))
