"""The time that one run spends on inputs that hang an implementation.

The first hangs of a run are asked alone with `SURE` times the deadline before they count, once for each kind of input.
Later inputs get the deadline if their kind has not hung, or else a part of it; a third once the run has waited for
long. The longest answers so far fit in each part several times. An input without an answer is then `not-run`, not
`timed-out`. After two hangs of a kind, and on the bytes of each hang, nothing more is asked.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.system.time_limits import BEFORE_FIRST_LOOK
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from conformance.codec.bridge.transport import Reply

SURE = 4
"""The factor on the deadline for an input before its hang counts."""

HANGS_OF_A_RUN = 2
"""The number of hangs that are made sure of."""

HANGS_OF_A_KIND = 2

ONLY_HANGS = "of hangs: "
"""The prefix of a kind of input that counts hangs, and not other endings of the child."""

SECONDS_OF_A_RUN = 10.0
"""Seconds of waiting beyond the sure hangs, after which a hang ends its call."""

SECONDS_OF_NEW_KINDS = 5.0
"""Seconds of waiting beyond the sure hangs, after which kinds without a hang get a part of the deadline, too."""

NEW_KIND = 3
"""The part of the deadline for kinds without a hang then."""

PATIENCE = 6
"""The part of the deadline for all inputs in flight together; then they are asked one by one."""

HURRY = 24
"""The part of the deadline for an input after too many hangs."""

SEVERAL = 8
"""The number of times that the longest answer fits in every limit."""


class HangBudget:
    """The hangs of one child process over its restarts.

    Args:
        deadline: seconds for one request.
        counts: the hangs of the run, if it has more processes than this one.
        sure: the kinds of input of which a hang has been made sure of, in this run or one before it.
    """

    def __init__(self, deadline: float, counts: HangCounts | None = None, sure: set[str] | None = None) -> None:
        self._deadline = deadline
        self._counts = counts or HangCounts()
        self._sure = set() if sure is None else sure
        self._surely_waited = 0.0
        self._known: dict[str, Reply] = {}
        self.longest = 0.0
        """Seconds of the longest silence before an answer, or 0 if each was shorter than `BEFORE_FIRST_LOOK`."""
        self.waited = 0.0
        """The sum of the limits of inputs without an answer: seconds that do not depend on the load."""

    @property
    def patience(self) -> float:
        """Seconds of silence until inputs in flight are asked one by one."""
        return self._part(HURRY if self.is_hurried else PATIENCE)

    @property
    def is_hurried(self) -> bool:
        """Whether no further hang is made sure of."""
        return self._counts.kinds.total() >= HANGS_OF_A_RUN

    def deadline(self, kind: str) -> float:
        """Return the seconds for an input of a kind that is asked alone."""
        if not self.is_hurried:
            return self._deadline if kind in self._sure else SURE * self._deadline
        if self._counts.kinds[kind] or self.is_spent:
            return self.patience
        return self._deadline if self._beyond_sure_hangs < SECONDS_OF_NEW_KINDS else self._part(NEW_KIND)

    def _part(self, part: float) -> float:
        return min(self._deadline, max(self._deadline / part, SEVERAL * self.longest, BEFORE_FIRST_LOOK))

    @property
    def is_spent(self) -> bool:
        """Whether the run has waited too long."""
        return self._beyond_sure_hangs >= SECONDS_OF_A_RUN

    @property
    def _beyond_sure_hangs(self) -> float:
        return self.waited - self._surely_waited

    def renewed(self, counts: HangCounts) -> HangBudget:
        """Return the budget of a further run of the same process."""
        return HangBudget(self._deadline, counts, self._sure)

    def refresh(self) -> None:
        """Read the hangs counted by other processes of the run. All decisions go by the counts of the last refresh."""
        self._counts.refresh()

    def known(self, request: Any, kind: str) -> Reply | None:
        """Return the reply to a request after a hang on its bytes, or two of its kind, or None if it must be sent."""
        if kind and self._counts.kinds.get(kind, 0) >= HANGS_OF_A_KIND:
            return _not_run(f"{HANGS_OF_A_KIND} inputs of its kind hung before it")
        return self._known.get(repr(request)) if self._known else None

    def record(self, request: Any, kind: str, reply: Reply) -> Reply:
        """Count a request without an answer, and return its reply, `not-run` if no more hangs are made sure of."""
        if self.is_hurried:
            reply = _not_run(f"no answer in time, after {HANGS_OF_A_RUN} hangs in this run")
        elif kind not in self._sure:
            self._sure.add(kind)
            self._surely_waited += SURE * self._deadline
        self._counts.add(kind)
        self._counts.refresh()
        self._known[repr(request)] = reply
        return reply


def _not_run(text: str) -> Reply:
    return {"outcome": Kind.NOT_RUN, "text": f"skipped: {text}"}


class HangCounts:
    """The hangs of one process, or of all processes with a shared file, as the workers of pytest-xdist.

    The file, if any, has the kind of each hang as JSON, one a line. It need not exist.
    """

    def __init__(self, file: str = "") -> None:
        self._file = file
        self._size = 0
        self.kinds: Counter[str] = Counter()
        """By kind, as of the last `refresh` and `add`."""

    def refresh(self) -> None:
        """Read the hangs counted by other processes."""
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
"""The number of endings in one operation on one message, all versions together, after which it is skipped."""

_WHAT = ("op", "message", "direction", "apiKey", "source", "name")


class Endings:
    """The number of endings of a child by operation and message, which is never skipped after any answer."""

    def __init__(self) -> None:
        self._answered: set[Hashable] = set()
        self._counts: Counter[Hashable] = Counter()

    def known(self, request: Mapping[str, Any]) -> Reply | None:
        """Return the reply to a skipped request, or None if it must be sent."""
        if not self._counts:
            return None
        key = _key(request)
        count = self._counts[key]
        if count < ENDINGS_OF_A_MESSAGE or key in self._answered:
            return None
        words = " ".join(str(word) for word in key if word is not None)
        return {"outcome": Kind.NOT_RUN, "text": f"skipped: {words} ended the harness {count} times, without an answer"}

    def answered(self, requests: Iterable[Mapping[str, Any]]) -> None:
        """Count answered requests."""
        self._answered.update(map(_key, requests))

    def ended(self, request: Mapping[str, Any]) -> None:
        """Count a request on which the child process ended."""
        self._counts[_key(request)] += 1


def _key(request: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(map(request.get, _WHAT))
