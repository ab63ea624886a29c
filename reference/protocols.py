"""Choose the protocol of a schema, and so its wire type, by `wire_type_of`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from reference.definitions.model import RELEASED as RELEASED_DIALECT
from reference.definitions.parse import Loader, loader_of_release
from reference.proposals import PROPOSALS
from reference.wire.message import RELEASED, Protocol

if TYPE_CHECKING:
    from reference.schema import MessageSchema
    from reference.wire.base import WireType


def protocol_of(dialect: str) -> Protocol:
    """Return the protocol of a dialect, or raise KeyError."""
    return RELEASED if dialect == RELEASED_DIALECT else PROPOSALS[dialect].protocol


def loader_of(dialect: str, release: str = "") -> Loader:
    """Return the loader of definitions in a dialect, as a release writes them, or raise KeyError."""
    return loader_of_release(release) if dialect == RELEASED_DIALECT else PROPOSALS[dialect].loader


@cache
def wire_type_of(schema: MessageSchema) -> WireType:
    """Return the wire type that reads, writes and explains a message's body, in the protocol of its definition."""
    return protocol_of(schema.dialect).message(schema)
