"""Texts without any character that a terminal obeys or hides.

This module imports nothing: child processes use it and must start fast.
"""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Return `text` with Python escapes in place of unprintable characters.

    Control characters (and so ANSI escape sequences, line feeds and carriage returns), bidirectional marks, other
    invisible characters and lone surrogates are escaped. A backslash stays, so escaping twice changes nothing.

    >>> printable("\x1b[2Jred \u202e")
    '\\x1b[2Jred \\u202e'
    """
    if text.isprintable():
        return text
    return "".join(_escaped(character) for character in text)


def printable_lines(text: str) -> str:
    """Return `text` with each line made printable and spaces in place of tabs."""
    return "\n".join(printable(line.rstrip("\r")) for line in text.expandtabs(4).split("\n"))


def _escaped(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")


def for_terminal(text: str) -> str:
    """Return a text with every character printable but line ends and tabs."""
    if text.isprintable():
        return text
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in lines)
