"""Valid encodings that were tampered with at every place of their structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.hostile_bytes import check_hostile_bytes

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_hostile_input(kafka_run: Run, schema: MessageSchema) -> None:
    """Invalid bytes are rejected, valid ones read; unspecified ones are the profile, and never a crash."""
    kafka_run.judge(check_hostile_bytes(kafka_run.session, schema))
