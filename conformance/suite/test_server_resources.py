"""What connections leave behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.live.broker.resources import check_claimed_sizes, check_connections

if TYPE_CHECKING:
    from conformance.suite.run import Run


def test_server_resources(kafka_run: Run, server: str) -> None:
    """Closed connections and announced sizes leave a server as it was."""
    kafka_run.judge_server(lambda black_box: check_connections(black_box, kafka_run.tally), server)
    kafka_run.judge_server(lambda black_box: check_claimed_sizes(black_box, kafka_run.tally), server)
