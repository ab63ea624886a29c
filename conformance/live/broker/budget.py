"""How fast frames are sent to a server, and for how long: bounds that the user of a run sets."""

from __future__ import annotations

import time


class TimeIsUp(Exception):
    """Ends a check: nothing more is asked."""


class Budget:
    """What one process may send.

    Args:
        rate: frames per second at most; 0: as many as the server answers.
        seconds: after which no check goes on, from the first frame on; 0: no end.
    """

    def __init__(self, rate: float = 0.0, seconds: float = 0.0) -> None:
        self.rate = rate
        self.seconds = seconds
        self._next = 0.0
        self._end = 0.0

    def pace(self) -> None:
        """Wait until one more frame may be sent."""
        now = time.monotonic()
        self._end = self._end or now + self.seconds
        if self.rate:
            time.sleep(max(0.0, self._next - now))
            self._next = max(self._next, now) + 1 / self.rate

    def check(self) -> None:
        """See that there is time left.

        Raises:
            TimeIsUp: there is none.
        """
        if self.seconds and self._end and time.monotonic() > self._end:
            raise TimeIsUp(f"the time of the run, {self.seconds:g} s, was up")
