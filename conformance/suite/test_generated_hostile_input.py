"""Bytes tampered with by chance, judged one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.checks.hostile_bytes import HostileBytesCase
from conformance.generate.hostile import hostile_bytes

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


FEWER = settings(max_examples=max(1, settings().max_examples // 4))
"""A quarter of the examples that values get: what the structure gives has all been tried by `test_hostile_input`."""


@FEWER
@given(data=st.data())
def test_generated_hostile_input(kafka_run: Run, schema: MessageSchema, data: st.DataObject) -> None:
    """Bytes that nobody thought of are refused if they are invalid, read if they are valid, and never deadly."""
    if not kafka_run.session.implementation.offers("decode", schema):
        return
    case = HostileBytesCase(schema, "generated", "", data.draw(hostile_bytes(schema)), deterministic=False)
    kafka_run.judge_random(case.run(kafka_run.session))
