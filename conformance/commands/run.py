"""The command `kafka-conformance run`.

It runs pytest, with the files of this package as the tests.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from conformance.commands.suite_command import PYTEST_OPTIONS, SuiteCommand
from conformance.commands.watch import WATCH, watch
from conformance.suite.import_guard import HOME, PACKAGE
from conformance.suite.invoker import Invoker
from conformance.suite.option import option
from conformance.suite.options import CODEC_OPTIONS, OPTIONS
from conformance.suite.registry import TESTS
from conformance.system.command_words import BadCommand, command_words

if TYPE_CHECKING:
    from collections.abc import Sequence

USAGE = "--impl ADAPTER [OPTIONS] [OPTIONS OF pytest]"

EPILOG = """Options that are missing are taken from [tool.kafka-conformance] of the nearest pyproject.toml, up to the
top of the repository or the home folder: impl, known-failures, release, messages, report, workers.

The exit status is 0 without new findings, 1 with new findings, 2 after an interruption, 4 for a wrong option or an
output that cannot be written, 5 if nothing was tested.

\b
Examples:
  kafka-conformance run --impl=./my_adapter.py --smoke --watch
  kafka-conformance run --impl=myproj.adapter -n 2 --known-failures=known.toml
  kafka-conformance run --impl=myproj.adapter --messages='Fetch*' -k generated"""


WATCH_OPTION = option(
    WATCH, "Run --smoke again whenever a file of the implementation changes, until control-C.", action="store_true"
)


def sentence(text: str) -> str:
    """Return a text with a capital and a full stop."""
    return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


def tests_of(subject: str) -> list[tuple[str, str]]:
    """Return the tests of a kind of subject, each with a sentence about it."""
    return [(test.name, sentence(test.about.removeprefix("a server: "))) for test in TESTS if test.of == subject]


@click.command(
    cls=SuiteCommand,
    usages=(USAGE,),
    sections={"Options": (*CODEC_OPTIONS, WATCH_OPTION), "Options of pytest": PYTEST_OPTIONS},
    tables={"Tests, of which -k chooses some": tests_of("codec")},
    epilog=EPILOG,
    context_settings={"allow_interspersed_args": False},
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(arguments: tuple[str, ...]) -> None:
    """Test an implementation by every check, on every message and version that it offers.

    A server behind a port is tested by `kafka-conformance broker`.
    """
    if WATCH in arguments:
        raise SystemExit(watch(arguments))
    raise SystemExit(
        run_pytest(arguments, Invoker("kafka-conformance run", USAGE, (*OPTIONS, WATCH_OPTION, *PYTEST_OPTIONS)))
    )


def run_pytest(arguments: Sequence[str], command: Invoker) -> int:
    """Run the suite for a command, and return the exit status."""
    return int(pytest.main(pytest_arguments(arguments), plugins=[command]))


class WrongOptionError(click.ClickException):
    """An option cannot be used.

    The exit status is that of pytest for it.
    """

    exit_code = 4


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
    like in any other run. Node ids are relative to --rootdir, so that they are the same in every installation. No
    conftest.py files above --confcutdir are read. The cache is in the current folder, since site-packages may not be
    writable. Without pytest's plugin for the cache there is no such option.
    """
    words = [*_added_options(), *arguments]
    has_filter = any(word.startswith(("-W", "--pythonwarnings")) for word in words)
    has_cache = not {"no:cacheprovider", "-pno:cacheprovider"}.intersection(words)
    return [
        f"--config-file={CONFIGURATION}",
        f"--rootdir={HOME}",
        f"--confcutdir={PACKAGE}",
        *([f"{CACHE}{Path.cwd() / '.pytest_cache'}"] if has_cache else []),
        str(PACKAGE),
        *(word for word in arguments if has_cache or not word.startswith(CACHE)),
        *(["-W", IMPORTED] if has_filter else []),
    ]
