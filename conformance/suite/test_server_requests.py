"""Sound requests to a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.live.broker.sound import check_sound_requests

if TYPE_CHECKING:
    from conformance.live.broker.black_box import ServerPair
    from conformance.suite.run import Run


def test_server_requests(kafka_run: Run, server_pair: ServerPair) -> None:
    """Every sound request is answered by the canonical response of its version."""
    kafka_run.judge_server(
        lambda black_box: check_sound_requests(black_box, kafka_run.tally, server_pair.api_key, server_pair.version),
        str(server_pair),
    )
