"""The parts of a frame around its body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference.layouts import FRAME

if TYPE_CHECKING:
    from reference import MessageSchema

SIZE_BYTES: int = FRAME.at("size").stop
"""The number of bytes of the size."""


def has_client_id(header: MessageSchema) -> bool:
    """Return whether a header has a client id."""
    return any(field.name == "ClientId" for field in header.fields)


def size_of(size: int) -> bytes:
    """Return the bytes of a size, which may be negative."""
    return FRAME.write({"size": size})


def framed(payload: bytes) -> bytes:
    """Return a payload after its size."""
    return size_of(len(payload)) + payload
