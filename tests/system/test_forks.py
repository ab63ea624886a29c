"""Work in forks."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from conformance.system.forks import Fork, ForkReply, Forks

SECONDS = {"load": 60, "run": 60}


def reply_of(work: Callable[[bytes, Any], str], seconds: dict[str, int] = SECONDS) -> ForkReply:
    """Return the reply of a new fork to one request."""
    fork = begun(work, seconds)
    reply = fork.ask(b"request")
    if reply.answer is not None:
        assert fork.close() == 0
    return reply


def begun(work: Callable[[bytes, Any], str], seconds: dict[str, int] = SECONDS) -> Fork:
    def answers(requests: Iterator[bytes], beat: Any) -> Iterator[str]:
        return (work(request, beat) for request in requests)

    return Fork(answers, seconds)


def pid(*_: object) -> str:
    return str(os.getpid())


def sleeps(*_: object) -> str:
    time.sleep(600)
    return ""


def kills_itself(*_: object) -> str:
    os.kill(os.getpid(), signal.SIGKILL)
    return ""


def test_a_fork_answers_requests_one_after_the_other() -> None:
    fork = begun(lambda request, _: f"{request.decode()} {os.getpid()}")
    first, second = fork.ask(b"a"), fork.ask(b"b")
    assert (first.answer, second.answer) == (f"a {fork.pid}", f"b {fork.pid}")
    assert fork.close() == 0
    assert fork.pid != os.getpid()


def test_killed_fork_has_nothing_but_the_signal() -> None:
    assert reply_of(kills_itself) == (None, "load", -signal.SIGKILL)


def test_an_error_in_a_fork_is_no_end() -> None:
    assert reply_of(lambda *_: str(1 // 0)) == (None, "load", 1)


@pytest.mark.parametrize(("beats", "answer"), [(True, ""), (False, None)])
def test_a_fork_is_ended_if_it_does_not_beat(*, beats: bool, answer: str | None) -> None:
    def work(_: bytes, beat: Any) -> str:
        beat("run")
        for _turn in range(4):
            time.sleep(0.5)
            if beats:
                beat("run")
        return ""

    done = reply_of(work, {"load": 60, "run": 1})
    assert (done.answer, done.phase, done.is_held_up) == (answer, "run", not beats)


class Starved:
    """A limit exceeded for lack of processors."""

    pause = 0.0
    is_for_lack_of_processors = True

    def __init__(self, *_: object) -> None:
        """It is about no process."""

    @staticmethod
    def is_over() -> bool:
        return True


def test_a_fork_without_a_processor_is_ended_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its silence is not held against it."""
    monkeypatch.setattr("conformance.system.forks.TimeLimit", Starved)
    assert reply_of(sleeps) == (None, "load", -signal.SIGKILL)


def test_fork_without_an_end_is_killed() -> None:
    def answers(requests: Iterator[bytes], _: object) -> Iterator[str]:
        for _request in requests:
            yield ""
        time.sleep(600)

    fork = Fork(answers, {"load": 1})
    assert fork.ask(b"").answer == ""
    assert fork.close() == -signal.SIGKILL


def test_fork_runs_its_final_blocks() -> None:
    def answers(requests: Iterator[bytes], _: object) -> Iterator[str]:
        try:
            for _request in requests:
                yield ""
        finally:
            os._exit(7)

    fork = Fork(answers, SECONDS)
    assert fork.ask(b"").answer == ""
    assert fork.close() == 7


def test_waiting_fork_ends_with_its_parent() -> None:
    """Another fork, begun after it, lives as long."""

    def work(*_: object) -> str:
        forks = [begun(pid), begun(pid)]
        return " ".join(str(fork.ask(b"").answer) for fork in forks)

    pids = list(map(int, str(reply_of(work).answer).split()))
    assert len(pids) == 2
    until = time.monotonic() + 30
    while any(map(lives, pids)):
        assert time.monotonic() < until
        time.sleep(0.01)


def lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_fork_of_a_purpose_is_kept() -> None:
    forks = Forks(2)
    first, other, again = (forks.ask(purpose, b"", lambda: begun(pid)).answer for purpose in ("a", "b", "a"))
    forks.close()
    assert first == again != other


def test_least_recently_used_fork_is_ended() -> None:
    forks = Forks(2)
    first, *_, again = (forks.ask(purpose, b"", lambda: begun(pid)).answer for purpose in "abca")
    forks.close()
    assert first != again


def test_fork_without_further_answers_is_replaced() -> None:
    def once(requests: Iterator[bytes], _: object) -> Iterator[str]:
        next(requests)
        yield pid()

    forks = Forks(2)
    first, second = (forks.ask("a", b"", lambda: Fork(once, SECONDS)).answer for _ in range(2))
    forks.close()
    assert None not in {first, second}
    assert first != second


def test_killed_fork_is_reported_and_not_kept() -> None:
    forks = Forks(2)
    assert forks.ask("a", b"", lambda: begun(kills_itself)) == (None, "load", -signal.SIGKILL)
    assert forks.ask("a", b"", lambda: begun(pid)).answer
    forks.close()
