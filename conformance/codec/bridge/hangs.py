"""The time that one run spends on inputs that hang an implementation.

The first hangs of a run are waited for with the whole deadline. After that an input gets a fraction of it, and one that
does not answer is `not-run`: so short a silence may be load on the machine. A kind of input that has hung twice is not
tried again in the run, nor are the same bytes. After many hangs the fraction is smaller still. Once a process has
waited too long in all, a hang ends its call.

`Endings` are the messages that a harness cannot be asked about, because it ends each time before there is an answer.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.codec.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from conformance.codec.bridge.transport import Reply

HANGS_OF_A_RUN = 2
"""Hangs that are waited for with the whole deadline."""

HANGS_OF_A_KIND = 2

ONLY_HANGS = "of hangs: "
"""What a kind of input begins with that is one for hangs, and not for what ends the child in another way."""

SECONDS_OF_A_RUN = 10.0
"""Seconds of waiting, after which a call is ended by its first hang."""

PATIENCE = 6
"""The fraction of the deadline that inputs in flight together get before they are asked one by one."""

HURRY = 12
"""The fraction of the deadline that an input gets after the first hangs."""

MANY_HANGS = 8
HURRY_AFTER_MANY = 24
"""The same after many hangs in the run."""


class HangBudget:
    """The hangs of one child process over its restarts.

    Args:
        deadline: seconds for one request.
        counts: of the hangs of the run, if it has more processes than this one.
    """

    def __init__(self, deadline: float, counts: HangCounts | None = None) -> None:
        self._deadline = deadline
        self._counts = counts or HangCounts()
        self._known: dict[str, Reply] = {}
        self.waited = 0.0
        """Seconds that inputs without an answer have taken."""

    @property
    def patience(self) -> float:
        """Seconds of silence after which inputs in flight are asked one by one."""
        return min(self._deadline / PATIENCE, self.deadline)

    @property
    def is_hurried(self) -> bool:
        """Whether an input gets a part of the deadline only."""
        return self._counts.kinds.total() >= HANGS_OF_A_RUN

    @property
    def deadline(self) -> float:
        """Seconds for an input that is asked alone."""
        if not self.is_hurried:
            return self._deadline
        return self._deadline / (HURRY if self._counts.kinds.total() < MANY_HANGS else HURRY_AFTER_MANY)

    @property
    def is_spent(self) -> bool:
        """Whether the run has waited too long."""
        return self.waited >= max(SECONDS_OF_A_RUN, HANGS_OF_A_RUN * self._deadline)

    def refresh(self) -> None:
        """Take in what other processes of the run have counted; all else goes by what was known then."""
        self._counts.refresh()

    def known(self, request: Any, kind: str) -> Reply | None:
        """Return the reply to a request that need not be sent: it has hung before, or its kind has twice."""
        if kind and self._counts.kinds.get(kind, 0) >= HANGS_OF_A_KIND:
            return _not_run(f"{HANGS_OF_A_KIND} inputs of its kind hung before it")
        return self._known.get(repr(request)) if self._known else None

    def record(self, request: Any, kind: str, reply: Reply, *, asked_twice: bool = True) -> Reply:
        """Count a request without an answer, and return the reply to it: `not-run` if it got less than the deadline."""
        if self.is_hurried:
            reply = _not_run(f"no answer within {self.deadline:g} seconds, after {HANGS_OF_A_RUN} hangs in this run")
        self.waited += self.patience + (self.deadline if asked_twice else 0.0)
        self._counts.add(kind)
        self._counts.refresh()
        self._known[repr(request)] = reply
        return reply


def _not_run(text: str) -> Reply:
    return {"outcome": Kind.NOT_RUN, "text": f"skipped: {text}"}


class HangCounts:
    """The hangs of one process, or of all processes that share a file, as the workers of pytest-xdist do.

    Args:
        file: a line for each hang, its kind as JSON; empty: the hangs are not shared. It need not exist.
    """

    def __init__(self, file: str = "") -> None:
        self._file = file
        self._size = 0
        self.kinds: Counter[str] = Counter()
        """By kind, as of the last `refresh` and `add`."""

    def refresh(self) -> None:
        """Take in what other processes have counted."""
        if not self._file:
            return
        with suppress(FileNotFoundError):  # nothing has hung so far
            if os.stat(self._file).st_size != self._size:  # noqa: PTH116  # for each call: half as long as by a Path
                self._read(self._file)

    def _read(self, file: str) -> None:
        content = Path(file).read_bytes()
        self._size = len(content)
        self.kinds = Counter(json.loads(line) for line in content.splitlines())

    def add(self, kind: str) -> None:
        """Count one hang."""
        self.kinds[kind] += 1
        if self._file:
            with Path(self._file).open("ab", buffering=0) as file:
                file.write(json.dumps(kind).encode() + b"\n")  # one call of the system, so that lines are whole


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
