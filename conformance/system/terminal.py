"""The place of output: whatever goes to a terminal goes through here, and no control character of a text gets there.

Texts come from files, peers, implementations and names of files. In them a terminal would obey: escape sequences change
its title and its clipboard, marks of direction show a text otherwise than it is. Each such character is written as its
Python escape, as by `printable`. Colours and the moves of progress bars are rich's own segments, and stay.
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

from conformance.codec.plain_values import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import ConsoleOptions, RenderableType


def for_terminal(text: str) -> str:
    """Return a text with every character printable but line ends and tabs."""
    if text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in lines)


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Write a text to standard output, or to standard error, as by `for_terminal`."""
    click.echo(for_terminal(str(text)), err=err, nl=nl)


def new_console(**options: Any) -> Console:
    """Return a console of rich with those options that writes every text as by `for_terminal`."""
    return _PrintableConsole(**options)


def open_standard_streams() -> None:
    """Open what is closed of standard input, output and error on the null device.

    Python has None for a closed one; and the first file that is opened would be taken for it by child processes.
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
    """Make the messages of click's errors printable: click shows them itself."""
    try:
        yield
    except click.ClickException as error:
        error.message = for_terminal(error.message)  # type: ignore[misc]  # it is formatted when it is shown
        raise


class _PrintableConsole(Console):
    """A console in whose segments of text every text is as by `for_terminal`."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Yield the segments of what is printed, progress bars included."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(for_terminal(segment.text), segment.style)
