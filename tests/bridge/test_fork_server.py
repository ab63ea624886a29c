"""Children are forked from a template, one after the other; what becomes of them is known here."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from conformance.bridge.fork_server import Template, TemplateError
from conformance.bridge.transport import HarnessDiedError, JsonLinesProcess

if TYPE_CHECKING:
    from collections.abc import Iterator

ECHO = """
import json, os, sys, threading, time
from conformance.bridge.fork_server import serve
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
def template(program: str) -> Iterator[Template]:
    """A template that runs `program`."""
    made = Template((sys.executable, "-c", program), os.environ)
    try:
        yield made
    finally:
        made.close()


def test_a_child_answers() -> None:
    """Over pipes of its own."""
    with template(ECHO + SERVE) as made:
        process = JsonLinesProcess(made.fork)
        assert process.exchange([{}, {}]) == [{"prepared": []}] * 2
        process.close()


def test_children_live_side_by_side() -> None:
    """One does not know of the other."""
    with template(ECHO + SERVE) as made:
        first, second = JsonLinesProcess(made.fork), JsonLinesProcess(made.fork)
        assert first.exchange([{}]) == second.exchange([{}])
        first.close()
        assert second.exchange([{}]) == [{"prepared": []}]
        second.close()


def test_what_is_prepared_is_there_in_later_children_too() -> None:
    """The template keeps it."""
    with template(ECHO + SERVE) as made:
        first = JsonLinesProcess(lambda stderr: made.fork(stderr, prepare=b"one"))
        second = JsonLinesProcess(made.fork)
        assert first.exchange([{}]) == second.exchange([{}]) == [{"prepared": ["one"]}]
        first.close()
        second.close()


def test_the_signal_that_ended_a_child_is_told() -> None:
    """Though it is no child of this process."""
    with template(ECHO + SERVE) as made:
        process = JsonLinesProcess(made.fork)
        with pytest.raises(HarnessDiedError, match="ended by SIGSEGV"):
            process.exchange([{"signal": signal.SIGSEGV}])
        process.close()


def test_waiting_for_a_child_has_a_deadline() -> None:
    """As for any process."""
    with template(ECHO + SERVE) as made, tempfile.TemporaryFile() as stderr:
        child = made.fork(stderr)
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(timeout=0.01)
        child.kill()
        assert child.wait() == -signal.SIGKILL
        child.stdin.close()
        child.stdout.close()


def test_no_fork_is_offered_where_there_are_threads() -> None:
    """They would be left behind."""
    thread = "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
    with template(ECHO + thread + SERVE) as made:
        assert not made.can_fork


def test_a_template_that_does_not_start_says_what_it_wrote() -> None:
    """And how it ended."""
    with pytest.raises(TemplateError, match=r"it ended; exit status 3; standard error: no such thing"):
        Template((sys.executable, "-c", "import sys; sys.stderr.write('no such thing'); sys.exit(3)"), os.environ)


def test_no_child_outlives_its_template() -> None:
    """Not even one that is busy."""
    with template(ECHO + SERVE) as made, tempfile.TemporaryFile() as stderr:
        child = made.fork(stderr)
        made.close()
        assert child.stdout.read() == b""
        child.stdin.close()
        child.stdout.close()
