"""The pages of the commands, each with its help, its options and its exit statuses, and the list of all of them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import click
from click.testing import CliRunner

from conformance.commands.main import main
from conformance.commands.suite_command import OF_PYTEST, SuiteCommand
from conformance.suite.registry import TESTS
from docs._ext.addresses import COMMANDS, command_page
from docs._ext.markdown import Page, block, code, definitions, generated, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

INDEX = f"{COMMANDS}/index.md"
PROGRAM = "kafka-conformance"

_STATUS = re.compile(r"[^.;]*\bstatus is\b.*?\.(?= |$)")
USUAL = "0: done. 1: an error, which is printed. 2: a wrong option or argument."

Words = tuple[str, ...]
Row = tuple[str, str, str]
"""The names, the value and the meaning of an option."""


@cache
def commands() -> dict[Words, click.Command]:
    """Return every command and group by its words, sorted."""
    found = dict(_below((), main))
    return dict(sorted(found.items()))


def _below(words: Words, group: click.Group) -> Iterator[tuple[Words, click.Command]]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if command is not None and not command.hidden:
            yield (*words, name), command
            if isinstance(command, click.Group):
                yield from _below((*words, name), command)


def command_pages() -> Iterator[Page]:
    """Yield the page of each command."""
    every = commands()
    for words, command in every.items():
        yield generated(f"{command_page(words)}.md", *_page(words, command, every))


def command_index() -> Iterator[Page]:
    """Yield the list of commands."""
    yield generated(INDEX, *_index(commands()))


def _index(every: dict[Words, click.Command]) -> Iterator[str]:
    yield "# Commands"
    yield "Each command prints what it does, and its options, by `--help`."
    rows = ((code(f"{PROGRAM} {' '.join(words)}"), _first(command)) for words, command in every.items())
    yield table(("command", "what it does"), rows)


def _link(words: Words) -> str:
    return f"[`{' '.join(words)}`]({'-'.join(words)}.md)"


def _first(command: click.Command) -> str:
    """Return the first paragraph of the help of a command."""
    return _paragraphs(command)[0] if command.help else ""


def _paragraphs(command: click.Command) -> list[str]:
    text = (command.help or "").replace("\b\n", "").partition("\f")[0]
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]


def _page(words: Words, command: click.Command, every: dict[Words, click.Command]) -> Iterator[str]:
    yield f"# {' '.join(words)}"
    yield from _paragraphs(command)
    below = [each for each in every if each[:-1] == words]
    yield table(("command", "what it does"), ((_link(each), _first(every[each])) for each in below))
    for heading, rows in _sections(command):
        yield f"## {heading}"
        yield definitions((f"{names} {value}".rstrip(), meaning) for names, value, meaning in rows)
    if words == ("run",):
        yield "## Tests"
        yield "`-k` chooses some of them."
        yield table(("test", "what it is about"), ((code(test.name), test.about) for test in TESTS))
    shown = help_of(words)
    yield "## Exit status"
    yield " ".join(_STATUS.findall(" ".join(shown.split()))) or USUAL
    yield "## Help"
    yield block(shown.rstrip())


def help_of(words: Sequence[str]) -> str:
    """Return the output of a command with `--help`."""
    return CliRunner().invoke(main, [*words, "--help"], prog_name=PROGRAM, env={"COLUMNS": "100"}).output


def _sections(command: click.Command) -> Iterator[tuple[str, list[Row]]]:
    """Yield the options of a command under the headings of its help."""
    context = click.Context(command)
    if isinstance(command, SuiteCommand):
        sections = command.sections(context)
    else:
        sections = {"Options": [each for each in command.params if isinstance(each, click.Option)]}
    for heading, options in sections.items():
        rows = [_row(each, context) for each in options if not each.hidden]
        if rows:
            yield heading, rows
    if isinstance(command, SuiteCommand):
        yield OF_PYTEST, [(code(usage), "", text) for usage, text in command.tables[OF_PYTEST]]


def _row(option: click.Option, context: click.Context) -> Row:
    names = ", ".join(map(code, (*option.opts, *option.secondary_opts)))
    record = option.get_help_record(context)
    return names, "" if option.is_flag else code(option.make_metavar(context)), record[1] if record else ""
