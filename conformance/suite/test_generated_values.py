"""Random values of each message: canonical bytes, the same value back, right counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.checks.generated import BATCH, check_generated_values

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema

BATCHES = settings(max_examples=1 + settings().max_examples // BATCH)
"""The first example has the simplest value only, which is tried once; so there is one more."""


@BATCHES
@given(data=st.data())
def test_generated_values(kafka_run: Run, schema: MessageSchema, data: st.DataObject) -> None:
    """A random value is written canonically and read back as it was."""
    kafka_run.judge_random(check_generated_values(kafka_run.session, schema, data.draw))
