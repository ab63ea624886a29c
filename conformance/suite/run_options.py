"""The options of a run of pytest.

A command gives them to pytest in `CommandOptions`, and pytest has no options of the suite then. Without a command
(`pytest conformance/ --impl=…`) they are options of pytest. A worker of pytest-xdist gets those of its controller.
"""

from __future__ import annotations

from argparse import ArgumentError
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import pytest

from conformance.suite.import_guard import PACKAGE
from conformance.suite.options import CODECS, MOST_WORKERS, OPTIONS, SERVERS, RunOptions, from_text, options_of
from conformance.suite.project_options import KEYS, project_options
from conformance.system.file_kinds import REPORT
from conformance.system.outputs import try_file, try_folder
from conformance.system.printable import for_terminal
from conformance.system.terminal import echo
from conformance.system.whole_files import NotWritten
from reference import ConformanceError
from reference.suggestions import suggestion

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Generator

CHOSEN = pytest.StashKey[RunOptions]()
"""The options of this run, also of one against a codec."""

NOTHING_TO_TEST = (
    "the conformance suite needs a codec, --impl ADAPTER, or a server, --broker HOST:PORT. ADAPTER is "
    "MODULE[:ATTRIBUTE], FILE.py[:ATTRIBUTE] or stdio:COMMAND; try --impl=conformance.adapters.reference"
)

PREFIX = "kafka_"
"""The beginning of the names of options among those of other plugins."""

INPUT = "kafka_options"
"""The options among the facts that a worker is given, as JSON."""


@dataclass(frozen=True)
class CommandOptions:
    """A plugin of pytest with the options of the command that starts it."""

    NAME: ClassVar[str] = "kafka-conformance-command"
    __name__: ClassVar[str] = NAME
    """The name for pytest's registration."""

    command: str
    options: RunOptions

    @pytest.hookimpl(wrapper=True)
    def pytest_load_initial_conftests(
        self, early_config: pytest.Config, parser: pytest.Parser, args: list[str]
    ) -> Generator[None, object, object]:
        """Raise `pytest.UsageError` for an option that no plugin has, with a suggestion."""
        result = yield
        _, unknown = parser.parse_known_and_unknown_args(args, early_config.known_args_namespace)
        if unknown:
            name = unknown[0].partition("=")[0]
            raise pytest.UsageError(f"there is no option {name}; {self._hint(name)}")
        return result

    def _hint(self, name: str) -> str:
        kinds = ("", SERVERS if self.options.names_server else CODECS)
        known = next((each for each in OPTIONS.values() if each.flag == name), None)
        if known is None:
            return suggestion(name, (each.flag for each in options_of(*kinds)), f"see `{self.command} --help`")
        is_of_command = known.of in kinds
        return "give it before --, and not in PYTEST_ADDOPTS" if is_of_command else f"it is for runs of {known.of}"


def command_options(config: pytest.Config) -> CommandOptions | None:
    """Return the options of the command that has started pytest, or None without one."""
    plugin = config.pluginmanager.get_plugin(CommandOptions.NAME)
    return plugin if isinstance(plugin, CommandOptions) else None


def add_options(parser: pytest.Parser) -> None:
    """Add all options to pytest's, after those of other plugins, or raise `pytest.UsageError` for a clash."""
    codec = parser.getgroup("kafka", "conformance to the Kafka wire protocol")
    server = parser.getgroup("kafka-server", "conformance of a server behind a port")
    try:
        for each in options_of("", CODECS, SERVERS):
            action = "store_true" if each.is_flag else "append" if each.is_repeatable else "store"
            metavar = {} if each.is_flag else {"metavar": each.metavar or "|".join(each.choices)}
            group = server if each.of == SERVERS else codec
            text = f"{each.help} [default: {each.default}]" if each.default else each.help
            group.addoption(each.flag, dest=f"{PREFIX}{each.name}", action=action, help=text, **metavar)
        with suppress(pytest.UsageError):  # some plugin requires an option, which is for pytest to say
            parser.parse_known_args([])  # older versions of pytest look for clashes only when they parse
    except (ArgumentError, ValueError) as error:
        raise pytest.UsageError(
            f"{error}. Another pytest plugin or a conftest.py has this option of the conformance suite, too: leave it "
            f"out with -p no:NAME, or use `kafka-conformance run`, which shares no options with pytest"
        ) from error


