"""The option for an implementation.

It takes options missing on the command line from the user's project.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conformance.suite.project_options import project_options
from conformance.system.terminal import echo
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Mapping

PARAMETERS = {
    "impl": ("impl", "impls"),
    "known-failures": ("known_failures",),
    "release": ("release_name", "releases"),
    "messages": ("messages",),
    "workers": ("workers",),
}
"""The parameters of commands for each key in the section of the project."""


class ImplOption(click.Option):
    """The option `--impl`.

    A command with this option takes options missing on its command line from the user's project.
    """

    def __init__(self, *arguments: Any, **extra: Any) -> None:
        # Eager, so that the defaults are set before the other options are read.
        super().__init__(*arguments, is_eager=True, **extra)

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Return the value, with the options of the project as defaults of the command."""
        if not ctx.resilient_parsing:
            _take_project_options(ctx, opts)
        return super().consume_value(ctx, opts)


def _take_project_options(ctx: click.Context, given: Mapping[str, Any]) -> None:
    """Make the options of the project defaults of a command, and print the taken ones.

    Raises:
        UsageError: the section of the project cannot be used.
    """
    try:
        options = project_options(Path.cwd())
    except ConformanceError as error:
        raise click.UsageError(str(error), ctx) from error
    taken: dict[str, Any] = {}
    keys = []
    for parameter in ctx.command.params:
        name = str(parameter.name)
        for key in (key for key, names in PARAMETERS.items() if name in names and key in options.values):
            if name not in given:
                value = options.values[key]
                taken[name] = [value] if parameter.multiple and not isinstance(value, list) else value
                keys.append(key)
    ctx.default_map = {**(ctx.default_map or {}), **taken}
    if line := options.taken(keys):
        echo(line, err=True)
