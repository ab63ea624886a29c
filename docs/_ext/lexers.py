"""The colours of annotated bytes in the book."""

from __future__ import annotations

from typing import ClassVar

from pygments.lexer import RegexLexer
from pygments.token import Comment, Number, Text


class HexLexer(RegexLexer):  # type: ignore[misc]  # Pygments has no types
    """Bytes in hex, each part followed by a note."""

    name = "hex"
    tokens: ClassVar = {
        "root": [
            (r"^(?:[0-9a-f]{2}(?:\*\d+)?(?: |$))+", Number.Hex),
            (r".+", Comment),
            (r"\n", Text),
        ]
    }
