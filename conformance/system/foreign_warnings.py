"""Warnings of the implementation under test, counted instead of printed.

A library with two deprecated calls gives hundreds of warnings at its import, in each process. The user needs one line.
What the user chooses by `-W` or PYTHONWARNINGS stays as it is.
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, TextIO

from conformance.system.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SHOWN = 100
"""The number of characters of a warning in the line about all of them."""

DISTINCT = 1_000
"""The most distinct warnings that are kept: a text may have a number in it."""


class ForeignWarning(NamedTuple):
    """A warning, by the facts in which it may equal others."""

    category: str
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        return f"{self.category}, {place}: {self.text}"


class ForeignWarnings:
    """The warnings of an implementation in one process, each with its number."""

    def __init__(self) -> None:
        self.counts: Counter[ForeignWarning] = Counter()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Count the warnings of a block, by Python's own filter for developers: once for each place and text."""
        if sys.warnoptions:
            yield
            return
        with warnings.catch_warnings():
            warnings.simplefilter("default")
            warnings.showwarning = self._take
            yield

    def add(self, counts: Iterable[tuple[ForeignWarning, int]]) -> None:
        """Add the warnings of another process."""
        for warning, count in counts:
            if warning in self.counts or len(self.counts) < DISTINCT:
                self.counts[warning] += count

    def show(self, *, verbose: bool, hint: str) -> None:
        """Print a line about all of them on standard error, or with `verbose` one about each distinct one.

        A line about several ends with `hint`, on how to see each of them.
        """
        if verbose:
            for warning, count in self.counts.items():
                echo(f"warning of the implementation, {_times(count)}: {warning}", err=True)
        elif self.counts:
            more = f"; {hint}" if len(self.counts) > 1 or len(next(iter(self.counts)).text) > SHOWN else ""
            echo(f"{self._summary()}{more}", err=True)

    def _summary(self) -> str:
        classes: Counter[str] = Counter()
        for warning, count in self.counts.items():
            classes[warning.category] += count
        first = next(iter(self.counts))
        text = " ".join(first.text.split())
        shown = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
        kinds = ", ".join(f"{count:,} {name}" for name, count in classes.items())
        return f"warnings of the implementation: {kinds}; the first of {_module_of(first.file)}: {shown}"

    def _take(  # noqa: PLR0913, PLR0917  # the form of `warnings.showwarning`
        self,
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,  # noqa: ARG002
        line: str | None = None,  # noqa: ARG002
    ) -> None:
        self.add([(ForeignWarning(category.__name__, filename, lineno, str(message)), 1)])


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def _module_of(file: str) -> str:
    """Return the name of the module of a file, or the file if it is of no imported module."""
    names = (name for name, module in sys.modules.copy().items() if getattr(module, "__file__", None) == file)
    return next((name for name in names if name != "__main__"), file)
