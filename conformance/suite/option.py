"""Options of a conformance run, for pytest and the help of `kafka-conformance run`, and those that commands share."""

from __future__ import annotations

import argparse
import math
from typing import Any, NamedTuple


class Option(NamedTuple):
    """One option, and its arguments for argparse."""

    name: str
    help: str
    attributes: dict[str, Any]

    @property
    def dest(self) -> str:
        """The attribute for its value, with a name unused by other plugins."""
        return "kafka_" + self.name.lstrip("-").replace("-", "_")

    def with_default(self, value: float) -> Option:
        """Return the option with a default, which its help names."""
        return Option(self.name, f"{self.help} (default: {value:g})", {**self.attributes, "default": value})

    @property
    def usage(self) -> str:
        """The option in the form of the help, as `--depth quick|full|nightly`."""
        value = self.attributes.get("metavar") or "|".join(self.attributes.get("choices", ()))
        return f"{self.name} {value}".rstrip()


def option(name: str, text: str, **attributes: Any) -> Option:
    """Return an option."""
    return Option(name, text, attributes)


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


IMPL = option("--impl", "the adapter of the implementation to test", metavar="MODULE[:ATTRIBUTE]|stdio:COMMAND")
RELEASE = option(
    "--release", "Kafka release, proposal, or folder of definitions (default: the newest release)", metavar="NAME|PATH"
)
MESSAGES = option(
    "--messages",
    "which messages: names or globs, comma-separated, FetchRequest-v12..17 picks versions; repeatable",
    action="append",
    default=[],
    metavar="GLOBS",
)
MEMORY_LIMIT = option(
    "--memory-limit", "MiB of memory for one decode in a child process; 0: no limit", type=whole_number, metavar="MIB"
)
TIME_LIMIT = option(
    "--time-limit",
    "seconds for one decode in a child process, or for one request to a harness",
    type=number,
    metavar="SECONDS",
)
