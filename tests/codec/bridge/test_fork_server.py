import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from conformance.codec.bridge.fork_server import ForkedChild, ForkServer
from conformance.codec.bridge.harness_errors import HarnessDiedError, HarnessLostError, HarnessStartError
from conformance.codec.bridge.transport import JsonLinesProcess


@contextmanager
def closing(child: ForkedChild) -> Iterator[ForkedChild]:
    """Close the pipes of a child."""
    yield child
    for pipe in (child.stdin, child.stdout, child.stderr):
        pipe.close()


ECHO = """
import json, os, sys, threading, time
from conformance.codec.bridge.fork_server import serve
prepared = []
def work():
    for line in sys.stdin:
        request = json.loads(line)
        if "signal" in request:
            os.kill(os.getpid(), request["signal"])
        sys.stdout.write(json.dumps({"id": request["id"], "prepared": prepared}) + "\\n")
        sys.stdout.flush()
"""
SERVE = "serve(int(sys.argv[1]), work, lambda content: prepared.append(content.decode()))"


@contextmanager
def fork_server(program: str) -> Iterator[ForkServer]:
    """A fork server of `program`."""
    server = ForkServer((sys.executable, "-c", program), os.environ)
    try:
        yield server
    finally:
        server.close()


def test_a_child_answers() -> None:
    with fork_server(ECHO + SERVE) as server:
        process = JsonLinesProcess(server.fork)
        assert process.exchange([{}, {}]) == [{"prepared": []}] * 2
        process.close()


def test_children_live_side_by_side() -> None:
    with fork_server(ECHO + SERVE) as server:
        first, second = JsonLinesProcess(server.fork), JsonLinesProcess(server.fork)
        assert first.exchange([{}]) == second.exchange([{}])
        first.close()
        assert second.exchange([{}]) == [{"prepared": []}]
        second.close()


def test_prepared_module_is_in_later_children_too() -> None:
    with fork_server(ECHO + SERVE) as server:
        first = JsonLinesProcess(lambda: server.fork(prepare=b"one"))
        second = JsonLinesProcess(server.fork)
        assert first.exchange([{}]) == second.exchange([{}]) == [{"prepared": ["one"]}]
        first.close()
        second.close()


def test_signal_of_a_child_s_end_is_reported() -> None:
    with fork_server(ECHO + SERVE) as server:
        process = JsonLinesProcess(server.fork)
        with pytest.raises(HarnessDiedError, match="ended by SIGSEGV"):
            process.exchange([{"signal": signal.SIGSEGV}])
        process.close()


def test_a_killed_fork_server_is_distinguished_from_an_ended_one() -> None:
    with fork_server(ECHO + SERVE) as server:
        process = JsonLinesProcess(lambda: server.fork(prepare=b"one"))
        os.kill(server.pid, signal.SIGKILL)
        with pytest.raises(HarnessLostError, match="ended by SIGKILL"):
            server.fork()
        process.close()


def test_waiting_for_a_child_has_a_deadline() -> None:
    with fork_server(ECHO + SERVE) as server, closing(server.fork()) as child:
        assert child.wait(0.01) is None
        assert child.kill() == -signal.SIGKILL


def test_no_fork_is_offered_where_there_are_threads() -> None:
    thread = "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
    with fork_server(ECHO + thread + SERVE) as server:
        assert not server.can_fork


def test_failed_start_of_a_fork_server_reports_its_standard_error() -> None:
    with pytest.raises(HarnessStartError, match=r"exit status 3; .*: lost"):
        ForkServer((sys.executable, "-c", "import sys; sys.stderr.write('lost'); sys.exit(3)"), os.environ)


def test_no_child_outlives_its_fork_server() -> None:
    with fork_server(ECHO + SERVE) as server, closing(server.fork()) as child:
        server.close()
        assert child.stdout.read() == b""
