"""Finds the frames that ended a server, by sending prefixes of the sent frames again, each to a fresh server.

Deaths are late: they may need a timer, a full table, or the third frame of a kind. The last frame before the silence is
therefore only the start of the search. Bisection finds the shortest prefix that ends a fresh server, then its shortest
suffix. Then each frame is left out in turn.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.live.server.black_box import BlackBox
    from conformance.live.server.connection import Connection
    from conformance.live.server.requester import SentFrame
    from conformance.live.server.server import Server

ANSWER_DEADLINE = 0.5
"""Seconds to wait for the reply to one resent frame."""

API = slice(4, 6)
"""The bytes of a frame with its API; frames of the last one's API are tried first, as most deaths need one or a few."""

LEFT_OUT = 12
"""The maximum length of a sequence for leaving out each frame in turn."""


LATER = 5
"""The patience for a death in one search, as a multiple of the latest death so far."""

LEAST_PATIENCE = 0.3


class FreshServers:
    """Sends frames to fresh servers in one search, and returns whether they end them."""

    def __init__(self, black_box: BlackBox) -> None:
        self._black_box = black_box
        self._latest: float | None = None

    def __call__(self, sent: Sequence[SentFrame]) -> bool:
        """Return whether these frames end a fresh server, or raise TimeIsUp if no more may be tried."""
        black_box = self._black_box
        black_box.server.budget.check()
        black_box.restart()
        resend(black_box.server, sent)
        patience, begin = self._patience(), time.monotonic()
        while (waited := time.monotonic() - begin) < patience:
            if not black_box.answers():
                self._latest = max(self._latest or 0.0, waited)
                return True
            time.sleep(patience / 20)
        return False

    def _patience(self) -> float:
        """Wait for a shorter time once the lateness of deaths is known."""
        usual = self._black_box.patience
        return usual if self._latest is None else min(usual, LATER * self._latest + LEAST_PATIENCE)


def shortest_end(sent: Sequence[SentFrame], ends: Callable[[Sequence[SentFrame]], bool]) -> Sequence[SentFrame] | None:
    """Return the shortest part of all frames sent to a server that ends another one, or None if no part does.

    `ends` sends frames to a fresh server, and returns whether that ends, too.
    """
    similar = [each for each in sent if each.data[API] == sent[-1].data[API]]
    found = next((part for part in (sent[-1:], similar, sent) if part and ends(part)), None)
    return None if found is None else _shortened(found, ends)


def _shortened(sent: Sequence[SentFrame], ends: Callable[[Sequence[SentFrame]], bool]) -> Sequence[SentFrame]:
    low, high = 1, len(sent)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if ends(sent[:middle]) else (middle + 1, high)
    prefix, low, high = sent[:high], 0, high - 1
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if ends(prefix[middle:]) else (low, middle - 1)
    return _thinned(prefix[low:], ends)


def _thinned(sent: Sequence[SentFrame], ends: Callable[[Sequence[SentFrame]], bool]) -> Sequence[SentFrame]:
    if len(sent) > LEFT_OUT:
        return sent
    index = 0
    while index < len(sent) and len(sent) > 1:
        fewer = [*sent[:index], *sent[index + 1 :]]
        if ends(fewer):
            sent = fewer
        else:
            index += 1
    return sent


def resend(server: Server, sent: Sequence[SentFrame]) -> None:
    """Send frames again to a server, on the same connections as before. The replies do not matter."""
    number, connection = -1, None
    for each in sent:
        if each.connection != number:
            _close(connection)
            number, connection = each.connection, _connected(server)
        if connection is not None:
            connection.send(each.data)
            connection.receive(ANSWER_DEADLINE)
    _close(connection)


def _connected(server: Server) -> Connection | None:
    try:
        return server.connect()
    except OSError:
        return None


def _close(connection: Connection | None) -> None:
    if connection is not None:
        connection.close()
