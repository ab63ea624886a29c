"""The messages that a harness cannot be asked about, because it ends each time before there is a single answer."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from conformance.codec.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from conformance.codec.bridge.transport import Reply

ENDINGS_OF_A_MESSAGE = 5
"""How often a harness may end in one operation on one message, all versions together, without one answer."""

_WHAT = ("op", "message", "direction", "apiKey", "source", "name")


class Endings:
    """How often each operation on each message has ended a child; one that was ever answered is never stopped."""

    def __init__(self) -> None:
        self._answered: set[Hashable] = set()
        self._counts: Counter[Hashable] = Counter()

    def known(self, request: Mapping[str, Any]) -> Reply | None:
        """Return the reply to a request that is not sent any more; None if it is."""
        if not self._counts:
            return None
        key = _key(request)
        count = self._counts[key]
        if count < ENDINGS_OF_A_MESSAGE or key in self._answered:
            return None
        words = " ".join(str(word) for word in key if word is not None)
        return {"outcome": Kind.NOT_RUN, "text": f"skipped: {words} ended the harness {count} times, without an answer"}

    def answered(self, requests: Iterable[Mapping[str, Any]]) -> None:
        """Count requests that were answered."""
        self._answered.update(map(_key, requests))

    def ended(self, request: Mapping[str, Any]) -> None:
        """Count a request on which the child process ended."""
        self._counts[_key(request)] += 1


def _key(request: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(map(request.get, _WHAT))
