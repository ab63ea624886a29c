"""The client of a child process, with exactly one reply for each request.

The child starts when it is first needed, and again after each failure: it died, exceeded the deadline, or wrote
something other than a reply. The client concludes the reply to the culprit, the request on which the child failed:
`crashed`, `timed-out` or `protocol-error`. Requests in flight get a part of the deadline. The client then repeats
each alone in a new child, with more than the deadline, before a timeout counts. If the machine has ended the child, or
gave it no processor, the outcome is `not-run`.

Budgets keep a codec that often crashes or hangs from costing hours of new children: of crashes for each `ask_many`, of
hangs (`hangs.py`) and of failures in a row for the life of a client. Skipped requests have the outcome `not-run`.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.codec.bridge.hangs import HURRY, ONLY_HANGS, HangBudget
from conformance.codec.bridge.harness_errors import (
    HarnessError,
    HarnessExhaustedError,
    HarnessFailedError,
    HarnessLostError,
    HarnessTimeoutError,
    conclusion,
)
from conformance.targets.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.codec.bridge.hangs import Endings, HangCounts
    from conformance.codec.bridge.transport import ChildProcess, Reply

    Request = Any
    Start = Callable[[Request | None], ChildProcess]

DEADLINE = 3.0
"""Seconds for one request, as of `TimeLimit`: some libraries run for more than twenty seconds on seven bytes."""

START_DEADLINE = 60.0
"""Seconds from the start of a child to its first reply, as of `TimeLimit`."""

CRASH_BUDGET = 20
"""The maximum number of crashes in one call of `Client.ask_many`."""

FAILURES_IN_A_ROW = 60
"""The maximum number of failures without a single answer in between; after that a kind of request is given up."""

FURTHER_FAILURES = 5
"""The same for each further kind of request until the next answer."""

FRESH = 3
"""The number of fresh processes for a request ended from outside, before the client concludes its reply."""


class Policy(Enum):
    """The reaction of the client to a failure with several requests in flight."""

    LOCK_STEP = "lock-step"
    """The child takes up a request after it has written the previous reply: the first unanswered one is the culprit."""
    BATCHED = "batched"
    """The child may hold replies back, and loses them when it dies: unanswered requests are repeated one by one."""
    RAISE = "raise"
    """No request may end the child: a failure is an error, and nothing is repeated."""


class _Asked(NamedTuple):
    request: Request
    kind: str


class Client(AbstractContextManager["Client"]):
    """One child process over any number of restarts, for one thread."""

    def __init__(  # noqa: PLR0913  # two of them suffice
        self,
        start: Start,
        policy: Policy,
        *,
        deadline: float = DEADLINE,
        maximum_restarts: int | None = None,
        endings: Endings | None = None,
        hangs: HangBudget | None = None,
        kind_of: Callable[[Request], str] = lambda _: "",
    ) -> None:
        """Create a client without starting its child, which starts when it is first needed.

        Args:
            start: starts a child for its first request. After HarnessStartError or HarnessHelloError it is not called
                again, since each attempt may take a minute.
            policy: the reaction to a failure of the child.
            deadline: seconds for one request.
            maximum_restarts: in the life of this client, or None for no limit.
            endings: skips messages that end the child each time, or None to skip none.
            hangs: the time spent on unanswered requests, or None for a budget of its own.
            kind_of: returns the operation, message and version of a request, to give up those alone.
        """
        self._kind_of = kind_of
        # the reply to all further requests of each kind that has failed too often
        self._given_up: dict[str, Reply] = {}
        self._start_child = start
        self.policy = policy
        """May be changed when a child has started."""
        self._deadline = deadline
        self.hangs = hangs or HangBudget(deadline)
        self._maximum_restarts = maximum_restarts
        self._endings = endings
        self._process: ChildProcess | None = None
        self._start_error: HarnessError | None = None
        self._last_failure = ""
        self._failures_in_a_row = 0
        self.restarts = 0
        """The number of children that have failed so far."""

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the child now, unless it is running, or raise HarnessError."""
        self._running(None)

    def begin_anew(self, counts: HangCounts, endings: Endings | None) -> int:
        """Reset the budgets of hangs, failures in a row and endings, and return the number of restarts so far."""
        self.hangs, self._endings, self._failures_in_a_row = self.hangs.renewed(counts), endings, 0
        self._given_up.clear()
        return self.restarts

    def close(self) -> None:
        """End the child, if it is running."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def ask(self, request: Request, kind: str = "", ahead: Reply | None = None) -> Reply:
        """Return the reply to one request, `ahead` from `ask_ahead` unless a budget forbids the request by now."""
        if ahead is None or self.known(request, kind) is not None:
            [reply] = self.ask_many([request], [kind])
            return reply
        if self._endings is not None:
            self._endings.answered([request])
        self._failures_in_a_row = 0
        return ahead

    def ask_ahead(self, requests: Sequence[Request]) -> list[Reply]:
        """Return the replies to the first of some requests, up to a failure of the child, which does not count.

        The last reply before a failure is left out, since one line too many may have followed it.
        """
        try:
            process = self._running(requests[0])
            process.deadline = self._patience
            return process.exchange(requests)
        except HarnessFailedError as error:
            self.close()
            return [*error.replies[:-1]]
        except HarnessError:
            return []  # the error is raised again when the request is asked

    def ask_many(self, requests: Sequence[Request], kinds: Sequence[str] = ()) -> list[Reply]:
        """Return one reply for each request, in order.

        Args:
            requests: as the child takes them: of the bridge protocol without ids, or calls in the suite's own form.
            kinds: the kind of input of each request, or none if empty. After a kind has ended the child, its further
                requests are skipped. With the prefix `ONLY_HANGS` a kind counts for hangs alone.

        Raises:
            HarnessError: the child does not start, or has failed too often; under `Policy.RAISE`, it failed.
        """
        kinds = kinds or [""] * len(requests)
        self.hangs.refresh()
        known = [self.known(request, kind) for request, kind in zip(requests, kinds, strict=True)]
        replies = [reply or _NOT_RUN for reply in known]
        pending = [index for index, reply in enumerate(known) if reply is None]
        crashes = CRASH_BUDGET
        while pending and crashes:
            answers, has_failed = self._attempt([_Asked(requests[index], kinds[index]) for index in pending])
            for index, answer in zip(pending, answers, strict=False):
                replies[index] = answer
            sent = pending[: len(answers)]
            if self._endings is not None:
                self._endings.answered(requests[index] for index in (sent[:-1] if has_failed else sent))
            rest = pending[len(answers) :]
            if has_failed:
                culprit = pending[len(answers) - 1]
                has_hung = replies[culprit]["outcome"] == Kind.TIMED_OUT
                if has_hung:
                    replies[culprit] = self.hangs.record(requests[culprit], kinds[culprit], replies[culprit])
                    rest = [] if self.hangs.is_spent else rest
                else:
                    crashes -= 1
                    if self._endings is not None:
                        self._endings.ended(requests[culprit])
                skipped = "" if kinds[culprit].startswith(ONLY_HANGS) and not has_hung else kinds[culprit]
                rest = [index for index in rest if not skipped or kinds[index] != skipped]
            pending = [index for index in rest if self._kind_of(requests[index]) not in self._given_up]
        return replies

    def known(self, request: Request, kind: str) -> Reply | None:
        """Return the reply to a request that need not be sent, or None if it must be."""
        known = self._given_up.get(self._kind_of(request)) or self.hangs.known(request, kind)
        return self._endings.known(request) if known is None and self._endings is not None else known

    def hangs_on(self, request: Request, *, surely: bool) -> bool:
        """Return whether a request gets no answer in the deadline, or in a part unless `surely`. No hang is counted."""
        try:
            self._exchange([request], self._deadline if surely else self._deadline / HURRY)
        except HarnessFailedError as error:
            self._discard(error)
            return isinstance(error, HarnessTimeoutError)
        return False

    def _attempt(self, asked: Sequence[_Asked]) -> tuple[list[Reply], bool]:
        """Return replies up to and including the culprit, and whether the child failed."""
        patience = self._patience
        try:
            return self._exchange([each.request for each in asked], patience), False
        except HarnessFailedError as error:
            replies = [*error.replies[: len(asked) - 1]]  # one line too many is the fault of the last request
            self._discard(error)
            if self.policy is Policy.RAISE:
                raise
            if error.lost:
                again, has_failed = self._attempt(asked[len(replies) : len(replies) + error.lost])
                replies += again
                if has_failed:
                    return replies, True
            is_known = self.policy is Policy.LOCK_STEP or len(asked) == 1
            rest = asked[len(replies) :][: 1 if is_known else None]
            has_had_all = patience >= self.hangs.deadline(rest[0].kind)
            is_certain = has_had_all or not isinstance(error, HarnessTimeoutError)
            if is_known and is_certain and not error.is_from_outside:
                return [*replies, conclusion(error)], True
            further, has_failed = self._one_by_one(rest)
            return [*replies, *further], has_failed

    @property
    def _patience(self) -> float:
        return self._deadline if self.policy is Policy.RAISE else self.hangs.patience

    def _one_by_one(self, asked: Sequence[_Asked]) -> tuple[list[Reply], bool]:
        """Send each request alone, and return replies up to and including the culprit, and whether the child failed."""
        replies: list[Reply] = []
        for each in asked:
            reply, has_failed = self._alone(each, FRESH)
            replies.append(reply)
            if has_failed:
                return replies, True
        return replies, False

    def _alone(self, asked: _Asked, processes: int) -> tuple[Reply, bool]:
        """Send a request alone, to at most so many fresh `processes` while each is ended from outside."""
        self.hangs.refresh()
        try:
            [reply] = self._exchange([asked.request], self.hangs.deadline(asked.kind))
        except HarnessFailedError as error:
            self._discard(error)
            if error.is_from_outside and processes > 1:
                return self._alone(asked, processes - 1)
            return conclusion(error), True
        return reply, False

    def _exchange(self, requests: Sequence[Request], deadline: float, *, is_again: bool = False) -> list[Reply]:
        try:
            process = self._running(requests[0])
            process.deadline = deadline
            replies = process.exchange(requests)
        except HarnessLostError:  # the fork server was ended from outside, which says nothing of the request
            self.close()
            if is_again:
                raise
            return self._exchange(requests, deadline, is_again=True)
        except HarnessFailedError as error:
            self.hangs.waited += deadline if isinstance(error, HarnessTimeoutError) else 0.0
            self._failures_in_a_row = 1 + (0 if error.replies else self._failures_in_a_row)
            if self._failures_in_a_row >= FAILURES_IN_A_ROW:
                self._give_up(requests[min(len(error.replies), len(requests) - 1)], error)
            raise
        self.hangs.longest = max(self.hangs.longest, process.longest)
        self._failures_in_a_row = 0
        return replies

    def _running(self, request: Request | None) -> ChildProcess:
        if self._process is None:
            self._process = self._started(request)
        return self._process

    def _started(self, request: Request | None) -> ChildProcess:
        if self._start_error is not None:
            raise self._start_error
        if self._maximum_restarts is not None and self.restarts > self._maximum_restarts:
            raise HarnessExhaustedError(
                f"the harness has failed {self.restarts} times, which is too often; the last time: {self._last_failure}"
            )
        try:
            return self._start_child(request)
        except HarnessError as error:
            self._start_error = error
            raise

    def _discard(self, error: HarnessFailedError) -> None:
        self.close()
        self.restarts += 1
        self._last_failure = str(error)

    def _give_up(self, request: Request, error: HarnessFailedError) -> None:
        text = f"the child process has failed {self._failures_in_a_row} times without an answer; the last time: {error}"
        self._given_up[self._kind_of(request)] = {"outcome": Kind.NOT_RUN, "text": f"skipped: {text}"}
        # requests of another kind get a few failures until they are given up
        self._failures_in_a_row = FAILURES_IN_A_ROW - FURTHER_FAILURES


_NOT_RUN = {
    "outcome": Kind.NOT_RUN,
    "text": "skipped: an input of its kind, or too many inputs before it, ended the child process",
}
