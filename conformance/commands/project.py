"""The option for an implementation, which takes other options from the user's project."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conformance.commands.suite_command import SuiteOption
from conformance.suite.project_options import project_options
from conformance.system.foreign_warnings import ForeignWarnings
from conformance.system.terminal import echo
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class ImplOption(SuiteOption):
    """The option `--impl`. Its command takes options missing on the command line from the user's project."""

    def __init__(self, *arguments: Any, **extra: Any) -> None:
        # Eager, so that the defaults are set before the other options are read.
        super().__init__(*arguments, is_eager=True, **extra)

    def consume_value(self, ctx: click.Context, opts: Mapping[str, Any]) -> Any:
        """Return the value, with the options of the project as defaults of the command."""
        if not ctx.resilient_parsing:
            _take_project_options(ctx, opts)
            ctx.with_resource(_warnings_counted(ctx))
        return super().consume_value(ctx, opts)


@contextmanager
def _warnings_counted(ctx: click.Context) -> Iterator[None]:
    seen = ForeignWarnings()
    try:
        with seen.taken():
            yield
    finally:
        hint = "-v shows each" if "verbose" in ctx.params else "PYTHONWARNINGS=default shows each"
        seen.show(verbose=bool(ctx.params.get("verbose")), hint=hint)


def _take_project_options(ctx: click.Context, given: Mapping[str, Any]) -> None:
    try:
        options = project_options(Path.cwd())
    except ConformanceError as error:
        raise click.UsageError(str(error), ctx) from error
    taken: dict[str, Any] = {}
    keys = []
    for parameter in ctx.command.params:
        key, name = getattr(parameter, "key", ""), str(parameter.name)
        if key in options.values and name not in given:
            value = options.values[key]
            taken[name] = (value,) if parameter.multiple and not isinstance(value, tuple) else value
            keys.append(key)
    ctx.default_map = {**(ctx.default_map or {}), **taken}
    if line := options.taken(keys):
        echo(line, err=True)
