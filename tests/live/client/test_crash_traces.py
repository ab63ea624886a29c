"""Whether a trace is one of the program or of its library, in the words of each language's runtime."""

from __future__ import annotations

import signal

import pytest

from conformance.live.client.client_process import ClientRun, crash_of
from conformance.live.client.crash_traces import crash_traces
from conformance.system.printable import printable_lines

NODE = "\n\nNode.js v22.13.0\n"
INTERNAL = (
    "    at listOnTimeout (node:internal/timers:581:17)\n    at process.processTimers (node:internal/timers:519:7)"
)
KAFKAJS = "/app/node_modules/kafkajs/src/network/connection.js"
MICROTASK = "process.processTicksAndRejections (node:internal/process/task_queues:95:5)"
TICK = "process.processTicksAndRejections (node:internal/process/task_queues:82:21)"
INDEX = "panic: index out of range"
OVERFLOW = 'Exception in thread "main" java.lang.StackOverflowError'
RUST = "thread 'tokio' panicked at /x/.cargo/registry/src/kafka-0.1/src/a.rs:3:5:"
RUST_NUMBER = "thread 'io' (71) panicked at /x/lib-0.1/src/a.rs:3:5:"
KAFKA_THREAD = "Uncaught exception in thread 'kafka-admin':"
DOTNET = "Unhandled exception. System.Exception: no"


def node(*frames: str, error: str = "Error: late") -> str:
    """Return the output of Node.js before its end."""
    lines = "\n".join(f"    at {frame}" for frame in frames)
    return f"file:///app/k.mjs:5\n  throw error\n  ^\n\n{error}\n{lines}\n{INTERNAL}{NODE}"


def go(*frames: tuple[str, str], panic: str = INDEX) -> str:
    """Return the output of Go before its end, with functions and their files."""
    lines = "".join(f"{function}({{0x1, 0x2}})\n\t{path}:7 +0x1\n" for function, path in frames)
    return f"{panic}\n\ngoroutine 7 [running]:\n{lines}\ngoroutine 1 [select]:\nmain.main()\n\t/app/main.go:3 +0x1\n"


def java(*frames: str) -> str:
    return f"{OVERFLOW}\n" + "".join(f"\tat {frame}\n" for frame in frames)


def thread(*files: str) -> str:
    """Return the output of Python for an exception in a thread."""
    lines = "".join(f'  File "{file}", line 5, in f\n    f()\n    ~^^\n' for file in files)
    return f"Exception in thread Thread-1:\nTraceback (most recent call last):\n{lines}IndexError: no\nand more\n"


RUNTIME = ("runtime.goPanicIndex", "/usr/local/go/src/runtime/panic.go")
PANIC = ("panic", "/usr/local/go/src/runtime/panic.go")
MAIN = ("main.main.func1", "/app/main.go")
LIBRARY = ("github.com/x/kafka.(*Reader).read", "/go/pkg/mod/github.com/x/kafka@v1.0.0/read.go")
BINARY = ("encoding/binary.bigEndian.Uint32", "/usr/local/go/src/encoding/binary/binary.go")
THREADING = "/usr/lib/python3.11/threading.py"
PACKAGE = "/venv/lib/python3.11/site-packages/kafka/conn.py"
CAUSE = f" {{\n  [cause]: Error: x\n      at f ({KAFKAJS}:1:1)\n}}"
LOGGED = f"caught KafkaJSError: gone\n    at async Connection.send ({KAFKAJS}:5:6)\n"

OWN = {
    "node timer": node("Timeout._onTimeout (file:///app/k.mjs:5:26)"),
    "node timer without a column": node("Timeout._onTimeout (file:///app/k.mjs:5)"),
    "node function without a name": node("/app/src/k.js:5:26"),
    "node callback in a library": node("onMessage (/app/k.js:5:26)", f"Runner.each ({KAFKAJS}:9:1)"),
    "node native frame": node("JSON.parse (<anonymous>)", "Timeout._onTimeout (/app/k.js:5:26)"),
    "node assertion": node("assert.equal (node:assert:119:10)", "Timeout.check (/app/k.js:5:26)"),
    "node eval": node("Timeout._onTimeout ([eval]:1:26)"),
    "node Windows": node(r"Timeout._onTimeout (C:\app\k.js:5:26)"),
    "node old": node("Timeout.late [as _onTimeout] (/app/k.js:5:26)", "ontimeout (timers.js:436:11)"),
    "node with a cause": node("Timeout.late (/app/k.js:5:26)").replace(NODE, CAUSE + NODE),
    "node after a logged error": f"KafkaJSError: gone\n    at f ({KAFKAJS}:5:6)\n"
    + node("Timeout.late (/app/k.js:5:2)"),
    "node rejection of a module": node(f"reject ({KAFKAJS}:5:6)", MICROTASK),
    "node rejection in a cause": node(f"reject ({KAFKAJS}:5:6)").replace(
        NODE, CAUSE.replace("at f", "at async f") + NODE
    ),
    "node rejection": node(f"async Connection.send ({KAFKAJS}:5:6)"),
    "go": go(PANIC, RUNTIME, MAIN),
    "go through the standard library": go(PANIC, RUNTIME, BINARY, MAIN),
    "go package below main": go(("example.com/app/worker.Run", "/app/worker/run.go"), MAIN),
    "go started by main": go(
        ("example.com/app/worker.Run", "/app/worker/run.go"), ("created by main.main", "/app/main.go")
    ),
    "go panics again": go(MAIN, PANIC, ("main.late", "/app/main.go")),
    "go maps": go(
        ("internal/runtime/maps.fatal", "/usr/local/go/src/runtime/panic.go"),
        ("main.main.func1", "/app/main.go"),
        panic="fatal error: concurrent map writes",
    ),
    "go memory": go(
        ("runtime.makeslice", "/usr/lib/go-1.22/src/runtime/slice.go"),
        MAIN,
        panic="fatal error: runtime: out of memory",
    ),
    "go trimmed": go(("panic", "runtime/panic.go"), ("strings.Repeat", "strings/strings.go"), ("main.f", "./main.go")),
    "rust": "thread 'main' panicked at src/main.rs:3:5:\nit fails",
    "rust of a workspace": "thread 'main' (71) panicked at client/src/main.rs:3:5:\nit fails",
    "rust before 1.73": "thread 'main' panicked at 'it fails', src/worker.rs:3:5",
    "rust file": "thread 'main' panicked at client.rs:3:5:\nit fails",
    "rust binary": "thread 'main' panicked at client/src/bin/one.rs:3:5:\nit fails",
    "java": java("Main.loop(Main.java:5)", "Main.main(Main.java:9)"),
    "java package": java("com.example.Loop.go(Loop.java:5)", "com.example.Client.main(Client.java:9)"),
    "java library of the JDK": java("java.base/java.util.Arrays.copyOf(Arrays.java:3)", "Main.main(Main.java:9)"),
    "java thread": f"{KAFKA_THREAD}\njava.lang.X\n\tat Client$1.run(Client.java:5)\n",
    "dotnet": f"{DOTNET}\n   at Kafka.Read() in /x/R.cs:line 3\n   at Program.Main() in /a.cs:line 1\n",
    "python": f'Traceback (most recent call last):\n  File "{PACKAGE}", line 3, in f\nValueError: no\n',
    "python thread": thread(THREADING, THREADING, "/app/client.py"),
    "python thread through a library": thread(THREADING, "/app/client.py", PACKAGE),
    "python callback of a library": thread(THREADING, PACKAGE, "/app/client.py"),
}

