"""Options of a conformance run, for pytest, for the commands that start it, and for those that share them."""

from __future__ import annotations

import argparse
import math
from typing import Any, NamedTuple


class Option(NamedTuple):
    """One option, and its arguments for argparse."""

    name: str
    help: str
    """One or more sentences, without the default."""
    attributes: dict[str, Any]

    @property
    def dest(self) -> str:
        """The attribute for its value, with a name unused by other plugins."""
        return "kafka_" + self.name.lstrip("-").replace("-", "_")

    def with_default(self, value: float) -> Option:
        """Return the option with a default."""
        return Option(self.name, self.help, {**self.attributes, "default": value})

    @property
    def metavar(self) -> str:
        """The word for its value, or an empty text without one."""
        return self.attributes.get("metavar") or "|".join(self.attributes.get("choices", ()))

    @property
    def usage(self) -> str:
        """The option in the form of the help, as `--depth quick|full|nightly`."""
        return f"{self.name} {self.metavar}".rstrip()

    @property
    def full_help(self) -> str:
        """The help with the default, if there is one to show."""
        default = self.attributes.get("default")
        shown = default if isinstance(default, str) else f"{default:g}" if default else ""
        return f"{self.help} [default: {shown}]" if shown else self.help


def option(name: str, text: str, **attributes: Any) -> Option:
    """Return an option."""
    return Option(name, text, attributes)


MOST_WORKERS = 1_000
"""The most processes of a run, more than any machine has processors for."""

LARGEST = 10.0**9
"""No number of an option is larger: of seconds, of MiB, of frames."""


def number(text: str) -> float:
    """Return the number of an option, finite and not negative.

    Raises:
        argparse.ArgumentTypeError: it is none; argparse names the option.
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= LARGEST:
        raise argparse.ArgumentTypeError(f"{text[:SHOWN]!r} is no number from 0 to {LARGEST:,.0f}")
    return value


def whole_number(text: str) -> int:
    """Return the whole number of an option. Errors are as of `number`."""
    value = number(text)
    if not value.is_integer():
        raise argparse.ArgumentTypeError(f"{text[:SHOWN]!r} is no whole number")
    return int(value)


SHOWN = 40
"""Characters of a wrong number that an error shows."""


IMPL = option(
    "--impl",
    "The adapter of the implementation to test: MODULE[:ATTRIBUTE], FILE.py[:ATTRIBUTE] or stdio:COMMAND.",
    metavar="ADAPTER",
)
RELEASE = option(
    "--release",
    "A Kafka release, a proposal, or a folder of definitions; the newest release without it.",
    metavar="NAME|PATH",
)
MESSAGES = option(
    "--messages",
    "Only these messages: names or globs, separated by commas. FetchRequest-v12..17 picks versions. Repeatable.",
    action="append",
    default=[],
    metavar="GLOBS",
)
KNOWN_FAILURES = option("--known-failures", "A TOML file of expected findings.", metavar="FILE")
REPORT = option("--report", "Write all findings as JSON Lines.", metavar="FILE")
MEMORY_LIMIT = option(
    "--memory-limit", "MiB of memory for one decode in a child process; 0: no limit.", type=whole_number, metavar="MIB"
)
TIME_LIMIT = option(
    "--time-limit",
    "Seconds for one decode in a child process, or for one request to a harness.",
    type=number,
    metavar="SECONDS",
)
