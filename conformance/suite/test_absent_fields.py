"""Fields that only other versions have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.absent_fields import check_absent_fields

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_absent_fields(kafka_run: Run, schema: MessageSchema) -> None:
    """An ignorable field is dropped, a field at its default is not missed, any other field is a reason to refuse."""
    kafka_run.judge(check_absent_fields(kafka_run.session, schema))
