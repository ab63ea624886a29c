"""A command for a run of pytest.

click makes its help and its completion, and pytest reads its command line. Plugins of pytest may have options unknown
here, so click does not read them.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conformance.suite.option import option
from conformance.system.terminal import echo

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from conformance.suite.option import Option

PYTEST_OPTIONS = (
    option("-n", "Run so many processes (pytest-xdist).", metavar="NUMBER"),
    option("-k", "Run the tests that an expression matches by their names.", metavar="EXPRESSION"),
    option("-m", "Run the tests that an expression matches by their marks: -m 'not hypothesis'.", metavar="EXPRESSION"),
    option("-x", "Stop at the first finding.", action="store_true"),
    option("-q", "Print one line for the whole run.", action="store_true"),
    option(
        "-v",
        "Print each known failure in full, and why parts were not tested; -vv prints each test item, too.",
        action="store_true",
    ),
    option("--durations", "Print the slowest test items.", metavar="NUMBER"),
)
"""Useful options of pytest."""

HELP = frozenset(("-h", "--help"))

Rows = list[tuple[str, str]]


class SuiteCommand(click.Command):
    """A command with the options of pytest and of the suite.

    Args:
        usages: the words after its name on the command line, in each form.
        sections: its options, under the headings of its help.
        tables: other rows of its help, under their headings.
    """

    def __init__(
        self,
        *arguments: Any,
        usages: Sequence[str],
        sections: Mapping[str, Sequence[Option]],
        tables: Mapping[str, Rows] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(*arguments, **{**extra, "add_help_option": False})
        self.usages = usages
        self.sections = sections
        self.tables = tables or {}
        self.context_settings = {"ignore_unknown_options": True, **self.context_settings}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the command line unchanged, or print the help on request."""
        if HELP & set(args) and not ctx.resilient_parsing:
            echo(ctx.get_help())
            ctx.exit()
        return super().parse_args(ctx, args)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """Return the parameters.

        Those of pytest are included only for a completion by the shell.
        """
        own = super().get_params(ctx)
        return [*own, *map(_as_click, chain(*self.sections.values()))] if ctx.resilient_parsing else own

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each form of the command line."""
        for usage in self.usages:
            formatter.write_usage(ctx.command_path, usage)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write options and other rows under their headings."""
        options = [each for each in super().get_params(ctx) if isinstance(each, click.Option)]
        own = [record for each in options if (record := each.get_help_record(ctx))]
        rows = {heading: [(each.usage, each.full_help) for each in of] for heading, of in self.sections.items()}
        first, *_ = rows
        rows[first] = [*rows[first], ("-h, --help", "Show this message and exit.")]
        for heading, shown in ({**({"Single frames": own} if own else {}), **rows, **self.tables}).items():
            with formatter.section(heading):
                formatter.write_dl(shown)


def _as_click(entry: Option) -> click.Option:
    """Return an option of pytest as one of click, for the completion."""
    attributes = entry.attributes
    kinds: Any = {Path: click.Path()}
    kind = click.Choice(attributes["choices"]) if "choices" in attributes else kinds.get(attributes.get("type"))
    return click.Option(
        [entry.name],
        help=entry.help,
        type=kind or (click.Path() if entry.name == "--impl" else None),
        is_flag=attributes.get("action") == "store_true",
        multiple=attributes.get("action") == "append",
        expose_value=False,
    )
