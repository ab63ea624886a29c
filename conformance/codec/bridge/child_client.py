"""The client of a child process that answers requests: one reply for each request, whatever happens to the child.

The child is started when it is first needed, and again after each failure (it died, exceeded the deadline, or wrote
something else than a reply). The request on which it failed gets a reply that the client concludes itself: `crashed`,
`timed-out` or `protocol-error`, with a text. Requests in flight get a part of the deadline; after that each is repeated
alone, with the whole of it, in a new child, before a timeout counts.

A codec that crashes on every other input would keep the machine busy with new children, so each call of `ask_many` has
a budget of crashes, and the whole life of a client one of hangs (`hangs.py`) and one of failures in a row. Once a kind
of input has ended the child in a call, further inputs of that kind are skipped there. Skipped requests have the outcome
`not-run`.

Replies that are asked for before their turn, many at a time: a round trip for each costs more than most answers.

A check asks for one thing at a time, since what it asks next may depend on the answer. What it is certain to ask is
sent ahead; each reply waits for its request. A request without a reply, because the child died, hung or wrote something
else meanwhile, is asked alone when its turn comes, as if it had never been sent: outcomes and budgets are those of
lock-step.
"""

from __future__ import annotations

from collections import deque
from contextlib import AbstractContextManager
from enum import Enum
from typing import TYPE_CHECKING, Any

from conformance.codec.bridge.hangs import HURRY, ONLY_HANGS, HangBudget
from conformance.codec.bridge.harness_errors import (
    HarnessError,
    HarnessExhaustedError,
    HarnessFailedError,
    HarnessLostError,
    HarnessTimeoutError,
    conclusion,
)
from conformance.codec.outcome import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from conformance.codec.bridge.hangs import Endings, HangCounts
    from conformance.codec.bridge.transport import ChildProcess, Reply

    Request = Any
    Start = Callable[[Request | None], ChildProcess]

DEADLINE = 3.0
"""Seconds for one request: some libraries run for more than twenty seconds on seven bytes."""

START_DEADLINE = 60.0
"""Seconds for the start of a child, until its first reply."""

CRASH_BUDGET = 20
"""How often the child may crash in one call of `Client.ask_many`."""

FAILURES_IN_A_ROW = 60
"""How often the child may end without a single answer between; after that no request is sent any more."""


FRESH = 2
"""How many fresh processes a request has to see ended by a signal from outside until it is blamed for that."""


class Policy(Enum):
    """What the client does when the child fails with several requests in flight."""

    LOCK_STEP = "lock-step"
    """The child takes up a request only after the reply to the one before has left it: the first unanswered request
    is the culprit."""
    BATCHED = "batched"
    """The child may hold replies back, and loses them when it dies: what was unanswered is repeated one by one."""
    RAISE = "raise"
    """No request may end the child: a failure is an error, and nothing is repeated."""


