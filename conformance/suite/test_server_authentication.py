"""What a server answers before authentication."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.live.broker.authentication import check_authentication

if TYPE_CHECKING:
    from conformance.suite.run import Run


def test_server_authentication(kafka_run: Run, server: str) -> None:
    """Before authentication a server answers what must be answered, and nothing else."""
    kafka_run.judge_server(lambda black_box: check_authentication(black_box, kafka_run.tally), server)
