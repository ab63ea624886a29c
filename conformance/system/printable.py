"""Printable text: no character that a terminal obeys, or does not show as itself.

It imports nothing, since child processes use it that must start fast.
"""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Return `text` with each character that a terminal does not show as itself replaced by its Python escape.

    Control characters (and so ANSI escape sequences, line feeds and carriage returns), bidirectional marks, other
    invisible characters and lone surrogates are escaped; a backslash is not, so that escaping twice changes nothing.

    >>> printable("\x1b[2Jred \u202e")
    '\\x1b[2Jred \\u202e'
    """
    if text.isprintable():
        return text
    return "".join(_escaped(character) for character in text)


def printable_lines(text: str) -> str:
    """Return `text` with each line made printable; tabs become spaces."""
    return "\n".join(printable(line.rstrip("\r")) for line in text.expandtabs(4).split("\n"))


def _escaped(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")


def for_terminal(text: str) -> str:
    """Return a text with every character printable but line ends and tabs."""
    if text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in lines)
