"""Bytes that every reader must reject, and bytes after a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.invalid_bytes import check_invalid_bytes
from conformance.checks.state_leaks import check_leaks_of_reading

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_invalid_input(kafka_run: Run, schema: MessageSchema) -> None:
    """Truncated input and forbidden nulls are rejected; bytes after a message are not counted."""
    kafka_run.judge(check_invalid_bytes(kafka_run.session, schema))
    kafka_run.judge(check_leaks_of_reading(kafka_run.session, schema))
