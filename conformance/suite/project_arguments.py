"""The options of a user's project in a run of pytest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from conformance.suite.import_guard import PACKAGE
from conformance.suite.invoker import INFO_OPTIONS
from conformance.suite.project_options import project_options
from conformance.system.printable import for_terminal
from reference import ConformanceError

if TYPE_CHECKING:
    from collections.abc import Iterator

ATTRIBUTES = {
    "impl": ("--impl", "kafka_impl"),
    "known-failures": ("--known-failures", "kafka_known_failures"),
    "release": ("--release", "kafka_release"),
    "messages": ("--messages", "kafka_messages"),
    "report": ("--report", "kafka_report"),
    "workers": ("-n", "numprocesses"),
}
"""The option of each key, and the attribute of its value."""

TAKEN = pytest.StashKey[str]()
"""The line about the options taken from the project."""

NAMES_RELEASE = pytest.StashKey[bool]()
"""Whether the project names a release. A release on the command line wins."""


def add_project_arguments(config: pytest.Config, parser: pytest.Parser, words: list[str]) -> None:
    """Put the options of the user's project before those of the command line, in a run of the suite.

    Raises:
        pytest.UsageError: the project's file cannot be used.
    """
    named = parser.parse_known_args(words)
    has_none = named.kafka_ignore_project or named.kafka_broker or named.kafka_start
    if has_none or not _is_of_suite(named) or any(getattr(named, name, None) for name in INFO_OPTIONS):
        return
    try:
        options = project_options(config.invocation_params.dir)
    except ConformanceError as error:
        raise pytest.UsageError(for_terminal(str(error))) from error
    missing = {key: value for key, value in options.values.items() if _is_missing(key, named)}
    words[:] = [*_words(missing), *words]
    config.stash[TAKEN] = options.taken(missing)
    config.stash[NAMES_RELEASE] = "release" in options.values


def _is_of_suite(named: Any) -> bool:
    """Return whether the path or the package of this suite is among the arguments of pytest."""
    places = [str(word).partition("::")[0] for word in named.file_or_dir]
    by_name = named.pyargs and any(place == PACKAGE.name or place.startswith(f"{PACKAGE.name}.") for place in places)
    return by_name or any(Path(place).resolve().is_relative_to(PACKAGE) for place in places)


def _is_missing(key: str, named: Any) -> bool:
    _, attribute = ATTRIBUTES[key]
    return hasattr(named, attribute) and getattr(named, attribute) in (None, [])


def _words(values: dict[str, Any]) -> Iterator[str]:
    for key, value in values.items():
        name, _ = ATTRIBUTES[key]
        for each in value if isinstance(value, list) else [value]:
            yield f"{name}={each}" if name.startswith("--") else f"{name}{each}"
