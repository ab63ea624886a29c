"""The options of a conformance run: one table, for pytest and for the help of `kafka-conformance run`."""

from __future__ import annotations

from argparse import ArgumentError
from inspect import getsource
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = {"quick": 20, "full": 100, "nightly": 1000}
"""Generated values per pair, by depth."""


class Option(NamedTuple):
    """One option, and what argparse is told about it."""

    name: str
    help: str
    attributes: dict[str, Any]

    @property
    def dest(self) -> str:
        """Where its value goes: a name that no other plugin's option has."""
        return "kafka_" + self.name.lstrip("-").replace("-", "_")

    @property
    def usage(self) -> str:
        """How it is written: `--depth quick|full|nightly`."""
        value = self.attributes.get("metavar") or "|".join(self.attributes.get("choices", ()))
        return f"{self.name} {value}".rstrip()


def _option(name: str, text: str, **attributes: Any) -> Option:
    return Option(name, text, attributes)


OPTIONS = (
    _option("--impl", "the adapter of the implementation to test", metavar="MODULE[:ATTRIBUTE]"),
    _option("--release", "Kafka release (default: the newest committed one)", metavar="NAME"),
    _option(
        "--messages",
        "messages to test: names or globs, comma-separated, FetchRequest-v12..17 picks versions; repeatable",
        action="append",
        default=[],
        metavar="GLOBS",
    ),
    _option("--depth", "how many generated values", choices=tuple(EXAMPLES), default="quick"),
    _option("--smoke", "a handful of messages: is the adapter sound?", action="store_true"),
    _option(
        "--isolation",
        "whether bytes that are not valid are decoded in a child process (auto: they are)",
        choices=("auto", "always", "never"),
        default="auto",
    ),
    _option("--known-failures", "TOML file of known failures", type=Path, metavar="FILE"),
    _option("--report", "write all events as JSON Lines", type=Path, metavar="FILE"),
)


def add_options(parser: pytest.Parser, manager: pytest.PytestPluginManager) -> None:
    """Add all options to pytest's, after those of all other plugins.

    Raises:
        pytest.UsageError: another plugin has one of them; says which option, and how to leave that plugin out.
    """
    group = parser.getgroup("kafka", "conformance to the Kafka wire protocol")
    for option in OPTIONS:
        try:
            group.addoption(option.name, dest=option.dest, help=option.help, **option.attributes)
        except (ArgumentError, ValueError) as error:
            raise pytest.UsageError(_clash(option.name, manager)) from error


def _clash(name: str, manager: pytest.PytestPluginManager) -> str:
    """What to do about an option that is already there."""
    owners = sorted(set(_mentioning(name, manager)))
    known = f" (it may be {' or '.join(owners)})" if owners else ""
    advice = f"-p no:{owners[0]}" if owners else "-p no:NAME"
    return (
        f"the option {name} of the conformance suite is also one of another pytest plugin or conftest.py{known}; "
        f"leave a plugin out with {advice}; of conftest.py files `kafka-conformance run` reads none"
    )


def _mentioning(name: str, manager: pytest.PytestPluginManager) -> Iterator[str]:
    """The names of loaded plugins, other than this one and pytest's own, whose source has this option in it."""
    for registered, plugin in manager.list_name_plugin():
        if not isinstance(plugin, ModuleType) or plugin.__name__.partition(".")[0] in {"_pytest", "conformance"}:
            continue
        try:
            source = getsource(plugin)
        except OSError:  # compiled, or gone: then it is not named
            continue
        if f'"{name}"' in source or f"'{name}'" in source:
            yield registered
