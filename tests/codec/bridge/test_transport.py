import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE

import pytest

from conformance.codec.bridge.harness_errors import HarnessDiedError, HarnessProtocolError, HarnessTimeoutError
from conformance.codec.bridge.transport import ALLOWANCE, WINDOW, JsonLinesProcess, program
from conformance.system.proc import Task, processor_seconds
from conformance.system.programs import start

HONEST = """
for line in sys.stdin:
    print(line, end="", flush=True)
"""
DIES_ON_THE_THIRD = """
for number, line in enumerate(sys.stdin):
    if number == 2:
        sys.exit("no threes, please")
    print(line, end="", flush=True)
"""
NEVER_READS = """
time.sleep(60)
"""
SKIPS_ONE = """
sys.stdin.readline()
for line in sys.stdin:
    print(line, end="", flush=True)
"""
SAYS_HELLO_FIRST = """
print("Welcome!", flush=True)
sys.stdin.read()
"""

FLOAT_IDS = """
import json
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps({**request, "id": float(request["id"])}), flush=True)
"""


@contextmanager
def child(text: str, *, deadline: float = 30) -> Iterator[JsonLinesProcess]:
    """Run a program of Python with `sys` and `time`."""
    process = JsonLinesProcess(program((sys.executable, "-c", f"import sys, time\n{text}")), deadline=deadline)
    try:
        yield process
    finally:
        process.close()


def test_replies_come_in_the_order_of_the_requests_and_without_ids() -> None:
    with child(HONEST) as process:
        assert process.exchange([{"op": "a"}, {"op": "b"}]) == [{"op": "a"}, {"op": "b"}]
        assert process.exchange([{"op": "c"}]) == [{"op": "c"}]


def test_requests_and_replies_larger_than_any_pipe_do_not_block() -> None:
    requests = [{"wire": "ab" * 20_000} for _ in range(2 * WINDOW)]
    with child(HONEST) as process:
        assert process.exchange(requests) == requests


def test_window_bounds_the_requests_in_flight() -> None:
    taken = []

    def source() -> Iterator[dict[str, int]]:
        for number in range(10 * WINDOW):
            taken.append(number)
            yield {"number": number}

    with child(NEVER_READS, deadline=0.2) as process, pytest.raises(HarnessTimeoutError):
        process.exchange(source())
    assert len(taken) <= WINDOW


def test_a_death_is_reported_with_the_replies_before_it_and_its_last_words() -> None:
    with child(DIES_ON_THE_THIRD) as process, pytest.raises(HarnessDiedError) as death:
        process.exchange([{"number": number} for number in range(5)])
    assert death.value.replies == [{"number": 0}, {"number": 1}]
    assert "request 2" in str(death.value)
    assert "exit status 1" in str(death.value)
    assert "no threes, please" in str(death.value)


def test_after_a_failure_the_process_refuses_further_requests() -> None:
    with child(DIES_ON_THE_THIRD) as process:
        with pytest.raises(HarnessDiedError):
            process.exchange([{}] * 3)
        with pytest.raises(RuntimeError, match="start another"):
            process.exchange([{}])


def test_child_without_any_reading_is_stopped_at_the_deadline() -> None:
    """More is sent than the pipe holds, so the sending is stuck as well."""
    with child(NEVER_READS, deadline=0.5) as process, pytest.raises(HarnessTimeoutError, match=r"within 0\.5 seconds"):
        process.exchange([{"wire": "ab" * 1_000_000}])


@pytest.mark.parametrize(
    "text", [SKIPS_ONE, SAYS_HELLO_FIRST, FLOAT_IDS], ids=["skips one", "says hello first", "floats as ids"]
)
def test_reply_to_another_than_the_oldest_request_is_an_error(text: str) -> None:
    with child(text) as process, pytest.raises(HarnessProtocolError, match="answered request 0"):
        process.exchange([{"number": 0}, {"number": 1}])


FLOODS = {
    "without the end of a line": "while True: os.write(1, b'x' * 65536)",
    "of JSON": "while True: os.write(1, b'[[],' * 65536)",
}


@pytest.mark.parametrize("text", FLOODS.values(), ids=FLOODS)
def test_output_without_end_is_an_error_with_the_bound(text: str) -> None:
    error = f"wrote more than {ALLOWANCE >> 20} MiB, and 64 times the size of the requests"
    with child(f"import os\n{text}") as process, pytest.raises(HarnessProtocolError, match=error):
        process.exchange([{}])


def test_standard_error_is_read_while_replies_are_awaited() -> None:
    with child(f"sys.stderr.write('x' * {4 << 20})\n{HONEST}") as process:
        assert process.exchange([{"op": "a"}]) == [{"op": "a"}]


@pytest.mark.parametrize("number", ["0.0", "false"])
def test_id_other_than_the_sent_number_is_an_error(number: str) -> None:
    lies = f"""
sys.stdin.readline()
print('{{"id": {number}}}', flush=True)
"""
    with child(lies) as process, pytest.raises(HarnessProtocolError, match="answered request 0"):
        process.exchange([{}])


LATE = """
line = sys.stdin.readline()
time.sleep(0.8)
print(line, end="", flush=True)
"""


def test_child_without_a_processor_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine does not make a slow answer a failure."""
    monkeypatch.setattr("conformance.system.time_limits.task_tree", lambda _pid: {1: Task(0.0, None, is_ready=True)})
    with child(LATE, deadline=0.3) as process:
        assert process.exchange([{"op": "decode"}]) == [{"op": "decode"}]


def test_errors_without_end_are_stopped_at_the_deadline() -> None:
    text = "while True: sys.stderr.write('x'); sys.stderr.flush()"
    with child(text, deadline=0.3) as process, pytest.raises(HarnessTimeoutError, match=r"within 0\.3 seconds"):
        process.exchange([{}])


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system does not report it by files")
def test_the_processor_time_of_a_process_counts_its_children() -> None:
    """A shell around a harness takes none itself."""
    busy = "import time\nwhile time.process_time() < 0.2: pass\nprint(1, flush=True)\ntime.sleep(1000)"
    with start(("/bin/sh", "-c", '"$@"; exit', "sh", sys.executable, "-c", busy), stdout=PIPE) as shell:
        assert shell.stdout is not None
        shell.stdout.readline()
        assert processor_seconds(shell.pid) > 0.1


def test_missing_process_has_no_processor_time() -> None:
    """No process has any on systems without a report of it."""
    assert processor_seconds(2**22 + 1) == 0.0
