"""Values that leave fields out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.partial_values import check_partial_values

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_partial_values(kafka_run: Run, schema: MessageSchema) -> None:
    """A tagged or ignorable field that a value lacks is written as its default."""
    kafka_run.judge(check_partial_values(kafka_run.session, schema))
