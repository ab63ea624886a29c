"""The command `kafka-conformance completion`, which prints the script for the completion of this command in a shell."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, FishComplete, ShellComplete, ZshComplete

from conformance.system.terminal import echo

PROGRAM = "kafka-conformance"
VARIABLE = "_KAFKA_CONFORMANCE_COMPLETE"
"""The environment variable of the script for its questions to this command."""

EPILOG = """
\b
bash, in ~/.bashrc:
  eval "$(kafka-conformance completion bash)"
zsh, in ~/.zshrc:
  eval "$(kafka-conformance completion zsh)"
fish, in ~/.config/fish/config.fish:
  kafka-conformance completion fish | source
"""

SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


@click.command(epilog=EPILOG)
@click.argument("shell", type=click.Choice(tuple(SHELLS)))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Print the script by which a shell completes commands and options.

    The options of `run` and `broker` are completed, too.
    """
    command = context.find_root().command
    echo(SHELLS[shell](command, {}, PROGRAM, VARIABLE).source())
