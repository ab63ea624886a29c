"""One run of a client program in a process group of its own, with its output, its memory, and its end.

At its deadline, with too much memory, or at an interrupt of this process the whole group is killed. The deadline is a
limit of `conformance.system.time_limits` from the first request on. Before that, a runtime may work for longer.

A program may fail its operation by an error of its library, with an exit status. A crash is an end outside of the
program's control: a signal, a panic in a library's code, an error in a thread of a library. An error in the program's
own code is none, in any thread: `crash_traces` tells whose it is.
"""

from __future__ import annotations

import os
import re
import signal
import time
from dataclasses import dataclass
from subprocess import PIPE, STDOUT
from typing import IO, TYPE_CHECKING, Any, cast

from conformance.codec.bridge.child_client import START_DEADLINE
from conformance.codec.bridge.harness_errors import TOO_BUSY, Ending
from conformance.live.client.crash_traces import crash_traces
from conformance.system.printable import printable_lines
from conformance.system.proc import group_memory
from conformance.system.program_output import Listener
from conformance.system.programs import start
from conformance.system.time_limits import TimeLimit
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from conformance.system.programs import Program

BOOTSTRAP = "KAFKA_BOOTSTRAP"
"""The variable with the broker's address in a client's environment."""

KEPT = 2**16
"""The number of bytes kept of the end of its output."""

PAUSE = 0.02
MEASURED_EVERY = 5
"""The number of pauses between two measurements of memory. It is measured after each of as many first pauses, too."""

SHELL = 128
"""A shell's exit status for a program ended by a signal is this plus the signal's number."""

DEADLY = frozenset(
    (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGKILL, signal.SIGTRAP)
)

ABORTING = frozenset((signal.SIGABRT, signal.SIGILL, signal.SIGTRAP))
"""The signals by which a runtime may end a program after an error that nobody caught."""


class CannotStart(ConformanceError):
    """The command is not found, or cannot be run."""


@dataclass(frozen=True)
class ClientLimits:
    """The limits of a run.

    Attributes:
        deadline: seconds from its first request on, and those that it may wait before without any work.
        memory: bytes of resident memory of the whole process group; 0 for no limit.
    """

    deadline: float = 30.0
    memory: int = 0


@dataclass(frozen=True)
class ClientRun:
    """The end of a run and its measurements.

    Attributes:
        status: the exit status, or minus the number of the ending signal.
        output: the end of its output.
        memory: the peak of its group's resident memory, in bytes; 0 where the system has no such figure.
        is_late: whether its deadline ended it.
        is_full: whether its memory did.
        limit: the exceeded deadline in words.
        is_starved: whether it was late for lack of a processor, so that its end says nothing.
    """

    status: int
    output: str
    seconds: float
    memory: int
    is_late: bool = False
    is_full: bool = False
    limit: str = ""
    is_starved: bool = False

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself, with status 0."""
        return self.status == 0 and not self.is_late and not self.is_full

    @property
    def ending(self) -> str:
        """Its end, in a few words."""
        if self.is_late:
            return f"no end within {self.limit}{f'; {TOO_BUSY}' if self.is_starved else ''}"
        if self.is_full:
            return f"ended for its memory, {self.memory // 2**20:,} MiB"
        return Ending(self.status, "").cause


def run_client(
    command: Sequence[str],
    address: object,
    limits: ClientLimits,
    has_asked: Callable[[], bool] = lambda: True,
    abandoned: Callable[[], bool] = lambda: False,
) -> ClientRun:
    """Run a program with an address in its environment, up to its end.

    Args:
        command: the program and its arguments.
        address: of the broker, as HOST:PORT.
        limits: the limits of the run.
        has_asked: returns whether it has sent a request; called again and again.
        abandoned: returns whether to end it; called again and again.

    Raises:
        CannotStart: there is no such program.
    """
    try:
        child = start(command, stdout=PIPE, stderr=STDOUT, environment={**os.environ, BOOTSTRAP: str(address)})
    except OSError as error:
        raise CannotStart(f"cannot run {command[0]!r}: {error.strerror}") from error
    output = Listener(cast("IO[bytes]", child.stdout), KEPT)
    try:
        watched = _watch(child, limits, has_asked, abandoned)
    finally:
        status = child.kill()
        output.finish()
    return ClientRun(status, printable_lines(output.text), **watched)


def _watch(
    child: Program, limits: ClientLimits, has_asked: Callable[[], bool], abandoned: Callable[[], bool]
) -> dict[str, Any]:
    """Return the measured attributes of a `ClientRun`."""
    began, peak, rounds = time.monotonic(), 0, 0
    is_late = is_full = is_running = False
    # The broker is this process: while it waits for a processor, so does the client.
    limit = TimeLimit(child.pid, max(START_DEADLINE, limits.deadline), idle=limits.deadline, partner=os.getpid())
    while child.status is None and not (is_late or is_full or abandoned()):
        if rounds < MEASURED_EVERY or rounds % MEASURED_EVERY == 0:
            peak = max(peak, group_memory(child.pid))
        rounds += 1
        is_full = 0 < limits.memory < peak
        if not is_running and has_asked():
            is_running, limit = True, TimeLimit(child.pid, limits.deadline, partner=os.getpid())
        is_late = limit.is_over()
        child.wait(PAUSE)
    ends = {"is_late": is_late, "is_full": is_full, "limit": str(limit) if is_late else ""}
    is_starved = is_late and limit.is_for_lack_of_processors
    return {"seconds": time.monotonic() - began, "memory": peak, "is_starved": is_starved, **ends}


LAST_WORDS = re.compile(
    r"^(?:.*Assertion `.*' failed\.|\*\*\* .*\.[ch]:\d+:.*"  # assert() of glibc, rd_kafka_crash() of librdkafka
    r"|terminate called .*"
    r"|(?:double free or corruption|corrupted |(?:free|malloc|realloc|munmap_chunk)\(\): ).*)$",  # glibc's allocator
    re.MULTILINE,
)
"""The output of a C or C++ program before the end by a signal."""


def crash_of(run: ClientRun, fatal: Iterable[str] = ()) -> str:
    """Return the crash of a client in words, also by `fatal` texts in its output, or an empty text."""
    number = -run.status if run.status < 0 else run.status - SHELL
    named = next((line.strip() for text in fatal for line in run.output.splitlines() if text in line), "")
    traces = list(crash_traces(run.output))
    trace = named or next((each.line for each in traces if not each.is_own), "")
    # A run ended by its limits has no signal of its own.
    if number not in DEADLY or run.is_late or run.is_full:
        return trace
    trace = trace or _last_words_in(run.output)
    if traces and not trace and number in ABORTING:
        return ""
    return f"{signal.Signals(number).name}{f': {trace}' if trace else ''}"


def _last_words_in(output: str) -> str:
    found = [match[0] for match in LAST_WORDS.finditer(output)]
    return found[-1] if found else ""
