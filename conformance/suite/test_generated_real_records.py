"""Random values of messages that carry record batches, with real ones in them (`--records real`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from conformance.checks.values import ValueCase
from conformance.generate.values import values
from conformance.suite.test_generated_values import BATCH, BATCHES

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


@BATCHES
@given(data=st.data())
def test_generated_real_records(kafka_run: Run, schema: MessageSchema, data: st.DataObject) -> None:
    """A random value with record batches in it is written canonically and read back as it was."""
    for _ in range(BATCH):
        value = data.draw(values(schema, "real"))
        kafka_run.tally.case("generated values")
        case = ValueCase(schema, "generated", "", value, deterministic=False, is_minimal=False)
        kafka_run.judge_random(case.run(kafka_run.session))
