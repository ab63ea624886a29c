"""Words of command lines for people to paste into a shell."""

from __future__ import annotations


def path_word(path: object) -> str:
    """Return a path as a word that no command takes for an option.

    >>> path_word("-dash")
    './-dash'
    """
    text = str(path)
    return f"./{text}" if text.startswith("-") else text
