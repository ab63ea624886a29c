"""Any text of an option or argument is used, or is an error for the user."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import click
import pytest

from conformance.commands.main import main
from tests.helpers.runs import kafka_conformance

TEXTS = {
    "empty": "",
    "long": "x" * 5_000,
    "long path": f"a/{'x' * 5_000}.py",
    "open quote": "stdio:'open",
    "huge number": "9" * 25,
    "too many digits": "9" * 5_000,
    "negative number": "-1",
    "no number": "nan",
    "infinite": "1e999",
    "no UTF-8": "\udcff\udcfe",
    "escape sequence": "\x1b[31mred",
    "line feed": "a\nb",
    "colon": ":",
    "bracket": "[",
}
REFERENCE = "--impl=conformance.adapters.reference"
TOO_LONG = os.strerror(errno.ENAMETOOLONG)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def commands_of(group: click.Group, context: click.Context) -> Iterator[click.Command]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands_of(command, click.Context(command, parent=context))
        yield command


def words_of(parameter: click.Parameter, text: str) -> list[str]:
    if isinstance(parameter, click.Argument):
        return ["--", text]
    name = max(parameter.opts, key=len)
    return [f"{name}={text}"] if name.startswith("--") else [name, text]


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_commands_refuse_a_text_or_take_it(text: str) -> None:
    """Their command lines are read, and they are not run."""
    for command in commands_of(main, click.Context(main)):
        for parameter in command.params:
            if not getattr(parameter, "is_flag", False):
                with suppress(click.ClickException, click.exceptions.Exit):
                    command.make_context(command.name, words_of(parameter, text)).close()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ((REFERENCE, f"--report={TEXTS['long']}"), TOO_LONG),
        (
            (REFERENCE, f"--known-failures={TEXTS['long']}", "--update-known-failures"),
            f"{TOO_LONG}; name another",
        ),
        ((REFERENCE, f"--found={TEXTS['long']}"), TOO_LONG),
        ((REFERENCE, f"--release={TEXTS['long path']}"), TOO_LONG),
        ((f"--impl={TEXTS['long path']}",), TOO_LONG),
        ((REFERENCE, f"-n={TEXTS['huge number']}"), "from 0 to 1,000"),
        ((REFERENCE, TEXTS["long"]), "directory not found"),
    ],
    ids=["report", "known failures", "found", "release", "impl", "workers", "place"],
)
def test_run_refuses_texts_refused_by_the_system(words: Sequence[str], problem: str) -> None:
    text = kafka_conformance("run", "--collect-only", "-q", *words, folder=Path.cwd()).ended(4)
    assert problem in text
    assert "Traceback" not in text
    assert "INTERNALERROR" not in text
