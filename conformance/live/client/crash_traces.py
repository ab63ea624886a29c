"""Traces of crashes in a program's output, and who is at fault.

The innermost frame decides, without those of the language's own runtime: a program raises errors itself, for example by
a timer. In Python and .NET any frame of the program decides, as it could have caught the exception. An error without
frames is one of the library.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class CrashTrace(NamedTuple):
    """The trace of a crash, with the error in one line, and whether the program itself is at fault."""

    line: str
    is_own: bool = False


def crash_traces(output: str) -> Iterator[CrashTrace]:
    """Yield the traces of crashes in an output, by kind."""
    for sign in SIGNS:
        for found in sign.begins.finditer(output):
            yield CrashTrace(found[0].strip(), sign.is_own(output[found.start() :]))
    yield from _of_node(output)


def _is_nobodys(_: str) -> bool:
    return False


GO_FRAME = re.compile(r"^(\S.*)\n[ \t]+(\S+\.(?:go|s)):\d+", re.MULTILINE)
GO_MAIN = re.compile(r"^(?:created by )?main\.")
GO_LIBRARY = re.compile(r"/vendor/|/pkg/mod/|@v\d")


def _is_of_go_program(trace: str) -> bool:
    """Return whether a goroutine panicked in the package `main`, or in a package below its folder."""
    _, _, goroutine = trace.partition("\ngoroutine ")
    frames = GO_FRAME.findall(goroutine.partition("\n\n")[0])
    folders = [PurePosixPath(path).parent for function, path in frames if GO_MAIN.match(function)]
    # Where a deferred function panics again, the first panic counts.
    panics = [at for at, (function, _) in enumerate(frames) if function.startswith("panic(")]
    for function, path in frames[panics[-1] + 1 if panics else 0 :]:
        if GO_MAIN.match(function):
            return True
        if not _is_of_go(function, path):
            is_below = any(folder in PurePosixPath(path).parents for folder in folders)
            return is_below and not GO_LIBRARY.search(path)
    return False


def _is_of_go(function: str, path: str) -> bool:
    """Return whether a frame is one of Go's standard library, whose import paths have no domain."""
    has_domain = "." in function.partition("(")[0].rpartition("/")[0].partition("/")[0]
    return not has_domain and ("/src/" in path or not path.startswith("/"))


RUST_PLACE = re.compile(r"([^\s',]+\.rs):\d+:\d+:?\s*$")
RUST_OWN = re.compile(r"^(?:src/|[^/]+$)|(?:^|/)(?:main\.rs$|src/bin/|examples/)")


def _is_of_rust_program(trace: str) -> bool:
    """Return whether the place of a panic is in the program's crate, whose paths are relative."""
    place = RUST_PLACE.search(trace.partition("\n")[0])
    return place is not None and ".cargo/" not in place[1] and RUST_OWN.search(place[1]) is not None


JAVA_FRAME = re.compile(r"^\s+at (?:[\w.@-]*/+)*([\w.$]+)\.([\w$<>]+)\(", re.MULTILINE)
JAVA_STACK = re.compile(r".*\n(?:(?![ \t]+at ).*\n)?(?:[ \t]+at .*(?:\n|$))+")
JDK = ("java.", "javax.", "jdk.", "sun.", "com.sun.")


def _is_of_java_program(trace: str) -> bool:
    """Return whether an error was thrown in the package of the class with `main`, or in none."""
    stack = JAVA_STACK.match(trace)
    frames = [frame for frame in JAVA_FRAME.findall(stack[0] if stack else "") if not frame[0].startswith(JDK)]
    if not frames:
        return False
    packages = {name.rpartition(".")[0] for name, method in frames if method == "main"}
    return frames[0][0].rpartition(".")[0] in {"", *packages}


DOTNET_STACK = re.compile(r".*\n(?:.*\n)*?(?:[ \t]+at .*(?:\n|$))+")
DOTNET_MAIN = re.compile(r"^\s+at .*(?:\.Main|<Main>\$)\(", re.MULTILINE)


def _is_of_dotnet_program(trace: str) -> bool:
    """Return whether an exception went through `Main`, which could have caught it."""
    stack = DOTNET_STACK.match(trace)
    return stack is not None and DOTNET_MAIN.search(stack[0]) is not None


