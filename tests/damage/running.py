"""Commands that are run in this process, with a check of their end and of their output."""

from __future__ import annotations

from click.testing import CliRunner

from conformance.commands.main import main

STATUSES = (0, 1, 2, 4, 5)
"""The documented exit statuses of commands that read files."""


class Unwanted(AssertionError):
    """An output that no damage may cause."""


def run(*words: str) -> str:
    """Run the command in this process, and return its output.

    Raises:
        Unwanted: it ended in another exception than an exit, with an undocumented status, or with an unprintable
            character in its output.
    """
    done = CliRunner().invoke(main, words)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise Unwanted(f"{' '.join(words)} ends in {done.exception!r}") from done.exception
    unprintable = {character for character in done.output if not character.isprintable()} - set("\n\t")
    if unprintable or done.exit_code not in STATUSES:
        raise Unwanted(f"{' '.join(words)} ends with {done.exit_code} and prints {sorted(unprintable)}")
    return done.output
