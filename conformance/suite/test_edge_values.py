"""The values at which codecs have been wrong, one at a time, always the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.checks.deterministic import check_edges

if TYPE_CHECKING:
    from conformance.suite.run import Run
    from reference import MessageSchema


def test_edge_values(kafka_run: Run, schema: MessageSchema) -> None:
    """Each edge of each field is written canonically and read back as it was."""
    kafka_run.judge(check_edges(kafka_run.implementation, schema, kafka_run.tally))
