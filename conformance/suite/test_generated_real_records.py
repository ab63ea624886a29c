"""Random values of messages that carry record batches, with real ones in them (`--records real`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from conformance.checks.generated import check_generated_values
from conformance.suite.test_generated_values import BATCHES

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


@BATCHES
@given(data=st.data())
def test_generated_real_records(kafka_run: Run, schema: MessageSchema, data: st.DataObject) -> None:
    """A random value with record batches in it is written canonically and read back as it was."""
    kafka_run.judge_random(check_generated_values(kafka_run.session, schema, data.draw, "real"))
