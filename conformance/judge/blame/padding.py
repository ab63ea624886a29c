"""Readers that take zeros for what is missing behind the end of their input."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.clean_faults import NULL_RULE
from conformance.judge.blame.wrong_codecs import adapted
from reference import Malformed
from reference.protocols import message_type
from reference.wire.stream import LenientReader

if TYPE_CHECKING:
    from reference import MessageSchema
    from reference.errors import Reason
    from reference.paths import Path

MOST = 2**17
"""The most zeros that are read."""
OF_LEAF = 16
"""No number has more bytes."""


def read_padded(schema: MessageSchema, wire: bytes, read: Any) -> dict[str, Any] | None:
    """Return the value that such a reader makes of bytes that end too early; None if it needs none of the zeros.

    Args:
        schema: the message.
        wire: the bytes.
        read: what was read of them: if that is the value, there is not more in it.
    """
    reader = _PaddingReader(wire + bytes(min(MOST, OF_LEAF * (1 + _leaves(read)))))
    try:
        value: dict[str, Any] = message_type(schema).read(reader)
    except Malformed:
        return None
    return value if reader.tell() > len(wire) else None


def _leaves(item: Any) -> int:
    """Return how many numbers, texts and empty arrays are in a value, each byte of a text for one."""
    if isinstance(item, dict):
        return 1 + sum(map(_leaves, item.values()))
    if isinstance(item, list):
        return 1 + sum(map(_leaves, item))
    return 1 + len(item) if isinstance(item, str | bytes) else 1


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
        if rule != NULL_RULE:
            super().malformed(rule, reason, offset, path, detail)
