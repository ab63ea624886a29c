"""Random values of each message: canonical bytes, the same value back, right counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.checks.values import ValueCase
from conformance.generate.values import values

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


BATCH = 5
"""Values in one example of Hypothesis: to start and end an example takes longer than to draw a value."""

BATCHES = settings(max_examples=1 + settings().max_examples // BATCH)
"""The first example has the simplest value only, which is tried once; so there is one more."""


@BATCHES
@given(data=st.data())
def test_generated_values(kafka_run: Run, schema: MessageSchema, data: st.DataObject) -> None:
    """A random value is written canonically and read back as it was."""
    drawn = [data.draw(values(schema)) for _ in range(BATCH)]
    for value in drawn[:1] if all(value == drawn[0] for value in drawn) else drawn:
        case = ValueCase(schema, "generated", "", value, deterministic=False, is_minimal=False)
        kafka_run.tally.case("generated values")
        kafka_run.judge_random(case.run(kafka_run.session))
