"""Bytes that were tampered with at every place of structure, judged one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.hostile import check_hostile

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_hostile_input(kafka_run: Run, schema: MessageSchema) -> None:
    """Invalid bytes are refused, valid ones read; what the protocol leaves open is a profile, and never a crash."""
    kafka_run.judge(check_hostile(kafka_run.implementation, kafka_run.decoder, schema, kafka_run.tally))
