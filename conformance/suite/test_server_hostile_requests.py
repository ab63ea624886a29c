"""Hostile bodies behind sound headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.live.broker.hostile import check_hostile_bodies

if TYPE_CHECKING:
    from conformance.live.broker.black_box import ServerPair
    from conformance.suite.run import Run


def test_server_hostile_requests(kafka_run: Run, server_pair: ServerPair) -> None:
    """A body that is invalid is refused, and the server serves the next connection."""
    kafka_run.judge_server(
        lambda black_box: check_hostile_bodies(black_box, kafka_run.tally, server_pair.api_key, server_pair.version),
        str(server_pair),
    )
