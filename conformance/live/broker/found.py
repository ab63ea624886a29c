"""Cases that earlier runs found in a server: their frames once more, judged by request and answer alone.

What a run may not send by itself is not sent for a found case either. Memory and descriptors are not looked at: every
run that may do so measures them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from conformance.findings.violations import Violation
from conformance.implementation.outcome import Kind, Outcome
from conformance.live.broker.again import cut, say_pieces
from conformance.live.broker.announcement import TOO_NEW
from conformance.live.broker.cases import OUTCOMES
from conformance.live.broker.sound import check_survived
from conformance.live.broker.tiers import Form, Tier
from conformance.live.judging.frame import judge_request
from reference import minimal
from reference.headers import API_VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.implementation.tally import Tally
    from conformance.live.broker.again import Exchange
    from conformance.live.broker.black_box import BlackBox
    from conformance.live.broker.cases import ExchangeCase
    from conformance.live.broker.server import Server
    from conformance.live.judging.frame import Departure

SORT = "found cases"
NOT_PERMITTED = "skipped: a found case that this tier does not send"


def check_found_exchange(black_box: BlackBox, tally: Tally, case: ExchangeCase) -> Iterator[Violation]:
    """Send the frames of a found case again, if the run may, and check the answers and that the server lives on."""
    if not is_permitted(black_box, case):
        tally.count("frame", case.schema.message, Outcome(Kind.NOT_RUN, text=NOT_PERMITTED))
        return
    tally.case(SORT)
    try:
        found = _said(black_box, case, black_box.server)
        if any(black_box.is_doubtful(exchange.reply, violation) for exchange, violation in found):
            found = _said(black_box, case, replace(black_box.server, deadline=black_box.longer))
    except OSError:
        found = []
    yield from (violation for _, violation in found)
    yield from check_survived(black_box, case)


def is_permitted(black_box: BlackBox, case: ExchangeCase) -> bool:
    """Return whether a run would send such frames by itself: anything, or sound requests of its tier."""
    if black_box.permission.tier is Tier.THROW_AWAY:
        return True
    for pieces in case.by_connection:
        payloads, rest = cut(b"".join(pieces))
        if rest or not all(_is_harmless(black_box, payload) for payload in payloads):
            return False
    return True


def _is_harmless(black_box: BlackBox, payload: bytes) -> bool:
    definitions = black_box.server.definitions
    asked = judge_request(definitions, payload)
    if asked.api_key == API_VERSIONS and asked.unknown:
        return True
    form, schema = black_box.permission.form(definitions.name(asked.api_key)), asked.schema
    if asked.value is None or asked.departures or schema is None or form is Form.NONE:
        return False
    tame = asked.value if form is Form.ANY else minimal(schema)
    return black_box.tamed(asked.api_key, tame) == asked.value


def _said(black_box: BlackBox, case: ExchangeCase, server: Server) -> list[tuple[Exchange, Violation]]:
    """Return what is wrong with the answers to the frames of a case.

    Raises:
        OSError: nobody listens.
        TimeIsUp: nothing more may be sent.
    """
    found = []
    for _ in range(case.times):
        for pieces in case.by_connection:
            black_box.server.budget.check()
            for exchange in say_pieces(server, pieces, is_authenticated=case.is_authenticated):
                found += [(exchange, _violation(case, exchange, departure)) for departure in exchange.departures]
    return found


def _violation(case: ExchangeCase, exchange: Exchange, departure: Departure) -> Violation:
    """Return a departure as the checks tell it: an answer to what must be refused is a value, others are bytes."""
    reply = exchange.reply
    is_taken = departure.actual == str(reply) and departure.rule != TOO_NEW.rule
    kind = OUTCOMES[reply.end] if is_taken or not reply.is_frame else Kind.BYTES
    parts = departure.rule, departure.path, str(kind), "frame", departure.expected, departure.actual
    return Violation(*parts, case.answered(reply))
