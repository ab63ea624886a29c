"""Which protocol a schema speaks, and so what reads and writes its messages: `message_type`."""

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
    """Return how the messages of a dialect go on the wire; raise KeyError if there is none."""
    return RELEASED if dialect == RELEASED_DIALECT else PROPOSALS[dialect].protocol


def loader_of(dialect: str, release: str = "") -> Loader:
    """Return how the definitions of a dialect, and of a release in it, are read; raise KeyError if there is none."""
    return loader_of_release(release) if dialect == RELEASED_DIALECT else PROPOSALS[dialect].loader


@cache
def message_type(schema: MessageSchema) -> WireType:
    """The wire type of a message's body in the protocol that its definition is of."""
    return protocol_of(schema.dialect).message(schema)
