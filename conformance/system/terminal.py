"""Output to a terminal, free of control characters from texts.

Texts come from files, peers, implementations and names of files. A terminal would obey escape sequences in them, for
example to change its title or its clipboard. Bidirectional marks would show a text in another order. Each of these
characters is written as its Python escape, as by `printable`. Rich's own segments, for colours and progress bars, stay.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.segment import Segment

from conformance.system.printable import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import ConsoleOptions, RenderableType


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Write a text to standard output or standard error, as by `for_terminal`."""
    click.echo(for_terminal(str(text)), err=err, nl=nl)


def new_console(**options: Any) -> Console:
    """Return a console of rich with these options, for texts as by `for_terminal`."""
    return _PrintableConsole(**options)


def open_standard_streams() -> None:
    """Open closed standard streams on the null device.

    Python has None for a closed stream. Child processes would take the next file opened here for that stream.
    """
    for descriptor, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            try:
                os.fstat(descriptor)
            except OSError:
                os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # as long as the process


@contextmanager
def errors_printable() -> Iterator[None]:
    """Make the messages of click's errors printable, since click shows them itself."""
    try:
        yield
    except click.ClickException as error:
        error.message = for_terminal(error.message)  # type: ignore[misc]  # it is formatted when it is shown
        raise


class _PrintableConsole(Console):
    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Yield the segments of the output, progress bars included."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(for_terminal(segment.text), segment.style)
