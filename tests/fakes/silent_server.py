"""Servers that do not answer once, as on a machine that is busy, and are sound otherwise."""

from __future__ import annotations

from tests.fakes.lying_server import FIND_COORDINATOR, Honest


class SilentOnce(Honest):
    """Answers all requests of one API but the first, and closes at all frames without a header but the first two."""

    spared, silent, silent_when_broken = 0, 1, 2

    def answer(self, payload: bytes) -> bytes | None:
        is_broken = self.is_broken(payload)
        if not is_broken and self.api_key(payload) != FIND_COORDINATOR:
            return super().answer(payload)
        self.server.frames += 1
        last = self.spared + (self.silent_when_broken if is_broken else self.silent)
        return b"" if self.spared < self.server.frames <= last else super().answer(payload)


class SilentSecond(SilentOnce):
    """Answers all requests of one API but the second."""

    spared = 1
