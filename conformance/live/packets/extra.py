"""The libraries of the extra `packets`: they are imported when a file of packets is read."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from reference import ConformanceError


class BadPackets(ConformanceError):
    """A file of packets cannot be read; the text says why."""


def library(name: str) -> Any:
    """Return a module of the extra.

    Raises:
        BadPackets: it is not installed.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        needed = name.partition(".")[0]
        raise BadPackets(
            f"a file of packets needs {needed}, which is not installed: install kafka-wire-conformance[packets]"
        ) from error
