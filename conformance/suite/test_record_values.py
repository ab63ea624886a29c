"""Edge values of record batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.records.unencodable import check_unencodable_records
from conformance.checks.records.values import check_records_values
from conformance.generate.records.edges import GROUPS

if TYPE_CHECKING:
    from conformance.suite.run import Run


def test_record_values(kafka_run: Run, records_group: str) -> None:
    """A value is written canonically and read back as it was; one that cannot be written is refused."""
    kafka_run.judge(check_records_values(kafka_run.session, records_group))
    if records_group == GROUPS[0]:
        kafka_run.judge(check_unencodable_records(kafka_run.session))
