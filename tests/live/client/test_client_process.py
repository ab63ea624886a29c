"""Runs of client programs have limits, and leave nothing after them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from conformance.live.client.client_process import ClientLimits, ClientRun, crash_of, run_client
from tests.live.client.commands import DEADLINE, ROOT

if TYPE_CHECKING:
    from pathlib import Path

NOBODY = "127.0.0.1:1"
GO_OWN = "panic: dial tcp\n\ngoroutine 1 [running]:\nmain.main()\n\t/x/main.go:7 +0x1\n"
GO_LIBRARY = "panic: index out of range\n\ngoroutine 9 [running]:\npanic({0x1})\n\t/go/panic.go:1\nlib.f()\n\t/x.go:7\n"
LIBRARY = "/x/node_modules/lib.js"
NODE = f"{LIBRARY}:3\n  throw e\n  ^\n\nRangeError: out\n    at f ({LIBRARY}:3:1)\n\nNode.js v20.1.0\n"
PROMISE = (
    "triggerUncaughtException(err, true /* fromPromise */);\n\nError: out\n    at f (/x.js:1:1)\n\nNode.js v20.1.0\n"
)
AWAITED = NODE.replace("\n\nNode", "\n    at async g (/x/lib.js:9:1)\n\nNode")
TEXTS = (
    (GO_OWN, ""),
    (GO_LIBRARY, "panic: index out of range"),
    (NODE, "RangeError: out"),
    (PROMISE, ""),
    (AWAITED, ""),
    ("thread 'main' panicked at src/main.rs:3:5:\nit fails", ""),
    ("thread 'tokio' panicked at /x/lib-0.1/src/a.rs:3:5:\n", "thread 'tokio' panicked at /x/lib-0.1/src/a.rs:3:5:"),
    ("fatal error: runtime: out of memory", "fatal error: runtime: out of memory"),
    ("Traceback (most recent call last):\nValueError: no", ""),
)  # fmt: skip


def script(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def is_gone(process: int) -> bool:
    """Return whether a process ends within the deadline, a zombie included."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        with suppress(FileNotFoundError), open(f"/proc/{process}/stat", encoding="ascii") as file:  # noqa: PTH123
            if file.read().rpartition(")")[2].split()[0] != "Z":
                time.sleep(0.05)
                continue
        return True
    return False


def ended(status: int, output: str = "") -> ClientRun:
    return ClientRun(status, output, 1.0, 0)


def test_output_and_status_are_kept() -> None:
    run = run_client(
        script("import os, sys; print(os.environ['KAFKA_BOOTSTRAP']); sys.exit(3)"), NOBODY, ClientLimits(DEADLINE)
    )
    assert (run.status, run.output.strip(), run.ending) == (3, NOBODY, "exit status 3")


def test_output_without_end_is_cut_and_printable() -> None:
    run = run_client(
        script("import os; os.write(1, b'\\x1b' * 1_000_000); os.write(1, b'end')"), NOBODY, ClientLimits(DEADLINE)
    )
    assert len(run.output) < 2**19
    assert run.output.endswith("end")
    assert "\x1b" not in run.output


@pytest.mark.skipif(sys.platform != "linux", reason="memory of other processes is read from /proc")
def test_memory_of_children_counts() -> None:
    parent = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]])"
    child = "import time; kept = b'x' * (100 << 20); time.sleep(1000)"
    run = run_client([*script(parent), child], NOBODY, ClientLimits(DEADLINE, 80 * 2**20))
    assert run.is_full


def test_client_working_before_its_first_request_gets_more_time() -> None:
    works = "import time\nwhile time.process_time() < 1.5: pass"
    run = run_client(script(works), NOBODY, ClientLimits(0.5), lambda: False)
    assert (run.status, run.is_late) == (0, False)


def test_client_sleeping_before_its_first_request_is_ended() -> None:
    run = run_client(script("import time; time.sleep(1000)"), NOBODY, ClientLimits(0.5), lambda: False)
    assert run.is_late
    assert "0.5 seconds" in run.ending


def test_processes_left_over_by_a_client_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number = tmp_path / "pid"
    monkeypatch.setenv("FAKE_PID_FILE", str(number))
    program = (
        "import os, subprocess, sys; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'])"
    )
    write = "; open(os.environ['FAKE_PID_FILE'], 'w').write(str(child.pid))"
    run_client(script(program + write), NOBODY, ClientLimits(DEADLINE))
    assert is_gone(int(number.read_text()))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_the_command_and_its_client(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "pid"
    sleeps = f"import os, time; open({str(path)!r}, 'w').write(str(os.getpid())); time.sleep(1000)"
    words = ["client", "--", *script(sleeps)]
    command = subprocess.Popen([sys.executable, "-m", "conformance", *words], cwd=ROOT)  # noqa: S603  # our own
    end = time.monotonic() + DEADLINE
    while not (path.exists() and path.read_text()) and time.monotonic() < end:
        time.sleep(0.05)
    os.kill(command.pid, number)
    assert command.wait(DEADLINE) != 0
    assert is_gone(int(path.read_text()))


@pytest.mark.parametrize(("output", "crash"), TEXTS)
def test_output_separates_a_crash_from_a_planned_exit(output: str, crash: str) -> None:
    assert crash_of(ended(2, output)) == crash


def test_signal_is_a_crash_also_through_a_shell() -> None:
    assert crash_of(ended(-signal.SIGSEGV)) == "SIGSEGV"
    assert crash_of(ended(128 + signal.SIGABRT)) == "SIGABRT"
    assert crash_of(ended(1)) == ""


def test_signal_of_a_limit_is_no_crash() -> None:
    assert crash_of(ClientRun(-signal.SIGKILL, "", 40.0, 0, is_late=True)) == ""
    assert crash_of(ClientRun(-signal.SIGKILL, "panic: x\n", 40.0, 0, is_full=True)) == "panic: x"


ASSERTION = "python: rdkafka_admin.c:8763: merge: Assertion `a == b' failed."


@pytest.mark.parametrize(
    "line", [ASSERTION, "*** rdbuf.c:12:grow: out of memory ***", "free(): invalid pointer", "terminate called without"]
)
def test_last_words_of_a_native_program_are_shown_with_its_signal(line: str) -> None:
    assert crash_of(ended(-signal.SIGABRT, f"before\n{line}\nbehind\n")) == f"SIGABRT: {line}"
    assert crash_of(ended(1, line)) == ""


def test_user_may_name_the_text_of_a_crash() -> None:
    assert crash_of(ended(1, "ok\nlibrary died: 7\n"), ["library died"]) == "library died: 7"
