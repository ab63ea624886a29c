"""Signals with the effect of control-C on a command."""

import os
import signal
from collections.abc import Iterator

import pytest

from conformance.commands.main import interruptible

NUMBERS = (signal.SIGTERM, signal.SIGHUP)


@pytest.fixture
def defaults() -> Iterator[None]:
    """Have the signals end this process, whatever has started it."""
    before = [signal.signal(number, signal.SIG_DFL) for number in NUMBERS]
    yield
    for number, handler in zip(NUMBERS, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.usefixtures("defaults")
@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_is_an_interrupt_within_a_command(number: signal.Signals) -> None:
    with pytest.raises(KeyboardInterrupt), interruptible():
        os.kill(os.getpid(), number)
    assert signal.getsignal(number) is signal.SIG_DFL


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