CRASHES = {
    "node": (node(f"Decoder.readString ({KAFKAJS}:5:26)", error="RangeError: out"), "RangeError: out"),
    "node timer": (node(f"Timeout._onTimeout ({KAFKAJS}:5:26)", "f (/app/k.js:1:1)"), "Error: late"),
    "node module": (node("f (file:///app/node_modules/x/k.mjs:5:26)"), "Error: late"),
    "node named as its library": (node(f"f ({KAFKAJS}:5:26)", error="KafkaJSClosed: x"), "KafkaJSClosed: x"),
    "node through Node.js": (node("emit (node:events:5:2)", f"f ({KAFKAJS}:5:26)"), "Error: late"),
    "node tick": (node(f"f ({KAFKAJS}:5:26)", TICK), "Error: late"),
    "node after a logged rejection": (LOGGED + node(f"f ({KAFKAJS}:5:26)"), "Error: late"),
    "go": (go(PANIC, RUNTIME, LIBRARY, MAIN), INDEX),
    "go standard library": (go(PANIC, RUNTIME, BINARY, LIBRARY, MAIN), INDEX),
    "go vendored": (go(("github.com/x/kafka.f", "/app/vendor/github.com/x/kafka/f.go"), MAIN), INDEX),
    "go panics again": (go(MAIN, PANIC, RUNTIME, LIBRARY, MAIN), INDEX),
    "go after an own panic": (go(PANIC, MAIN) + go(LIBRARY, panic="panic: library"), "panic: library"),
    "go trimmed": (
        go(("panic", "runtime/panic.go"), ("example.com/lib.f", "example.com/lib@v1.0.0/f.go"), MAIN),
        INDEX,
    ),
    "rust": (f"{RUST}\nit fails", RUST),
    "rust with a number": (f"{RUST_NUMBER}\nit fails", RUST_NUMBER),
    "java": (java("org.apache.kafka.X.f(X.java:5)", "Main.main(Main.java:9)"), OVERFLOW),
    "java package": (java("org.apache.kafka.X.f(X.java:5)", "com.example.M.main(M.java:9)"), OVERFLOW),
    "java thread": (f"{KAFKA_THREAD}\njava.lang.X\n\tat org.apache.kafka.X.f(X.java:5)\n", KAFKA_THREAD),
    "dotnet": (f"{DOTNET}\n   at Kafka.Loop() in /x/R.cs:line 3\n", DOTNET),
    "python thread": (thread(THREADING, THREADING, PACKAGE), "Exception in thread Thread-1:"),
}


def ended(status: int, output: str) -> ClientRun:
    return ClientRun(status, printable_lines(output), 1.0, 0)


@pytest.mark.parametrize("output", OWN.values(), ids=OWN)
def test_error_of_the_program_is_no_crash(output: str) -> None:
    assert crash_of(ended(1, output)) == ""


@pytest.mark.parametrize(("output", "crash"), CRASHES.values(), ids=CRASHES)
def test_error_of_a_library_is_a_crash(output: str, crash: str) -> None:
    assert crash_of(ended(1, output)) == crash


@pytest.mark.parametrize("name", ["go", "rust", "dotnet"])
def test_abort_after_an_error_of_the_program_is_no_crash(name: str) -> None:
    assert crash_of(ended(-signal.SIGABRT, OWN[name])) == ""


@pytest.mark.parametrize(
    ("status", "more"), [(-signal.SIGSEGV, ""), (-signal.SIGABRT, "\na.c:1: f: Assertion `a' failed.")]
)
def test_native_crash_is_found_after_an_error_of_the_program(status: int, more: str) -> None:
    assert crash_of(ended(status, OWN["rust"] + more)).startswith(signal.Signals(-status).name)


def test_each_trace_of_an_output_is_judged_alone() -> None:
    traces = list(crash_traces(OWN["go"] + CRASHES["python thread"][0] + OWN["rust"]))
    assert [trace.is_own for trace in traces] == [True, True, False]
