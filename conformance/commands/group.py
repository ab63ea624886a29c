"""A group of commands under headings, imported when they are used, with suggestions for misspelt names."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import click

from reference.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAXIMUM_SHORT_HELP = 45
"""The number of characters of the help of a command in the list of its group, so that no line of 80 columns is cut."""

OTHERS = "Commands"
"""The heading of commands without another one."""


class LazyCommand(NamedTuple):
    """A command of another module."""

    place: str
    """A module of this package and its attribute, like `specs_diff:diff`."""
    short_help: str


class CommandGroup(click.Group):
    """A group with commands of other modules, by name. `headings` has the names under each heading of the help."""

    def __init__(
        self,
        *arguments: Any,
        modules: Mapping[str, LazyCommand] | None = None,
        headings: Mapping[str, Sequence[str]] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(*arguments, **extra)
        self.modules = dict(modules or {})
        self.headings = dict(headings or {})

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, sorted."""
        return sorted({*super().list_commands(ctx), *self.modules})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of a name, or None if there is none."""
        if cmd_name not in self.modules:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self.modules[cmd_name].place.partition(":")
        return cast("click.Command", getattr(import_module(f"{__package__}.{module}"), attribute))

    def summary_of(self, ctx: click.Context, name: str) -> str:
        """Return the help of a command for the list of commands."""
        if name in self.modules:
            return self.modules[name].short_help
        command = self.get_command(ctx, name)
        return command.get_short_help_str(MAXIMUM_SHORT_HELP) if command else ""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under their headings."""
        names = self.list_commands(ctx)
        width = max(map(len, names))
        for heading, of_heading in self._by_heading(names).items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:{width}}", self.summary_of(ctx, name)) for name in of_heading])

    def _by_heading(self, names: Sequence[str]) -> dict[str, Sequence[str]]:
        placed = {name for of_heading in self.headings.values() for name in of_heading}
        others = [name for name in names if name not in placed]
        return {**self.headings, **({OTHERS: others} if others else {})}

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command of a command line, or raise `UsageError` for an unknown name."""
        name = str(args[0])
        # A completion looks for the command of a name half typed, so an unknown name is no error then.
        is_name = not name.startswith("-") and not ctx.resilient_parsing
        if is_name and self.get_command(ctx, name) is None:
            hint = suggestion(name, self.list_commands(ctx), f"`{ctx.command_path} --help` lists them all")
            ctx.fail(f"there is no command {name!r}; {hint}")
        return super().resolve_command(ctx, args)
