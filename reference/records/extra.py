"""The libraries of the extra `records`: they are imported when they are needed, so that plain batches need none."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from reference.errors import ConformanceError


class MissingLibrary(ConformanceError):
    """A codec or a checksum needs a library that is not installed."""

    def __init__(self, name: str, purpose: str) -> None:
        super().__init__(name, purpose)
        self.name = name
        self.purpose = purpose

    def __str__(self) -> str:
        return f"{self.purpose} needs {self.name}, which is not installed: install kafka-wire-conformance[records]"


@cache
def library(name: str, purpose: str) -> Any:
    """Return a module of the extra.

    Raises:
        MissingLibrary: it is not installed.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise MissingLibrary(name.partition(".")[0], purpose) from error
