"""The help of every command, as it is printed on 80 columns."""

import re
from collections import defaultdict
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner
from syrupy.assertion import SnapshotAssertion

from conformance.commands.group import MAXIMUM_SHORT_HELP, CommandGroup
from conformance.commands.main import main
from tests.helpers.runs import error_of, invoke

WIDTH = 80

Path = tuple[str, ...]


def commands(command: click.Command = main, path: Path = ()) -> Iterator[tuple[Path, click.Command]]:
    """Yield each command with its words."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            member = command.get_command(context, name)
            assert member is not None
            yield from commands(member, (*path, name))


COMMANDS = dict(commands())
NAMES = [" ".join(path) for path in COMMANDS]
each_command = pytest.mark.parametrize("path", COMMANDS, ids=NAMES)


def shown(path: tuple[str, ...]) -> str:
    done = CliRunner().invoke(main, [*path, "--help"], prog_name="kafka-conformance", terminal_width=WIDTH)
    assert done.exit_code == 0, done.output
    return done.output


@each_command
def test_no_line_is_wider_than_a_terminal(path: tuple[str, ...]) -> None:
    assert [line for line in shown(path).splitlines() if len(line) > WIDTH] == []


@each_command
def test_no_line_is_cut(path: tuple[str, ...]) -> None:
    assert [line for line in shown(path).splitlines() if line.endswith("...") and not line.startswith("Usage")] == []


@each_command
def test_no_mark_of_a_paragraph_is_printed(path: tuple[str, ...]) -> None:
    assert "\\b" not in shown(path)
    assert "\b" not in shown(path)


@each_command
def test_no_text_is_printed_twice(path: tuple[str, ...]) -> None:
    texts = [" ".join(text.split()) for text in re.split(r"\n\s*\n|\n(?=  \S)", shown(path))]
    sentences = [text for text in texts if text.endswith(".")]
    assert sorted(set(sentences)) == sorted(sentences)


GROUPS = [path for path, command in COMMANDS.items() if isinstance(command, click.Group)]


@pytest.mark.parametrize("path", GROUPS, ids=[" ".join(path) for path in GROUPS])
def test_each_command_has_a_short_help_of_one_line(path: tuple[str, ...]) -> None:
    group = COMMANDS[path]
    assert isinstance(group, CommandGroup)
    context = click.Context(group)
    for name in group.list_commands(context):
        text = group.summary_of(context, name)
        assert re.fullmatch(r"[A-Z].*\.", text), (name, text)
        assert len(text) <= MAXIMUM_SHORT_HELP, (name, text)


def test_every_command_stands_under_one_heading() -> None:
    placed = [name for names in main.headings.values() for name in names]
    assert sorted(placed) == main.list_commands(click.Context(main))


def options() -> Iterator[tuple[str, str, str]]:
    """Yield command, option and help of each option."""
    for path, command in COMMANDS.items():
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                yield " ".join(path), parameter.opts[-1], parameter.help or ""


def test_the_help_of_options_is_sentences() -> None:
    assert [each for each in options() if not re.fullmatch(r"[A-Z].*[.)]", each[2], re.DOTALL)] == []


SHARED = ("--impl", "--messages", "--memory-limit", "--time-limit", "--workers", "--seed", "--conf", "--port")
"""Options with one meaning; others mean something else in each command."""


def test_an_option_has_one_text_everywhere() -> None:
    texts = defaultdict(set)
    for _, name, text in options():
        texts[name].add(text.removesuffix(" Repeatable."))
    assert {name: len(texts[name]) for name in SHARED} == dict.fromkeys(SHARED, 1)


def test_a_misspelt_command_gets_a_suggestion(snapshot: SnapshotAssertion) -> None:
    assert error_of(invoke("rn"), 2) == snapshot


def test_a_misspelt_command_of_a_group_gets_a_suggestion(snapshot: SnapshotAssertion) -> None:
    assert error_of(invoke("specs", "lst"), 2) == snapshot
