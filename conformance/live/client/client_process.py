"""One run of a client program: a process group of its own, its output, its memory, and its end.

It ends with its deadline, with too much memory, or when this process is interrupted: the group is killed as a whole.

A program that lets its library's error through fails its operation, as it may: that is an exit status. A crash is what
no program can catch: a signal, a panic in a library's code, an error in a thread of a library.
"""

from __future__ import annotations

import os
import re
import signal
import time
from dataclasses import dataclass
from subprocess import PIPE, STDOUT
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from conformance.codec.bridge.harness_errors import Ending
from conformance.system.printable import printable_lines
from conformance.system.proc import group_memory
from conformance.system.program_output import Listener
from conformance.system.programs import start
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from conformance.system.programs import Program

BOOTSTRAP = "KAFKA_BOOTSTRAP"
"""The variable of a client's environment that has the broker's address."""

KEPT = 2**16
"""Bytes of the end of its output that are kept."""

PAUSE = 0.02
MEASURED_EVERY = 5
"""Pauses between two measurements of memory, after as many that are all measured: most clients end soon."""

SHELL = 128
"""A shell's exit status for a program that a signal ended is this and the signal's number."""

DEADLY = frozenset(
    (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGKILL, signal.SIGTRAP)
)


class CannotStart(ConformanceError):
    """The command is not found, or cannot be run."""


@dataclass(frozen=True)
class ClientLimits:
    """What a run may take.

    Attributes:
        deadline: seconds.
        memory: bytes of resident memory of the whole process group; 0: any.
    """

    deadline: float = 30.0
    memory: int = 0


@dataclass(frozen=True)
class ClientRun:
    """What came of a run.

    Attributes:
        status: the exit status; minus the number of a signal that ended it.
        output: the end of what it wrote.
        seconds: how long it took.
        memory: the peak of its group's resident memory, in bytes; 0 where the system does not tell.
        is_late: whether its deadline ended it.
        is_full: whether its memory did.
    """

    status: int
    output: str
    seconds: float
    memory: int
    is_late: bool = False
    is_full: bool = False

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself, with status 0."""
        return self.status == 0 and not self.is_late and not self.is_full

    @property
    def ending(self) -> str:
        """How it ended, in a few words."""
        if self.is_late:
            return f"no end within {self.seconds:.0f} s"
        if self.is_full:
            return f"ended for its memory, {self.memory // 2**20:,} MiB"
        return Ending(self.status, "").cause


def run_client(
    command: Sequence[str], address: object, limits: ClientLimits, abandoned: Callable[[], bool] = lambda: False
) -> ClientRun:
    """Run a program with an address in its environment, up to its end.

    Args:
        command: the program and its arguments.
        address: of the broker, as HOST:PORT.
        limits: after which it is ended.
        abandoned: asked again and again whether to end it.

    Raises:
        CannotStart: there is no such program.
    """
    try:
        child = start(command, stdout=PIPE, stderr=STDOUT, environment={**os.environ, BOOTSTRAP: str(address)})
    except OSError as error:
        raise CannotStart(f"cannot run {command[0]!r}: {error.strerror}") from error
    output = Listener(cast("IO[bytes]", child.stdout), KEPT)
    try:
        watched = _watch(child, limits, abandoned)
    finally:
        status = child.kill()
        output.finish()
    return ClientRun(status, printable_lines(output.text), **watched)


def _watch(child: Program, limits: ClientLimits, abandoned: Callable[[], bool]) -> dict[str, Any]:
    """Wait for the end of a client or one of its limits; return what of a run is measured."""
    began, peak, rounds = time.monotonic(), 0, 0
    is_late = is_full = False
    while child.status is None and not (is_late or is_full or abandoned()):
        if rounds < MEASURED_EVERY or rounds % MEASURED_EVERY == 0:
            peak = max(peak, group_memory(child.pid))
        rounds += 1
        is_full = 0 < limits.memory < peak
        is_late = time.monotonic() - began > limits.deadline
        child.wait(PAUSE)
    return {"seconds": time.monotonic() - began, "memory": peak, "is_late": is_late, "is_full": is_full}


class CrashSign(NamedTuple):
    """How a runtime tells of a crash.

    Attributes:
        begins: the line that tells of it.
        own: matches the text behind it where the program itself has raised it; None: a program cannot.
    """

    begins: re.Pattern[str]
    own: re.Pattern[str] | None = None


GO_OWN = re.compile(r"\[running\]:\n(?:(?:panic|runtime|log)\b.*\n\s.*\n)*main\.")
"""The first frame that is not of Go's runtime is one of the program."""