class Client(AbstractContextManager["Client"]):
    """One child process over any number of restarts. It is not thread-safe."""

    def __init__(  # noqa: PLR0913  # two of them suffice
        self,
        start: Start,
        policy: Policy,
        *,
        deadline: float = DEADLINE,
        maximum_restarts: int | None = None,
        endings: Endings | None = None,
        hangs: HangBudget | None = None,
    ) -> None:
        """Create a client; the child is started when it is first needed.

        Args:
            start: starts a child, ready for requests, and gets the first request that will be sent to it. It raises
                HarnessStartError or HarnessHelloError if that fails, and is then not called again: each attempt may
                take a minute.
            policy: what to do when the child fails.
            deadline: seconds for one request.
            maximum_restarts: how often the child is started again in the life of this client; None: no limit.
            endings: has messages skipped that end the child each time; None: none is.
            hangs: the time spent on requests that are not answered; None: a budget of its own.
        """
        self._start_child = start
        self.policy = policy
        """May be changed when a child has started."""
        self._deadline = deadline
        self.hangs = hangs or HangBudget(deadline)
        """The time spent on requests that were not answered."""
        self._maximum_restarts = maximum_restarts
        self._endings = endings
        self._process: ChildProcess | None = None
        self._start_error: HarnessError | None = None
        self._last_failure = ""
        self._failures_in_a_row = 0
        self.restarts = 0
        """How many children have failed so far."""

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the child now, unless it is running.

        Raises:
            HarnessError: it does not start.
        """
        self._running(None)

    def begin_anew(self, counts: HangCounts, endings: Endings | None) -> int:
        """Have budgets begin anew: of hangs, of failures in a row, of endings; return the restarts so far."""
        self.hangs, self._endings, self._failures_in_a_row = HangBudget(self._deadline, counts), endings, 0
        return self.restarts

    def close(self) -> None:
        """End the child, if it is running."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def ask(self, request: Request, kind: str = "", ahead: Reply | None = None) -> Reply:
        """Return the reply to one request; see `ask_many`. With `ahead`, which `ask_ahead` returned, it is that one."""
        if ahead is None or self._is_given_up or self.known(request, kind) is not None:
            [reply] = self.ask_many([request], [kind])
            return reply
        if self._endings is not None:
            self._endings.answered([request])
        self._failures_in_a_row = 0
        return ahead

    def ask_ahead(self, requests: Sequence[Request]) -> list[Reply]:
        """Return the replies to the first of some requests, up to a failure of the child, which counts for nothing.

        The last reply before a failure is left out: its line may have been followed by one too many.
        """
        if self._is_given_up:
            return []
        try:
            process = self._running(requests[0])
            process.deadline = self._patience
            return process.exchange(requests)
        except HarnessFailedError as error:
            self.close()
            return [*error.replies[:-1]]
        except HarnessError:
            return []  # it is told when a request is asked

    @property
    def _is_given_up(self) -> bool:
        return self._failures_in_a_row >= FAILURES_IN_A_ROW

    def ask_many(self, requests: Sequence[Request], kinds: Sequence[str] = ()) -> list[Reply]:
        """Return one reply for each request, in order.

        Args:
            requests: as the child takes them: of the bridge protocol without ids, or calls in the suite's own form.
            kinds: if given, the kind of input of each request. After a kind has ended the child, further requests of
                that kind are skipped; the empty kind is none, and one that begins with `ONLY_HANGS` counts for hangs.

        Raises:
            HarnessError: the child does not start, or has failed too often; under `Policy.RAISE`, it failed.
        """
        if self._is_given_up:
            return [self._given_up()] * len(requests)
        kinds = kinds or [""] * len(requests)
        self.hangs.refresh()
        known = [self.known(request, kind) for request, kind in zip(requests, kinds, strict=True)]
        replies = [reply or _NOT_RUN for reply in known]
        pending = [index for index, reply in enumerate(known) if reply is None]
        crashes = CRASH_BUDGET
        while pending and crashes and not self._is_given_up:
            answers, has_failed = self._attempt([requests[index] for index in pending])
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
                    asked_twice = not (self.hangs.is_hurried and self.policy is Policy.LOCK_STEP)
                    replies[culprit] = self.hangs.record(
                        requests[culprit], kinds[culprit], replies[culprit], asked_twice=asked_twice
                    )
                    rest = [] if self.hangs.is_spent else rest
                else:
                    crashes -= 1
                    if self._endings is not None:
                        self._endings.ended(requests[culprit])
                deadly = "" if kinds[culprit].startswith(ONLY_HANGS) and not has_hung else kinds[culprit]
                rest = [index for index in rest if not deadly or kinds[index] != deadly]
            pending = rest
        return replies

    def known(self, request: Request, kind: str) -> Reply | None:
        """Return the reply to a request that need not be sent."""
        known = self.hangs.known(request, kind)
        return self._endings.known(request) if known is None and self._endings is not None else known

    def hangs_on(self, request: Request) -> bool:
        """Return whether a request is not answered in a part of the deadline; it does not count as a hang."""
        try:
            self._exchange([request], self._deadline / HURRY)
        except HarnessFailedError as error:
            self._discard(error)
            return isinstance(error, HarnessTimeoutError)
        return False

    def _attempt(self, requests: Sequence[Request]) -> tuple[list[Reply], bool]:
        """Return replies up to and including the first request on which the child failed, and whether it failed."""
        try:
            return self._exchange(requests, self._patience), False
        except HarnessFailedError as error:
            replies = [*error.replies[: len(requests) - 1]]  # one line too many is the fault of the last request
            self._discard(error)
            if self.policy is Policy.RAISE:
                raise
            if error.lost:
                again, has_failed = self._attempt(requests[len(replies) : len(replies) + error.lost])
                replies += again
                if has_failed:
                    return replies, True
            is_known = self.policy is Policy.LOCK_STEP or len(requests) == 1
            is_certain = self.hangs.is_hurried or not isinstance(error, HarnessTimeoutError)
            if is_known and is_certain and not error.is_from_outside:
                return [*replies, conclusion(error, self.hangs.deadline)], True
            further, has_failed = self._one_by_one(requests[len(replies) :][: 1 if is_known else None])
            return [*replies, *further], has_failed

    @property
    def _patience(self) -> float:
        """Return the seconds of silence that requests in flight are allowed."""
        return self._deadline if self.policy is Policy.RAISE else self.hangs.patience

    def _one_by_one(self, requests: Sequence[Request]) -> tuple[list[Reply], bool]:
        """Send each request alone, up to and including the first on which the child fails; return whether it failed."""
        replies: list[Reply] = []
        for request in requests:
            reply, has_failed = self._alone(request, FRESH)
            replies.append(reply)
            if has_failed:
                return replies, True
        return replies, False

    def _alone(self, request: Request, processes: int) -> tuple[Reply, bool]:
        """Send a request alone; if the child is ended from outside, to as many fresh processes in all."""
        self.hangs.refresh()
        try:
            [reply] = self._exchange([request], self.hangs.deadline)
        except HarnessFailedError as error:
            self._discard(error)
            if error.is_from_outside and processes > 1:
                return self._alone(request, processes - 1)
            return conclusion(error, self.hangs.deadline), True
        return reply, False

    def _exchange(self, requests: Sequence[Request], deadline: float, *, is_again: bool = False) -> list[Reply]:
        try:
            process = self._running(requests[0])
            process.deadline = deadline
            replies = process.exchange(requests)
        except HarnessLostError:
            self.close()
            if is_again:
                raise
            return self._exchange(requests, deadline, is_again=True)
        except HarnessFailedError as error:
            self._failures_in_a_row = 1 + (0 if error.replies else self._failures_in_a_row)
            raise
        self._failures_in_a_row = 0
        return replies

    def _running(self, request: Request | None) -> ChildProcess:
        """Return the child, started if need be for `request`."""
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

    def _given_up(self) -> Reply:
        count, last = self._failures_in_a_row, self._last_failure
        return {
            "outcome": Kind.NOT_RUN,
            "text": f"skipped: the child process has failed {count} times without an answer; the last time: {last}",
        }


