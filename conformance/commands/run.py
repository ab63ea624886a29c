"""The command `kafka-conformance run`, which runs pytest with the files of this package as the tests."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import pytest

from conformance.commands.suite_command import OF_PYTEST, PYTEST_OPTIONS, USAGE_ERROR, SuiteCommand
from conformance.commands.watch import watch
from conformance.suite.import_guard import HOME, PACKAGE
from conformance.suite.options import CODECS, RunOptions, options_of
from conformance.suite.project_options import KEYS
from conformance.suite.registry import TESTS
from conformance.suite.run_options import CommandOptions
from conformance.system.command_words import BadCommand, command_words

if TYPE_CHECKING:
    from collections.abc import Sequence

USAGE = "--impl ADAPTER [OPTIONS] [OPTIONS OF pytest]"

EPILOG = f"""Options that are missing are taken from [tool.kafka-conformance] of the nearest pyproject.toml, up to the
top of the repository or the home folder: {", ".join(KEYS)}.

The exit status is 0 without new findings, 1 with new findings, 2 after an interruption, 4 for a wrong option or an
output that cannot be written, 5 if nothing was tested.

\b
Examples:
  kafka-conformance run --impl=./my_adapter.py --smoke --watch
  kafka-conformance run --impl=myproj.adapter -n 2 --known-failures=known.toml
  kafka-conformance run --impl=myproj.adapter --messages='Fetch*' -k generated"""


def sentence(text: str) -> str:
    """Return a text with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def tests_of(subject: str) -> list[tuple[str, str]]:
    """Return the tests of a kind of subject, each with a sentence about it."""
    return [(test.name, sentence(test.about.removeprefix("a server: "))) for test in TESTS if test.of == subject]


@click.command(
    cls=SuiteCommand,
    options={"Options": options_of("", CODECS)},
    usages=(USAGE,),
    tables={OF_PYTEST: PYTEST_OPTIONS, "Tests, of which -k chooses some": tests_of("codec")},
    epilog=EPILOG,
)
@click.option(
    "--watch",
    "is_watched",
    is_flag=True,
    help="Run --smoke again whenever a file of the implementation changes, until control-C.",
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def run(words: tuple[str, ...], *, is_watched: bool, **values: Any) -> None:
    """Test an implementation by every check, on every message and version that it offers.

    A server behind a port is tested by `kafka-conformance broker`.
    """
    options = RunOptions.of(values)
    raise SystemExit(watch(options, words) if is_watched else run_pytest("kafka-conformance run", options, words))


def options_from(words: Sequence[str]) -> tuple[RunOptions, tuple[str, ...]]:
    """Return the options of a command line of `run` and its words for pytest, or raise `click.UsageError`."""
    values = dict(run.make_context("run", [*words]).params)
    if values.pop("is_watched"):
        raise click.UsageError("--watch has no meaning here")
    for_pytest: tuple[str, ...] = values.pop("words")
    return RunOptions.of(values), for_pytest


def run_pytest(command: str, options: RunOptions, words: Sequence[str]) -> int:
    """Run the suite for a command, with words for pytest, and return the exit status."""
    return int(pytest.main(pytest_arguments(words), plugins=[CommandOptions(command, options)]))


class WrongOptionError(click.ClickException):
    """An option cannot be used. The exit status is that of pytest for it."""

    exit_code = USAGE_ERROR


def _added_options() -> list[str]:
    text = os.environ.get(ADDED, "")
    try:
        return command_words(text) if text.strip() else []
    except BadCommand as error:
        raise WrongOptionError(f"{ADDED} is {error}") from error


ADDED = "PYTEST_ADDOPTS"
"""The variable with further options of pytest."""

IMPORTED = "ignore:Module already imported so cannot be rewritten:pytest.PytestAssertRewriteWarning"
"""The filter of run.ini, for a command line with filters of its own. Without it `-W error` ends the start of pytest."""

CACHE = "--override-ini=cache_dir="
CONFIGURATION = PACKAGE / "commands" / "run.ini"


def pytest_arguments(arguments: Sequence[str]) -> list[str]:
    """Return the arguments of pytest for a run of this suite with the arguments of a user.

    The current folder provides modules to import, and no configuration. Installed plugins and PYTEST_ADDOPTS are used
    like in any other run.
    """
    words = [*_added_options(), *arguments]
    has_filter = any(word.startswith(("-W", "--pythonwarnings")) for word in words)
    # Without pytest's plugin for the cache there is no such option.
    has_cache = not {"no:cacheprovider", "-pno:cacheprovider"}.intersection(words)
    return [
        f"--config-file={CONFIGURATION}",
        # Node ids are relative to it, and so the same in every installation.
        f"--rootdir={HOME}",
        # No conftest.py above it is read.
        f"--confcutdir={PACKAGE}",
        # In the current folder, since site-packages may not be writable.
        *([f"{CACHE}{Path.cwd() / '.pytest_cache'}"] if has_cache else []),
        str(PACKAGE),
        *(word for word in arguments if has_cache or not word.startswith(CACHE)),
        *(["-W", IMPORTED] if has_filter else []),
    ]
