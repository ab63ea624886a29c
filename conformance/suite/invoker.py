"""The command at the start of a run of pytest, for the errors of wrong options."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import pytest

from conformance.suite.import_guard import PACKAGE
from conformance.suite.option import MOST_WORKERS
from reference.suggestions import suggestion

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from conformance.suite.option import Option

NAME = "kafka-conformance-command"
"""The name of the plugin."""


@dataclass(frozen=True)
class Invoker:
    """A command, as a plugin of its run."""

    __name__: ClassVar[str] = NAME
    """The name for pytest's registration."""

    command: str
    usage: str
    """The words after the command."""
    options: Sequence[Option]
    """The options for a suggestion."""
    lack: str = ""
    """The error of a run with nothing to test, or an empty text for that of the suite."""


SUBJECTS = ("kafka_impl", "kafka_broker", "kafka_start")
"""Attributes of options that name what is tested."""

INFO_OPTIONS = ("help", "version", "markers", "showfixtures")
"""Attributes of options of pytest for some output without tests."""


def require_subject(config: pytest.Config, parser: pytest.Parser, words: Iterable[str], lack: str) -> None:
    """Refuse a run of a command without a subject, before anything is collected.

    Raises:
        pytest.UsageError: there is neither an implementation nor a server.
    """
    started = config.pluginmanager.get_plugin(NAME)
    named = parser.parse_known_args(list(words))
    is_about = any(getattr(named, name, None) for name in (*SUBJECTS, *INFO_OPTIONS))
    if isinstance(started, Invoker) and not is_about:
        places = [str(word) for word in named.file_or_dir if Path(str(word)) != PACKAGE]
        meant = f"; did you mean --impl={places[0]}?" if places and not started.lack else ""
        raise pytest.UsageError(f"{started.lack or lack}{meant}\nUsage: {started.command} {started.usage}")


def refuse_workers(parser: pytest.Parser, words: Iterable[str]) -> None:
    """Refuse an impossible number of processes, before pytest-xdist prepares them.

    Raises:
        pytest.UsageError: it is less than 0, or more than any machine has.
    """
    named = parser.parse_known_args(list(words))
    is_about = any(getattr(named, name, None) for name in SUBJECTS)
    workers = getattr(named, "numprocesses", None) or 0
    if is_about and not 0 <= workers <= MOST_WORKERS:
        raise pytest.UsageError(f"-n {workers}: the number of processes is from 0 to {MOST_WORKERS:,}")


def refuse_unknown_options(config: pytest.Config, parser: pytest.Parser, words: Iterable[str]) -> None:
    """Refuse wrong values and unknown options in a run of a command.

    Raises:
        pytest.UsageError: there is such an option or value.
    """
    started = config.pluginmanager.get_plugin(NAME)
    if not isinstance(started, Invoker):
        return
    usage = f"\nUsage: {started.command} {started.usage}"
    try:
        _, unknown = parser.parse_known_and_unknown_args(list(words))
    except pytest.UsageError as error:  # of argparse: usage and place of pytest's, and the problem between them
        problem = str(error).partition("error: ")[2].splitlines()
        raise pytest.UsageError(f"{problem[0]}{usage}" if problem else str(error)) from error
    if unknown:
        name = unknown[0].partition("=")[0]
        hint = suggestion(name, (each.name for each in started.options), f"see `{started.command} --help`")
        raise pytest.UsageError(f"there is no option {name}; {hint}{usage}")