_NOT_RUN = {
    "outcome": Kind.NOT_RUN,
    "text": "skipped: an input of its kind, or too many inputs before it, ended the child process",
}


FAILURES = 10
"""How often the child may fail on requests that were sent ahead; after that none is, as each failure costs a start."""


class Ahead:
    """The requests that were sent ahead to one client, and have not been asked for yet."""

    def __init__(self, client: Client, kind_of: Callable[[Request], str]) -> None:
        """Create it for a client; `kind_of` tells what alike requests have in common, for what is deadly."""
        self._client = client
        self._kind_of = kind_of
        self._waiting: deque[tuple[Request, Reply]] = deque()
        self._failures = 0

    def send(self, requests: Sequence[Request]) -> None:
        """Send requests that will be asked for, in about this order; those that were sent before are forgotten."""
        self._waiting.clear()
        sent = [request for request in requests if not self._client.known(request, self._kind_of(request))]
        if not sent or self._failures >= FAILURES:
            return
        replies = self._client.ask_ahead(sent)
        self._waiting.extend(zip(sent, replies, strict=False))
        self._failures += len(replies) < len(sent)

    def ask(self, request: Request) -> Reply:
        """Return the reply to a request; see `Client.ask`."""
        for index, (sent, reply) in enumerate(self._waiting):
            if sent == request:  # a field has one type, so that no number equals a truth value
                del self._waiting[index]
                return self._client.ask(request, self._kind_of(request), reply)
        return self._client.ask(request, self._kind_of(request))


def kind_of_request(request: Request) -> str:
    """Return what alike requests of the bridge protocol have in common."""
    return f"{request['op']} {request.get('message', '')}"
