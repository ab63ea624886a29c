"""The tests of a server behind a port, one function for each test of the registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from conformance.live.server.announcement import check_announcement
from conformance.live.server.authentication import check_authentication
from conformance.live.server.hostile_requests import check_broken_frames, check_hostile_bodies
from conformance.live.server.pipelining import check_pipelining
from conformance.live.server.produced import check_produced_streams
from conformance.live.server.resources import check_claimed_sizes, check_connections
from conformance.live.server.server_limits import check_limits
from conformance.live.server.sound_requests import check_sound_requests
from conformance.suite.registry import about
from conformance.suite.subjects import asked

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.report.files.found_cases import FoundCase
    from conformance.suite.suite_run import SuiteRun

OF_SERVERS = {
    "test_server_announcement": (check_announcement,),
    "test_server_authentication": (check_authentication,),
    "test_server_broken_frames": (check_broken_frames,),
    "test_server_limits": (check_limits,),
    "test_server_pipelining": (check_pipelining,),
    "test_server_produced_streams": (check_produced_streams,),
    "test_server_resources": (check_connections, check_claimed_sizes),
}
"""The checks of a server as a whole."""

OF_PAIRS = {"test_server_hostile_requests": check_hostile_bodies, "test_server_requests": check_sound_requests}
"""The checks of a version of an API."""


@pytest.mark.found_case
def test_server_found_cases(kafka_run: SuiteRun, kafka_item: FoundCase[Any]) -> None:
    """Frames that broke a rule once break none any more."""
    with kafka_run.subject.server.turn(alone=True):
        kafka_run.judge(kafka_run.subject.again(kafka_item))


def _test(name: str) -> Callable[[SuiteRun, Any], None]:
    def function(kafka_run: SuiteRun, kafka_item: Any) -> None:
        server = kafka_run.subject.server
        for check in OF_SERVERS.get(name, ()):
            with server.turn(alone=True):
                kafka_run.judge(asked(server, check(server), str(kafka_item)))
        if name in OF_PAIRS:
            events = OF_PAIRS[name](server, kafka_item.api_key, kafka_item.version)
            kafka_run.judge(asked(server, events, str(kafka_item)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = about(name)
    return function


globals().update({name: _test(name) for name in (*OF_SERVERS, *OF_PAIRS)})
