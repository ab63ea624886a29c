"""One option of a conformance run, for pytest and for the help of `kafka-conformance run`."""

from __future__ import annotations

from typing import Any, NamedTuple


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


def option(name: str, text: str, **attributes: Any) -> Option:
    """Return an option."""
    return Option(name, text, attributes)
