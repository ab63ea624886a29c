"""Groups of commands that import the module of a command when it is used: `LazyGroup`.

Most commands take hypothesis, pytest or the definitions of a release, whose import takes a second.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import click

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
