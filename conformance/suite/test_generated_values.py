"""Random values of each message: canonical bytes, the same value back, right counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from conformance.checks.values import ValueCase
from conformance.generate.values import values

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


@given(data=st.data())
def test_generated_values(kafka_run: Run, schema: MessageSchema, data: st.DataObject) -> None:
    """A random value is written canonically and read back as it was."""
    value = data.draw(values(schema))
    case = ValueCase(schema, "generated", "", value, deterministic=False, is_minimal=False)
    kafka_run.tally.case("generated values")
    kafka_run.judge_random(case.run(kafka_run.session))
