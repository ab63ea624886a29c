"""Record batches that were tampered with at every place of their structure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.records.hostile_bytes import check_hostile_records

if TYPE_CHECKING:
    from conformance.suite.run import Run


def test_hostile_records(kafka_run: Run, records_group: str) -> None:
    """Invalid bytes are rejected, valid ones read; unspecified ones are the profile, and never a crash."""
    kafka_run.judge(check_hostile_records(kafka_run.session, records_group))
