"""Text for a terminal, wrapped to its width, and coloured if it has colours. It has no control characters."""

from __future__ import annotations

from io import StringIO
from textwrap import wrap
from typing import TYPE_CHECKING

from rich.text import Text

from conformance.system.printable import printable
from conformance.system.terminal import new_console

if TYPE_CHECKING:
    from rich.table import Table

INDENT = 4

MINIMUM_WIDTH = 40
"""The smallest width of lines, also on a narrower terminal."""


class WrappedText:
    """Text for a terminal, gathered line by line."""

    def __init__(self, width: int, *, color: bool) -> None:
        self.width = max(width, MINIMUM_WIDTH)
        self._file = StringIO()
        self._console = new_console(
            file=self._file,
            width=self.width,
            force_terminal=color,
            no_color=not color,
            highlight=False,
            legacy_windows=False,
        )

    def rule(self, title: str) -> None:
        """Add a title, between lines to both sides."""
        self._console.rule(Text(printable(title), style="bold"), characters="=")

    def add(self, text: str = "", *, indent: int = 0, style: str = "") -> None:
        """Add one line, wrapped with a deeper indentation if it is too long."""
        for line in self._wrapped(printable(text), indent) or [""]:
            self._print(line, style)

    def add_whole(self, text: str, *, indent: int = 0, style: str = "") -> None:
        """Add one line without wrapping, as commands must stay whole to be copied, and bytes stand above their mark."""
        self._print(" " * indent + printable(text), style)

    def table(self, table: Table) -> None:
        """Add a table of rich."""
        self._console.print(table)

    def _wrapped(self, text: str, indent: int) -> list[str]:
        first, below = " " * indent, " " * (indent + INDENT)
        return wrap(text, self.width, initial_indent=first, subsequent_indent=below, break_on_hyphens=False)

    def _print(self, line: str, style: str) -> None:
        self._console.print(Text(line, style=style), soft_wrap=True)

    def __str__(self) -> str:
        return "".join(f"{line.rstrip()}\n" for line in self._file.getvalue().splitlines())
