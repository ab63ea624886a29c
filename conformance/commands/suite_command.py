"""The options of the suite as those of a command of click."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from conformance.suite.options import OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from conformance.suite.options import Option

_Command = TypeVar("_Command", bound="Callable[..., Any]")

USAGE_ERROR = 4
"""The exit status of pytest for a wrong option."""

OF_PYTEST = "Options of pytest"

PYTEST_OPTIONS = (
    ("-n NUMBER", "Run so many processes (pytest-xdist)."),
    ("-k EXPRESSION", "Run the tests that an expression matches by their names."),
    ("-m EXPRESSION", "Run the tests that an expression matches by their marks: -m 'not hypothesis'."),
    ("-x", "Stop at the first finding."),
    ("-q", "Print one line for the whole run."),
    ("-v", "Print each known failure in full, and why parts were not tested; -vv prints each test item, too."),
    ("--durations NUMBER", "Print the slowest test items."),
)
"""Useful options of pytest."""

REPEATABLE = "Repeatable."
"""The end of the help of a repeatable option."""


class Value(click.ParamType[Any]):
    """The type of an option, by the type and the limits of its field."""

    name = "number"

    def __init__(self, option: Option) -> None:
        self.option = option

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value, or fail."""
        try:
            return self.option.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, _ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Have the shell complete names of files."""
        return [CompletionItem(incomplete, type="file")]


class SuiteOption(click.Option):
    """An option of the suite as one of a command. Its type, default and help are those of `option`."""

    def __init__(self, declarations: Sequence[str], *, option: Option, heading: str = "", **attributes: Any) -> None:
        self.key, self.heading = option.key, heading or "Options"
        is_repeatable = attributes.get("multiple", option.is_repeatable)
        derived: dict[str, Any] = {
            "type": click.Choice(option.choices) if option.choices else Value(option),
            "multiple": is_repeatable,
            "metavar": option.metavar or None,
            "default": option.default or None,
            "show_default": bool(option.default),
            "help": f"{option.help} {REPEATABLE}" if is_repeatable and REPEATABLE not in option.help else option.help,
        }
        of_flag = {"is_flag": True, "help": option.help}
        super().__init__(declarations, **(of_flag if option.is_flag else {**derived, **attributes}))


def suite_option(name: str, *names: str, **attributes: Any) -> Callable[[_Command], _Command]:
    """Return an option of the suite, by the name of its field, as an option of a command."""
    option = OPTIONS[name]
    return click.option(option.flag, *names, **{"cls": SuiteOption, "option": option, **attributes})


class SuiteCommand(click.Command):
    """A command that runs pytest with the words it does not know. All its options are long, as short ones are pytest's.

    `options` are those of the suite and `tables` are other rows of the help, under their headings. `own` is the heading
    of other options, `usages` are the words after the name on the command line, in each form.
    """

    def __init__(
        self,
        *arguments: Any,
        options: Mapping[str, Iterable[Option]],
        own: str = "Options",
        usages: Sequence[str],
        tables: Mapping[str, Collection[tuple[str, str]]],
        **extra: Any,
    ) -> None:
        super().__init__(*arguments, **extra)
        self.own, self.usages, self.tables = own, usages, tables
        suite = [(heading, each) for heading, of in options.items() for each in of]
        self.params[:0] = [SuiteOption([each.flag], option=each, heading=heading) for heading, each in suite]
        self.context_settings = {"ignore_unknown_options": True, "help_option_names": ["--help"]}

    def make_context(self, *arguments: Any, **extra: Any) -> click.Context:
        """Return the context of a command line. A wrong option has the exit status of pytest."""
        try:
            return super().make_context(*arguments, **extra)
        except click.UsageError as error:
            vars(error)["exit_code"] = USAGE_ERROR
            raise

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take -h for --help, though no short option is taken from pytest."""
        return super().parse_args(ctx, ["--help" if word == "-h" else word for word in args])

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write each form of the command line."""
        for usage in self.usages:
            formatter.write_usage(ctx.command_path, usage)

    def sections(self, ctx: click.Context) -> dict[str, list[click.Option]]:
        """Return the options by their headings."""
        found: dict[str, list[click.Option]] = {}
        for each in self.get_params(ctx):
            if isinstance(each, click.Option):
                found.setdefault(getattr(each, "heading", self.own), []).append(each)
        return found

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write options and other rows under their headings."""
        rows = {
            heading: [record for each in options if (record := each.get_help_record(ctx))]
            for heading, options in self.sections(ctx).items()
        }
        for heading, shown in {**rows, **self.tables}.items():
            with formatter.section(heading):
                formatter.write_dl(list(shown))
