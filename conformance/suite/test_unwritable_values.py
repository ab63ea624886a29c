"""Values that no writer may write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.deterministic import check_refusals

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_unwritable_values(kafka_run: Run, schema: MessageSchema) -> None:
    """Null where there may be none, texts that are too long and numbers out of range are refused."""
    kafka_run.judge(check_refusals(kafka_run.implementation, schema, kafka_run.tally))