TRACES = (
    CrashSign(re.compile(r"^panic: .*$", re.MULTILINE), GO_OWN),
    CrashSign(re.compile(r"^fatal error: .*$", re.MULTILINE)),  # Go's runtime: memory, stack, concurrent maps
    CrashSign(re.compile(r"^thread '.*' panicked at (?!src/|examples/|main\.rs).*$", re.MULTILINE)),  # Rust, in a crate
    CrashSign(re.compile(r"^Fatal Python error: .*$", re.MULTILINE)),
    CrashSign(re.compile(r"^.*A fatal error has been detected by the Java Runtime Environment.*$", re.MULTILINE)),
    CrashSign(re.compile(r"^.*java\.lang\.(?:OutOfMemoryError|StackOverflowError).*$", re.MULTILINE)),
    CrashSign(re.compile(r"^.*Uncaught exception in thread '.*$", re.MULTILINE)),  # Apache Kafka's own threads
    CrashSign(re.compile(r"^FATAL ERROR: .*$", re.MULTILINE)),  # V8
    CrashSign(re.compile(r"^(?:\w*Error|RangeError).*\n(?:\s+at .*\n)+(?:.*\n)*?Node\.js v\d+", re.MULTILINE),
          re.compile(r"fromPromise \*/|UnhandledPromiseRejection|^\s+at async ", re.MULTILINE)),
)  # fmt: skip
"""Node names an exception that nobody caught. A rejected promise may be one that the program awaits and does not catch;
what an async function throws is one, and its trace has an async frame, however few frames are shown."""

LAST_WORDS = re.compile(
    r"^(?:.*Assertion `.*' failed\.|\*\*\* .*\.[ch]:\d+:.*"  # assert() of glibc, rd_kafka_crash() of librdkafka
    r"|terminate called .*"
    r"|(?:double free or corruption|corrupted |(?:free|malloc|realloc|munmap_chunk)\(\): ).*)$",  # glibc's allocator
    re.MULTILINE,
)
"""What a C or C++ program writes before a signal ends it."""


def crash_of(run: ClientRun, fatal: Iterable[str] = ()) -> str:
    """Return what a run says of a crash; empty if the client did not crash.

    A run that its limits ended has no signal of its own.

    Args:
        run: that has ended.
        fatal: texts that tell of a crash of this client.
    """
    number = -run.status if run.status < 0 else run.status - SHELL
    trace = _trace_in(run.output, fatal)
    if number in DEADLY and not run.is_late and not run.is_full:
        trace = trace or _last_words_in(run.output)
        return f"{signal.Signals(number).name}{f': {trace}' if trace else ''}"
    return trace


def _trace_in(output: str, fatal: Iterable[str]) -> str:
    for text in fatal:
        line = next((line for line in output.splitlines() if text in line), None)
        if line is not None:
            return line.strip()
    for trace in TRACES:
        found = trace.begins.search(output)
        if found and not (trace.own and trace.own.search(output)):
            return found[0].splitlines()[0].strip()
    return ""


def _last_words_in(output: str) -> str:
    found = [match[0] for match in LAST_WORDS.finditer(output)]
    return found[-1] if found else ""
