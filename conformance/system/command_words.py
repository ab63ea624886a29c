"""Commands that a user writes as one text."""

from __future__ import annotations

import shlex

from reference.errors import ConformanceError

SHOWN = 80
"""The number of characters of a wrong command in an error."""


class BadCommand(ConformanceError):
    """A text that is no command.

    Attributes:
        problem: what is wrong with it, and what to do.
    """

    def __init__(self, command: str, problem: str) -> None:
        super().__init__(command, problem)
        self.command = command
        self.problem = problem

    def __str__(self) -> str:
        return f"{self.command[:SHOWN]!r}: {self.problem}"


def command_words(command: str) -> list[str]:
    """Return the words of a command, split as in a shell.

    Raises:
        BadCommand: it has no words, or a quote is not closed.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        hint = "close it, or write a backslash before what is meant as a character"
        raise BadCommand(command, f"the command cannot be split into words: {error}; {hint}") from error
    if not words or not words[0]:
        raise BadCommand(command, "there is no command")
    return words
