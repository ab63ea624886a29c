"""A client program that can be run here: how it is prepared, and its command."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

BOOTSTRAP = "KAFKA_BOOTSTRAP"
"""The variable of its environment that has the address of a broker."""

SECONDS = 30
"""What a client takes at most: then it ends itself, with the status 124."""


@dataclass(frozen=True)
class ClientProgram:
    """A client that can be run.

    Attributes:
        name: by which it is asked for.
        version: of the library.
        needs: the programs that must be on the PATH.
        command: fetches and builds it if need be, and returns what runs it.
    """

    name: str
    version: str
    needs: tuple[str, ...]
    command: Callable[[], tuple[str, ...]]

    @property
    def missing(self) -> list[str]:
        """The programs that it needs and that are not here."""
        return [tool for tool in self.needs if shutil.which(tool) is None]
