"""Bytes that no reader may accept, and bytes that are none of its business."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.deterministic import check_broken_input

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_broken_input(kafka_run: Run, schema: MessageSchema) -> None:
    """Input cut at any byte, and null where there may be none, are refused; what follows a message is not counted."""
    kafka_run.judge(check_broken_input(kafka_run.implementation, kafka_run.decoder, schema, kafka_run.tally))
