"""Checks a server's answers before a client is authenticated, when only a few APIs may be answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.judge.case import Judged, RulesTried
from conformance.judge.events import Expectation, Expected
from conformance.live.server.connection import request
from conformance.live.server.exchanges import ExchangeCase
from conformance.live.server.server import REFUSAL_DEADLINE
from conformance.targets import Blame
from reference import api_schema, minimal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.judge.case import Event
    from conformance.live.server.black_box import BlackBox
    from conformance.live.server.connection import Reply

CATEGORY = "requests before authentication"
RULE = Blame("connection.authentication")
BEFORE = frozenset(("ApiVersions", "SaslHandshake", "SaslAuthenticate"))
CORRELATION_ID = 5
CLOSED = Expectation(Expected.CLOSED_CONNECTION)


def check_authentication(black_box: BlackBox) -> Iterator[Event]:
    """Check that a server with SASL answers no other requests first, in the newest version of each API."""
    server = black_box.server
    if server.authenticate is None:
        return
    # Versions ascend in the pairs, so the dict keeps the newest of each API.
    for api_key, version in dict(black_box.pairs).items():
        release, api = server.definitions.release_of(api_key, version), server.definitions.name(api_key)
        if release is None or api in BEFORE:
            continue
        schema = api_schema(release, "request", api_key, version)
        value = black_box.restricted(api_key, minimal(schema))
        asked = request(release, api_key, version, CORRELATION_ID, value)
        server.budget.check()
        yield Judged(CATEGORY)
        yield RulesTried.of(RULE.rule)
        reply = _first_reply(black_box, asked.wire)
        if reply is not None and reply.is_frame:
            case = ExchangeCase(schema, release, "before authentication", (asked.wire,), is_authenticated=False)
            yield case.unanswered(RULE, reply, CLOSED)


def _first_reply(black_box: BlackBox, wire: bytes) -> Reply | None:
    """Return the reply on a connection without authentication, or None if nobody listens."""
    server = black_box.server
    try:
        with server.open() as connection:
            connection.send(wire)
            return connection.receive(REFUSAL_DEADLINE)
    except OSError:
        return None
