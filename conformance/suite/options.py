"""The options of a conformance run: one table, for pytest and for the help of `kafka-conformance run`."""

from __future__ import annotations

import re
from argparse import ArgumentError
from inspect import getsource
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = {"quick": 20, "full": 100, "nightly": 1000}
"""The number of generated values per pair, by depth."""


NIGHTLY_DATABASE = ".hypothesis/kafka-conformance"
"""The folder in which nightly runs keep the examples that failed; relative to the current folder."""


class Option(NamedTuple):
    """One option, and its arguments for argparse."""

    name: str
    help: str
    attributes: dict[str, Any]

    @property
    def dest(self) -> str:
        """The attribute for its value: a name that no other plugin uses."""
        return "kafka_" + self.name.lstrip("-").replace("-", "_")

    @property
    def usage(self) -> str:
        """The option as the help shows it: `--depth quick|full|nightly`."""
        value = self.attributes.get("metavar") or "|".join(self.attributes.get("choices", ()))
        return f"{self.name} {value}".rstrip()


def _option(name: str, text: str, **attributes: Any) -> Option:
    return Option(name, text, attributes)


OPTIONS = (
    _option("--impl", "the adapter of the implementation to test", metavar="MODULE[:ATTRIBUTE]|stdio:COMMAND"),
    _option("--release", "Kafka release (default: the newest committed one)", metavar="NAME"),
    _option(
        "--messages",
        "messages to test: names or globs, comma-separated, FetchRequest-v12..17 picks versions; repeatable",
        action="append",
        default=[],
        metavar="GLOBS",
    ),
    _option("--depth", "how many generated values", choices=tuple(EXAMPLES), default="quick"),
    _option("--smoke", "six messages only: checks the adapter itself, in seconds", action="store_true"),
    _option(
        "--isolation",
        "what is decoded in a child process: invalid bytes (auto), all bytes, or none",
        choices=("auto", "always", "never"),
        default="auto",
    ),
    _option(
        "--known-failures",
        "TOML file of expected failures; an entry that no longer fails is an error",
        type=Path,
        metavar="FILE",
    ),
    _option(
        "--update-known-failures",
        "rewrite that file: remove what no longer fails, add what is new, without a reason",
        action="store_true",
    ),
    _option(
        "--database",
        f"folder where depth nightly keeps the examples that failed (default: {NIGHTLY_DATABASE})",
        type=Path,
        default=Path(NIGHTLY_DATABASE),
        metavar="DIR",
    ),
    _option("--found", "folder of found cases: they are tried first, new findings are added", type=Path, metavar="DIR"),
    _option("--report", "write all results as JSON Lines", type=Path, metavar="FILE"),
)


def add_options(parser: pytest.Parser, manager: pytest.PytestPluginManager) -> None:
    """Add all options to pytest's, after those of all other plugins.

    Raises:
        pytest.UsageError: others have some of them; says which ones, and how to leave the plugins out.
    """
    group = parser.getgroup("kafka", "conformance to the Kafka wire protocol")
    clashes = []
    for option in OPTIONS:
        try:
            group.addoption(option.name, dest=option.dest, help=option.help, **option.attributes)
        except (ArgumentError, ValueError):
            clashes.append(option.name)
    clashes += _clash_when_parsing(parser)
    if clashes:
        raise pytest.UsageError(_advice(clashes, manager))


def _clash_when_parsing(parser: pytest.Parser) -> list[str]:
    """Return the first clash, if there is one: older versions of pytest look for them only when they parse."""
    try:
        parser.parse_known_args([])
    except ArgumentError as error:
        return [error.argument_name or str(error)]
    except pytest.UsageError:  # some plugin requires an option: that there is none is for pytest to say
        return []
    return []


def _advice(clashes: list[str], manager: pytest.PytestPluginManager) -> str:
    """Return the text of an error about options that exist already."""
    owners = sorted({owner for name in clashes for owner in _mentioning(name, manager)})
    blocked = " ".join(f"-p no:{owner}" for owner in owners)
    advice = f"leave them out with {blocked}" if owners else "leave plugins out with -p no:NAME"
    return (
        f"options of the conformance suite that another pytest plugin or a conftest.py has as well: "
        f"{', '.join(clashes)}; {advice}; of conftest.py files `kafka-conformance run` reads none"
    )


def _mentioning(name: str, manager: pytest.PytestPluginManager) -> Iterator[str]:
    """Yield the names of loaded plugins whose source contains this option."""
    for plugin, _ in manager.list_plugin_distinfo():
        registered = manager.get_name(plugin)
        if registered and isinstance(plugin, ModuleType) and re.search(f"[\"']{name}[\"']", _source(plugin)):
            yield registered


def _source(plugin: ModuleType) -> str:
    try:
        return getsource(plugin)
    except OSError:  # compiled, or gone
        return ""
