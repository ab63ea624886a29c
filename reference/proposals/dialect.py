"""The parts of a dialect of the protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference.definitions.parse import Loader
    from reference.wire.message import Protocol


@dataclass(frozen=True)
class Dialect:
    """A protocol beside the released one, with the reader of its definitions and the wire types of its messages."""

    name: str
    """As the folder of its definitions, and as `Definition.dialect` says it: that of its loader."""
    loader: Loader
    protocol: Protocol