PYTHON_FRAME = re.compile(r'^  File "(.*)", line \d+', re.MULTILINE)
PYTHON_LIBRARY = re.compile(
    r"[\\/](?:site|dist)-packages[\\/]|[\\/](?:lib(?:64)?[\\/]python\d[\d.]*|Lib)[\\/]|^<frozen "
)
PYTHON_STACK = re.compile(r".*\nTraceback .*\n(?:  .*\n)*")


def _is_of_python_program(trace: str) -> bool:
    stack = PYTHON_STACK.match(trace)
    files = PYTHON_FRAME.findall(stack[0]) if stack else []
    return not files or any(not PYTHON_LIBRARY.search(file) for file in files)


class CrashSign(NamedTuple):
    """The first line of a trace.

    Attributes:
        is_own: returns whether a trace, with everything after it, is one of the program.
    """

    begins: re.Pattern[str]
    is_own: Callable[[str], bool] = _is_nobodys


SIGNS = (
    CrashSign(re.compile(r"^panic: .*$", re.MULTILINE), _is_of_go_program),
    # Memory, stack, concurrent maps.
    CrashSign(re.compile(r"^fatal error: .*$", re.MULTILINE), _is_of_go_program),
    CrashSign(re.compile(r"^thread '.*' (?:\(\d+\) )?panicked at .*$", re.MULTILINE), _is_of_rust_program),
    CrashSign(re.compile(r"^Fatal Python error: .*$", re.MULTILINE)),
    CrashSign(re.compile(r"^Exception in thread .*:(?=\nTraceback )", re.MULTILINE), _is_of_python_program),
    CrashSign(re.compile(r"^.*A fatal error has been detected by the Java Runtime Environment.*$", re.MULTILINE)),
    CrashSign(
        re.compile(r"^.*java\.lang\.(?:OutOfMemoryError|StackOverflowError).*$", re.MULTILINE), _is_of_java_program
    ),
    # Threads of Apache Kafka log their end in their own words, and the program goes on without them.
    CrashSign(re.compile(r"^.*Uncaught exception in thread '.*$", re.MULTILINE), _is_of_java_program),
    CrashSign(re.compile(r"^Unhandled exception\. .*$", re.MULTILINE), _is_of_dotnet_program),
    CrashSign(re.compile(r"^FATAL ERROR: .*$", re.MULTILINE)),  # V8 aborts without a traceback of Node.js
)

NODE_END = re.compile(r"^Node\.js v\d+", re.MULTILINE)
NODE_ERROR = re.compile(r"^(?!Emitted |Thrown at)(\S.*)\n((?:[ \t]+at .*\n)+)", re.MULTILINE)
NODE_PLACE = re.compile(r"^\s+at (?:async )?(?:.*\()?(.+?)(?::\d+){0,2}\)?(?: \{)?$", re.MULTILINE)
NODE_REJECTION = re.compile(r"fromPromise \*/|UnhandledPromiseRejection")
NODE_PROMISE = re.compile(r"^\s+at (?:async |runMicrotasks \(|.*/task_queues:\d+:5\))", re.MULTILINE)


def _of_node(output: str) -> Iterator[CrashTrace]:
    """Yield the uncaught exceptions that ended Node.js. It names itself after each. Others may be printed before."""
    begin = 0
    for end in NODE_END.finditer(output):
        errors = list(NODE_ERROR.finditer(output, begin, end.start()))
        if errors:
            before = output[errors[-2].end() if len(errors) > 1 else begin : errors[-1].start()]
            line, stack = errors[-1].groups()
            with_causes = output[errors[-1].start() : end.start()]
            # The program may have awaited a rejected promise without catching it. An error of an async function is
            # one, and so is one of a microtask, whose frame is in column 5.
            is_rejection = NODE_REJECTION.search(before) or NODE_PROMISE.search(with_causes)
            yield CrashTrace(line.strip(), bool(is_rejection) or _is_of_node_program(stack))
        begin = end.end()


def _is_of_node_program(stack: str) -> bool:
    """Return whether the innermost frame in a file, without those of Node.js, is in no package."""
    places = (place for place in NODE_PLACE.findall(stack) if not place.startswith(("node:", "internal/")))
    files = (place for place in places if re.search(r"[\\/]|^\[", place))
    innermost = next(files, None)
    return innermost is not None and not re.search(r"[\\/]node_modules[\\/]", innermost)
