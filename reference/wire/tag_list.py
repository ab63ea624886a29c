"""A tag section on its own: one in which no tag is known, so that its value is the list of its entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reference.errors import Refusal
from reference.values.defaults import TAGS
from reference.wire.base import WireType
from reference.wire.stream import Reader, refuse
from reference.wire.tags import TagSection

if TYPE_CHECKING:
    from io import BytesIO

    from reference.paths import Path


class TagList(WireType):
    """A tag section as a list of (tag, bytes).

    >>> TAG_LIST.build([(5, bytes.fromhex("cafe"))]).hex()
    '010502cafe'
    """

    def __init__(self) -> None:
        super().__init__()
        self.section = TagSection((), frozenset(), "tag.section")

    def read(self, stream: Reader, path: Path = "") -> list[tuple[int, bytes]]:
        value: dict[str, Any] = {}
        self.section.read_into(value, stream, path)
        tags: list[tuple[int, bytes]] = value.get(TAGS, [])
        return tags

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if obj is None:
            refuse(Refusal.NULL_NOT_ALLOWED, path, "expected a list of (tag, bytes)")
        self.section.write_from({TAGS: obj}, stream, path)


TAG_LIST = TagList()
