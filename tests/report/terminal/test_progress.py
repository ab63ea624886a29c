import os
import re

import pytest

from tests.helpers.runs import LIARS, started, suite_on

PROCESSES = {"one process": (), "worker": ("-n1",)}


@pytest.mark.parametrize("options", PROCESSES.values(), ids=PROCESSES)
def test_a_log_has_one_line_of_progress(options: tuple[str, ...]) -> None:
    text = suite_on("Honest", *options).ended(0)
    assert text.count("10 % 20 % 30 % 40 % 50 % 60 % 70 % 80 % 90 % 100 % \n") == 1
    assert "test_edge_values" not in text


@pytest.mark.parametrize("options", PROCESSES.values(), ids=PROCESSES)
def test_a_quiet_run_prints_one_line(options: tuple[str, ...]) -> None:
    text = suite_on("LittleEndian", "-q", *options).ended(1)
    assert len(text.splitlines()) == 1
    assert "1 cause (2 findings); " in text


def test_quiet_run_without_tests_gives_the_reason() -> None:
    text = suite_on("Honest", "-q", "-k", "no_such_test").ended(5)
    assert "nothing was tested" in text


def test_pytest_shows_each_item_if_asked_twice() -> None:
    assert "] PASSED" not in suite_on("Honest", "-v").text
    assert "values[HeartbeatResponse-v0] PASSED" in suite_on("Honest", "-vv").text


def on_a_terminal(liar: str) -> str:
    """Run the suite on a terminal of 80 columns, and return its output."""
    terminal, process_side = os.openpty()
    words = ("conformance/", "-p", "no:cacheprovider", "--isolation=never", f"--impl={LIARS}:{liar}")
    process = started(pytest.main, *words, output=process_side, columns=80)
    os.close(process_side)
    written = b"".join(iter(lambda: _read(terminal), b""))
    os.close(terminal)
    process.join()
    assert process.exitcode == 1, written
    return written.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side is closed
        return b""


@pytest.fixture(autouse=True)
def _colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


def test_terminal_has_one_overwritten_line() -> None:
    text = on_a_terminal("LittleEndian")
    assert "\x1b[" in text
    assert re.search(r"\r *\d+ %  \d+ of \d+ items  2 new .* 0:\d\d", text)
    assert "10 % 20 %" not in text


def test_a_terminal_with_no_color_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in on_a_terminal("LittleEndian")
