"""A tag section on its own: one in which no tag is known, so that its value is the list of its entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.errors import Refusal
from reference.values.defaults import TAGS
from reference.wire.base import WireType
from reference.wire.stream import Path, Reader, refuse
from reference.wire.tags import TagSection

if TYPE_CHECKING:
    from io import BytesIO


class TagList(WireType):
    """A tag section as a list of (tag, bytes).

    >>> TAG_LIST.build([(5, bytes.fromhex("cafe"))]).hex()
    '010502cafe'
    """

    def __init__(self) -> None:
        super().__init__()
        self.section = TagSection((), frozenset(), "tag.section")

    def _parse(self, stream: Reader, context: Any, path: Path) -> list[tuple[int, bytes]]:
        value: dict[str, Any] = {}
        self.section.parse_into(value, stream, context, path)
        tags: list[tuple[int, bytes]] = value.get(TAGS, [])
        return tags

    def _build(self, obj: Any, stream: BytesIO, context: Any, path: Path) -> Any:
        if obj is None:
            refuse(Refusal.NULL_NOT_ALLOWED, path, "expected a list of (tag, bytes)")
        self.section.build_from({TAGS: obj}, stream, context, path)
        return obj


TAG_LIST = TagList()
