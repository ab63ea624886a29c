"""Which frames ended a server: prefixes of what was said to it are said again, each to a fresh one.

Deaths are late: a timer, a full table, the third frame of its kind. The last frame before a server stopped answering is
therefore only where the search begins: the shortest prefix that ends a fresh server is found by bisection, then its
shortest end, then each frame is left out in turn.
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
"""Seconds to wait for what comes for one frame that is said again."""

API = slice(4, 6)
"""The bytes of a frame that name its API. Frames like the last are tried first: most deaths have one, or a few."""

LEFT_OUT = 12
"""The length of a sequence of which each frame is left out in turn."""


LATER = 5
"""How many times as long as the latest death so far took is waited for one in the same search."""

LEAST_PATIENCE = 0.3


class FreshServers:
    """Says something to a server that is started for it, and sees whether that ends it: one search."""

    def __init__(self, black_box: BlackBox) -> None:
        self._black_box = black_box
        self._latest: float | None = None

    def __call__(self, sent: Sequence[SentFrame]) -> bool:
        """Return whether a fresh server is ended by this.

        Raises:
            TimeIsUp: no more may be tried.
        """
        black_box = self._black_box
        black_box.server.budget.check()
        black_box.restart()
        say_again(black_box.server, sent)
        patience, begin = self._patience(), time.monotonic()
        while (waited := time.monotonic() - begin) < patience:
            if not black_box.answers():
                self._latest = max(self._latest or 0.0, waited)
                return True
            time.sleep(patience / 20)
        return False

    def _patience(self) -> float:
        """Return for how many seconds a death is waited for: less, once it is known how late it comes."""
        usual = self._black_box.patience
        return usual if self._latest is None else min(usual, LATER * self._latest + LEAST_PATIENCE)


def shortest_end(sent: Sequence[SentFrame], ends: Callable[[Sequence[SentFrame]], bool]) -> Sequence[SentFrame] | None:
    """Return the shortest part of what was said that ends a server; None: nothing of it does.

    Args:
        sent: everything that a server was sent before it was lost.
        ends: says it to a fresh server, and returns whether that is lost, too.
    """
    alike = [each for each in sent if each.data[API] == sent[-1].data[API]]
    found = next((part for part in (sent[-1:], alike, sent) if part and ends(part)), None)
    return None if found is None else _shortened(found, ends)


def _shortened(sent: Sequence[SentFrame], ends: Callable[[Sequence[SentFrame]], bool]) -> Sequence[SentFrame]:
    """Return the shortest part of what ends a server."""
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
    """Return what is left if each frame that is not needed is left out."""
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


def say_again(server: Server, sent: Sequence[SentFrame]) -> None:
    """Say something again to a server, each connection as it was; what comes does not matter."""
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
