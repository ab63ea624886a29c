"""Boundary values, one field at a time, always the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.values import check_values

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_edge_values(kafka_run: Run, schema: MessageSchema) -> None:
    """Each boundary value of each field is written canonically and read back as it was."""
    kafka_run.judge(check_values(kafka_run.session, schema))
