"""Readers that take zeros for what is missing behind the end of their input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.blame.wrong_codecs import adapted
from reference import Malformed
from reference.protocols import message_type
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from reference import MessageSchema
    from reference.errors import Reason
    from reference.paths import Path

PADDING = bytes(2**17)
"""What such a reader finds behind the end."""


def read_padded(schema: MessageSchema, wire: bytes) -> dict[str, Any] | None:
    """Return the value that such a reader makes of bytes that end too early; None if it needs none of the zeros."""
    reader = _PaddingReader(wire + PADDING)
    try:
        value: dict[str, Any] = message_type(schema).read(reader)
    except Malformed:
        return None
    return value if reader.tell() > len(wire) else None


def are_same_but_nothing(schema: MessageSchema, one: Any, other: Any) -> bool:
    """Return whether two values of a message are the same if null and empty are: readers mix them up in zeros."""
    try:
        return bool(_emptied(adapted(schema, one)) == _emptied(adapted(schema, other)))
    except (AttributeError, TypeError, KeyError):  # of whatever an implementation returns
        return False


def _emptied(item: Any) -> Any:
    """Return a value with null for all that is empty."""
    if isinstance(item, dict):
        return {name: _emptied(each) for name, each in item.items()}
    if isinstance(item, list):
        return [_emptied(each) for each in item] or None
    return None if isinstance(item, str | bytes) and not item else item


class _PaddingReader(LenientReader):
    """A reader that takes a length of 0 for null everywhere, as readers do that have one function for both."""

    def malformed(  # type: ignore[override]  # it goes on where the strict one does not return
        self, rule: str, reason: Reason, offset: int, path: Path, detail: str = ""
    ) -> None:
        """Go on where null is not allowed."""
        if rule != "null.not-allowed":
            super().malformed(rule, reason, offset, path, detail)
