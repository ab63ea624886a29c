"""What a client's end says about it: whether it has failed its operation, as it may, or crashed.

A program that lets its library's error through fails its operation: that is an exit status. A crash is what no program
can catch: a signal, a panic in a library's code, an error in a thread of a library.
"""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from conformance.live.client.process import Run

SHELL = 128
"""A shell's exit status for a program that a signal ended is this and the signal's number."""

DEADLY = frozenset(
    (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGKILL, signal.SIGTRAP)
)


class Trace(NamedTuple):
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
    Trace(re.compile(r"^panic: .*$", re.MULTILINE), GO_OWN),
    Trace(re.compile(r"^fatal error: .*$", re.MULTILINE)),  # Go's runtime: memory, stack, concurrent maps
    Trace(re.compile(r"^thread '.*' panicked at (?!src/|examples/|main\.rs).*$", re.MULTILINE)),  # Rust, in a crate
    Trace(re.compile(r"^Fatal Python error: .*$", re.MULTILINE)),
    Trace(re.compile(r"^.*A fatal error has been detected by the Java Runtime Environment.*$", re.MULTILINE)),
    Trace(re.compile(r"^.*java\.lang\.(?:OutOfMemoryError|StackOverflowError).*$", re.MULTILINE)),
    Trace(re.compile(r"^.*Uncaught exception in thread '.*$", re.MULTILINE)),  # Apache Kafka's own threads
    Trace(re.compile(r"^FATAL ERROR: .*$", re.MULTILINE)),  # V8
    Trace(re.compile(r"^(?:\w*Error|RangeError).*\n(?:\s+at .*\n)+(?:.*\n)*?Node\.js v\d+", re.MULTILINE),
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


def crash_of(run: Run, fatal: Iterable[str] = ()) -> str:
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
