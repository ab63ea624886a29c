"""Values that no writer may write, and values that it may refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.state_leaks import check_leaks_of_writing
from conformance.checks.unencodable_values import check_unencodable_values
from conformance.checks.unspecified_values import check_unspecified_values

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_unencodable_values(kafka_run: Run, schema: MessageSchema) -> None:
    """Forbidden nulls, texts too long and numbers out of range are refused; nothing is left behind by a refusal."""
    kafka_run.judge(check_leaks_of_writing(kafka_run.session, schema))
    kafka_run.judge(check_unencodable_values(kafka_run.session, schema))
    kafka_run.judge(check_unspecified_values(kafka_run.session, schema))
