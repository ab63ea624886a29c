"""The command `kafka-conformance`."""

from __future__ import annotations

from typing import Any

import click

from conformance.__about__ import __version__
from conformance.commands.common import UnwrittenError
from conformance.commands.lazy import LazyGroup
from conformance.system.import_path import leave_current_folder
from conformance.system.terminal import errors_printable, open_standard_streams
from conformance.system.writing import NotWritten
from reference.errors import ConformanceError

_NAMES = (
    *("bench", "bridge", "broker", "campaign", "capture", "client", "corpus", "explain", "judge", "kip625", "matrix"),
    *("nightly", "prove", "release", "replay", "report", "rules", "run", "schema", "specs", "vectors"),
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
