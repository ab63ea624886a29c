"""The command `kafka-conformance`.

`LazyGroup` imports the module of a command when it is used.
Most commands take hypothesis, pytest or the definitions of a release, whose import takes a second.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import click

from conformance import __version__
from conformance.commands.common import UnwrittenError
from conformance.system.import_path import leave_current_folder
from conformance.system.terminal import errors_printable, open_standard_streams
from conformance.system.whole_files import NotWritten
from reference.errors import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Mapping


class LazyGroup(click.Group):
    """A group that has commands of modules, too.

    Args:
        modules: the place of each such command, by its name, as `specs_diff:diff`, a module of this package.
    """

    def __init__(self, *arguments: Any, modules: Mapping[str, str], **extra: Any) -> None:
        super().__init__(*arguments, **extra)
        self.modules = modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted; nothing is imported."""
        return sorted({*super().list_commands(ctx), *self.modules})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name; None if there is none."""
        if cmd_name not in self.modules:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self.modules[cmd_name].partition(":")
        return cast("click.Command", getattr(import_module(f"{__package__}.{module}"), attribute))


_NAMES = (
    *("bench", "bridge", "broker", "campaign", "capture", "client", "corpus", "explain", "judge", "kip625", "matrix"),
    *("new", "nightly", "prove", "release", "replay", "report", "rules", "run", "schema", "specs", "vectors"),
)
MODULES = {name: f"{name}:{name}" for name in _NAMES} | {"redact": "capture:redact_command"}
"""The place of each command in this package."""


class Commands(LazyGroup):
    """A group of commands that prints an error for users as its text, without a traceback, and exits with status 1."""

    def main(self, *arguments: Any, **extra: Any) -> Any:
        """Run a command line, whatever standard streams there are."""
        open_standard_streams()
        return super().main(*arguments, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Invoke a command.

        Raises:
            ClickException: it raised a ConformanceError.
        """
        with errors_printable():
            try:
                return super().invoke(ctx)
            except NotWritten as error:
                raise UnwrittenError(str(error)) from error
            except ConformanceError as error:
                raise click.ClickException(str(error)) from error

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        """Return the context of a command line. Errors are as of click."""
        with errors_printable():
            return super().make_context(*arguments, **extra)


@click.group(cls=Commands, modules=MODULES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="kafka-conformance")
def main() -> None:
    """Show where an implementation of the Kafka wire protocol departs from the protocol."""
    leave_current_folder()  # `load_adapter` puts it behind all else
