"""Random record batches: sound values, and bytes that were corrupted by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from conformance.checks.records.generated import check_generated_records

if TYPE_CHECKING:
    from conformance.suite.run import Run

EXAMPLES = settings(
    max_examples=1 + settings().max_examples,
    phases=[phase for phase in settings().phases if phase is not Phase.shrink],
)
"""The check makes each value smaller by itself, by its parts; Hypothesis would draw hundreds of others."""


@EXAMPLES
@given(data=st.data())
def test_generated_records(kafka_run: Run, records_group: str, data: st.DataObject) -> None:
    """A random value is written and read back as it was; random bytes are judged one by one."""
    kafka_run.judge_random(check_generated_records(kafka_run.session, records_group, data.draw))
