"""Programs and all their descendants are ended, however they behave."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from conformance.system.proc import process_tree
from conformance.system.program_runs import run
from conformance.system.programs import Program, start

SLEEPS = "import time; time.sleep(1000)"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="other systems have no subreapers")
UNRULY = {
    "ignores SIGTERM": f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); say(); {SLEEPS}",
    "forks": f"import os; os.fork(); os.fork(); say(); {SLEEPS}",
    "leaves its session": f"import os\nif os.fork() == 0:\n    os.setsid()\nsay()\n{SLEEPS}",
    "leaves its parent": f"import os\nif os.fork() == 0:\n  os.setsid()\n  os.fork() and os._exit(0)\nsay()\n{SLEEPS}",
}
"""Programs by what they do; each process of them says its id."""

SAY = "import os\ndef say(): os.write(1, b'%d\\n' % os.getpid())\n"
LINES = {"ignores SIGTERM": 1, "forks": 4, "leaves its session": 2, "leaves its parent": 2}


def python(text: str, **streams: int) -> Program:
    return start((sys.executable, "-c", SAY + text), **streams)  # type: ignore[arg-type]  # descriptors


@contextmanager
def unruly(name: str, *wrapper: str) -> Iterator[tuple[Program, list[int]]]:
    """Start a program, and yield it with the ids of its processes."""
    command = (*wrapper, sys.executable, "-c", SAY + UNRULY[name])
    with start(command, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        output = b""
        while output.count(b"\n") < LINES[name]:
            output += os.read(program.stdout.fileno(), 100)
        yield program, [int(line) for line in output.split()]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@LINUX
@pytest.mark.parametrize("wrapper", [(), ("/bin/sh", "-c", '"$@"; exit $?', "sh")], ids=["alone", "behind a shell"])
@pytest.mark.parametrize("name", UNRULY)
def test_nothing_is_left_of_an_ended_program(name: str, wrapper: tuple[str, ...]) -> None:
    with unruly(name, *wrapper) as (program, pids):
        assert program.kill() == -signal.SIGKILL
        assert [pid for pid in pids if is_alive(pid)] == []
        assert program.left == ()


@LINUX
def test_nothing_is_left_of_a_dead_program() -> None:
    with unruly("leaves its parent") as (program, pids):
        os.kill(program.pid, signal.SIGSEGV)
        assert program.wait() == -signal.SIGSEGV
        assert [pid for pid in pids if is_alive(pid)] == []


def test_status_and_output_are_those_of_the_program() -> None:
    with python("say(); raise SystemExit(3)", stdout=subprocess.PIPE) as program:
        assert program.wait() == 3
        assert program.stdout is not None
        assert program.stdout.read() == b"%d\n" % program.pid


def test_a_missing_program_is_reported_by_the_system() -> None:
    with pytest.raises(FileNotFoundError):
        start(("/nowhere/at/all",))


def test_program_does_not_inherit_ignored_signals() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with start(("/bin/sleep", "1000")) as program:
            program.signal(signal.SIGINT)
            assert program.wait() == -signal.SIGINT
    finally:
        signal.signal(signal.SIGINT, before)


def test_folder_is_relative_to_the_current_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run(("/bin/pwd",), folder=Path("inner")).output == b"%s/inner\n" % os.fsencode(tmp_path)


def test_waiting_has_a_deadline() -> None:
    with python(SLEEPS) as program:
        assert program.wait(0.01) is None
        assert program.status is None


def test_a_fork_has_nothing_to_do_with_the_programs_of_its_parent() -> None:
    with python(SLEEPS) as program:
        if os.fork() == 0:
            os._exit(0 if program.status is not None else 1)
        _, status = os.wait()
        assert status == 0
        assert program.status is None


LEAVES = """
import socket
from conformance.system.programs import Program
from conformance.system.supervisor import ENDED, LEFT
ours, theirs = socket.socketpair()
theirs.sendall(ENDED.pack(0, 0, 4711, *[0] * (LEFT - 1)))
assert Program(ours, 1, (None, None, None)).wait() == 0
"""


def test_process_left_running_is_named_at_the_end() -> None:
    assert re.search(r"left processes .*: 4711$", run((sys.executable, "-c", LEAVES)).errors, re.MULTILINE)


STARTER = f"""
import os, signal, sys
from conformance.system.programs import start
program = start((sys.executable, "-c", {SLEEPS!r}))
print(program.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_nothing_outlives_a_killed_suite() -> None:
    done = run((sys.executable, "-c", STARTER))
    assert done.status == -signal.SIGKILL
    assert not is_alive(int(done.output))


@LINUX
def test_process_of_the_suite_adopts_no_orphan() -> None:
    """It belongs to its user, whose other programs are none of our business."""
    with unruly("leaves its parent") as (program, pids):
        [orphan] = set(pids) - {program.pid}
        stat = Path(f"/proc/{orphan}/stat").read_text(encoding="utf-8", errors="replace")
        assert int(stat.rpartition(")")[2].split()[1]) != os.getpid()
        assert orphan in process_tree(os.getpid())


def test_endless_output_ends_a_run_with_the_reason() -> None:
    done = run((sys.executable, "-c", "import os\nwhile True: os.write(1, b'x' * 65536)"), most=1 << 20)
    assert done.is_full
    assert "1,048,576 bytes" in done.bound


def test_standard_error_without_end_is_cut() -> None:
    done = run((sys.executable, "-c", "import os\nfor _ in range(100): os.write(2, b'x' * 65536)\nos.write(2, b'end')"))
    assert done.errors.endswith("end")
    assert len(done.errors) < 1 << 17


def test_run_over_its_time_has_the_reason() -> None:
    began = time.monotonic()
    assert "0.1 seconds" in run(("/bin/sleep", "1000"), seconds=0.1).bound
    assert time.monotonic() - began < 500
