import time

import pytest

from conformance.commands import common


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "SLOW_POLL", 0.01)


def test_without_a_terminal_each_tenth_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    done = iter(range(100))
    with common.watched(20, lambda: min(next(done), 4)):
        time.sleep(0.3)
    assert capsys.readouterr().err.splitlines() == ["10 %: 2 of 20 parts", "20 %: 4 of 20 parts"]


def test_without_a_terminal_a_long_time_is_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(common, "MINUTE", 0.0)
    with common.watched(20, lambda: 1, "; busy"):
        time.sleep(0.3)
    assert capsys.readouterr().err.splitlines()[0] == "5 %: 1 of 20 parts; busy"
