"""Docstrings in a form for autodoc.

They have Google's sections and Markdown's backticks. Other markup of reStructuredText is escaped. A word in single
backticks is code by Sphinx's `default_role`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_CODE = re.compile(r"(`+[^`]+`+)")
_MARKUP = re.compile(r"([*|\\]|_(?=\W|$))")
_EXAMPLE = re.compile(r"\s*(>>>|\.\.\.) ")


_TYPE = ":type: "
ATTRIBUTES = ("attribute", "data", "property")


def escape_docstring(_app: Sphinx, _what: str, _name: str, _obj: object, _options: Any, lines: list[str]) -> None:
    """Escape the lines of one docstring in place, before napoleon reads them."""
    lines[:] = map(escaped, lines)


def join_first_line(_app: Sphinx, what: str, _name: str, _obj: object, _options: Any, lines: list[str]) -> None:
    """Join the first line of an attribute's docstring, as napoleon takes the words before a colon for a type."""
    words = next((line.removeprefix(_TYPE) for line in lines if line.startswith(_TYPE)), "")
    if what in ATTRIBUTES and words:
        lines.remove(_TYPE + words)
        lines[0] = f"{words}: {lines[0]}"


def escaped(line: str) -> str:
    """Return a line with escaped markup, except for backticks and for the whole line of an example."""
    if _EXAMPLE.match(line):
        return line
    pieces = _CODE.split(line)
    return "".join(piece if piece.startswith("`") else _MARKUP.sub(r"\\\1", piece) for piece in pieces)