def of_pytest(values: Namespace) -> RunOptions:
    """Return the options that `add_options` has added, or raise `pytest.UsageError` for a wrong value."""
    found: dict[str, Any] = {}
    for each in OPTIONS.values():
        value = getattr(values, f"{PREFIX}{each.name}", None)
        try:
            if value is not None:
                found[each.name] = tuple(map(each.read, value)) if each.is_repeatable else each.read(value)
        except ValueError as error:
            raise pytest.UsageError(f"{each.flag}={error}") from error
    return RunOptions(**found)


def prepare(config: pytest.Config) -> None:
    """Put the options of a run into the stash, before pytest-xdist reads its own, or raise `pytest.UsageError`."""
    if hasattr(config, "workerinput"):
        config.stash[CHOSEN] = msgspec.json.decode(config.workerinput[INPUT], type=RunOptions, dec_hook=from_text)
        return
    command = command_options(config)
    options = config.stash[CHOSEN] = _with_project(config, command.options if command else of_pytest(config.option))
    if command and not (options.impl or options.names_server):
        places = [place for place in config.args if Path(place) != PACKAGE]
        meant = f"; did you mean --impl={places[0]}?" if places else ""
        raise pytest.UsageError(f"{NOTHING_TO_TEST}{meant}")
    if options.workers is not None and config.option.numprocesses is None:
        config.option.numprocesses = options.workers
    workers = getattr(config.option, "numprocesses", None)
    if isinstance(workers, int) and not 0 <= workers <= MOST_WORKERS:
        raise pytest.UsageError(f"-n {workers}: the number of processes is from 0 to {MOST_WORKERS:,}")


def _with_project(config: pytest.Config, options: RunOptions) -> RunOptions:
    is_about_codec = command_options(config) or _is_of_suite(config)
    if not is_about_codec or options.ignore_project or options.names_server:
        return options
    has_workers = getattr(config.option, "numprocesses", 0) is not None  # also without pytest-xdist
    present = {each.key for each in options.given} | ({"workers"} if has_workers else set())
    try:
        project = project_options(config.invocation_params.dir)
    except ConformanceError as error:
        raise pytest.UsageError(for_terminal(str(error))) from error
    missing = {key: value for key, value in project.values.items() if key not in present}
    if taken := project.taken(missing):
        echo(taken)
    return replace(options, **{KEYS[key].name: value for key, value in missing.items()})


def _is_of_suite(config: pytest.Config) -> bool:
    places = [str(word).partition("::")[0] for word in config.args]
    by_name = config.option.pyargs and any(f"{place}.".startswith(f"{PACKAGE.name}.") for place in places)
    return by_name or any(Path(place).resolve().is_relative_to(PACKAGE) for place in places)


def check_options(options: RunOptions, *, writes: bool) -> None:
    """Check options, and outputs if this process writes them, or raise `pytest.UsageError` about an option."""
    if options.impl and options.names_server:
        raise pytest.UsageError("--impl tests a codec, --broker and --start a server behind a port: give one of them")
    if options.broker and options.start:
        raise pytest.UsageError("--start starts the server that is tested: leave --broker out")
    kind, other = ("a server", CODECS) if options.names_server else ("a codec", SERVERS)
    for each in options.given:
        if each.of == other:
            raise pytest.UsageError(f"{each.flag} is for runs of {other}: against {kind}, leave it out")
    if options.update_known_failures and options.known_failures is None:
        raise pytest.UsageError("--update-known-failures rewrites the file of --known-failures=FILE: name one")
    if options.found and not options.found.absolute().parent.is_dir():
        raise pytest.UsageError(f"--found={options.found}: there is no folder {options.found.parent}")
    if writes:
        _try_outputs(options)


def _try_outputs(options: RunOptions) -> None:
    try:
        if options.report:
            try_file(options.report, REPORT)
        if options.update_known_failures and options.known_failures:
            try_file(options.known_failures)  # the run reads it, and refuses other content
        if options.found:
            try_folder(options.found)
    except NotWritten as error:
        raise pytest.UsageError(str(error)) from error
