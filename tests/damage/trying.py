"""Trials of damaged files, each within a limit of time."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

from reference import ConformanceError
from tests.damage.damages import damaged
from tests.damage.formats import FORMATS, without_network
from tests.damage.running import Unwanted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import FrameType

SECONDS = 10.0
"""The limit of processor time for one file of some KB."""

CLOCK = 120.0
"""The limit of the clock, for a reader that waits."""


class Hang(BaseException):
    """A reader does not end. Nothing that it catches may hide this."""


def findings_of(name: str, numbers: range, folder: Path) -> Iterator[str]:
    """Yield what no damage may cause, for a file of a format with each of these damages.

    An error of this project, or of the system, is no finding. Neither is another text, except in a check.
    """
    form = FORMATS[name]
    path = form.make(folder)
    content = path.read_bytes()
    sound = form.read(path)
    assert sound
    for number in numbers:
        changed = damaged(content, f"{name}/{number}", form.document)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(changed)
        problem = _problem(name, path, sound)
        if problem:
            yield f"damage {number} of {name}: {problem}: {_difference(content, changed)!r}"


def _problem(name: str, path: Path, sound: object) -> str:
    """Return the problem of a damaged file, or empty text."""
    form = FORMATS[name]
    try:
        with _limited(), without_network():
            read = form.read(path)
    except Unwanted as error:
        return str(error)
    except (ConformanceError, OSError):
        return ""
    except Hang:
        return f"no end within {SECONDS:g} s of processor time or {CLOCK:g} s"
    except Exception as error:  # noqa: BLE001  # any other is a finding
        return repr(error)
    return "not seen" if form.is_checked and read not in (None, sound) else ""


def _difference(content: bytes, changed: bytes) -> bytes:
    """Return the bytes around the first changed one."""
    same = next((at for at, (one, two) in enumerate(zip(content, changed, strict=False)) if one != two), len(changed))
    return changed[max(same - 60, 0) : same + 200]


@contextmanager
def _limited() -> Iterator[None]:
    def end(_number: int, _frame: FrameType | None) -> None:
        raise Hang

    for number, timer, seconds in (
        (signal.SIGPROF, signal.ITIMER_PROF, SECONDS),
        (signal.SIGALRM, signal.ITIMER_REAL, CLOCK),
    ):
        signal.signal(number, end)
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
