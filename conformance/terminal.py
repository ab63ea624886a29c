"""The place of output: whatever goes to a terminal goes through here, and no control character of a text gets there.

Texts come from files, peers, implementations and names of files. In them a terminal would obey: escape sequences change
its title and its clipboard, marks of direction show a text otherwise than it is. Each such character is written as its
Python escape, as by `printable`. Colours and the moves of progress bars are rich's own segments, and stay.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.segment import Segment

from conformance.implementation.plain_values import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import ConsoleOptions, RenderableType


def echo(text: object = "", *, err: bool = False, nl: bool = True) -> None:
    """Write a text to standard output, or to standard error, with every character printable but line ends."""
    click.echo(printable_lines(str(text)), err=err, nl=nl)


def new_console(**options: Any) -> Console:
    """Return a console of rich with those options that writes every character of a text printable but line ends."""
    return _PrintableConsole(**options)


@contextmanager
def errors_printable() -> Iterator[None]:
    """Make the messages of click's errors printable: click shows them itself."""
    try:
        yield
    except click.ClickException as error:
        error.message = printable_lines(error.message)  # type: ignore[misc]  # it is formatted when it is shown
        raise


class _PrintableConsole(Console):
    """A console in whose segments of text every character is printable but line ends."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Yield the segments of what is printed, progress bars included."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(_with_line_ends(segment.text), segment.style)


def _with_line_ends(text: str) -> str:
    return text if text.isprintable() else "\n".join(map(printable, text.split("\n")))
