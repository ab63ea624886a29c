"""Fixed formats around messages, each one table with the names, types, rules and meanings of its parts.

>>> METADATA_RECORD.write({"frame-version": 1, "type": 20, "version": 0}).hex()
'011400'
>>> FRAME.at("size")
slice(0, 4, None)

Everything that reads, writes, explains or documents these bytes uses the table. Headers are messages with definitions
of their own: see `declaration(release.schema("RequestHeader", 2))`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from reference.errors import Refusal
from reference.wire.base import WireType
from reference.wire.numbers import INT16, INT32
from reference.wire.stream import refuse, wrong_type
from reference.wire.varints import UNSIGNED_VARINT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BytesIO

    from reference.paths import Path
    from reference.wire.stream import Reader


class LayoutPart(NamedTuple):
    """One part of a layout."""

    name: str
    wire_type: WireType
    rule: str
    """The id of the rule about this part and its spans."""
    about: str
    """The meaning of the part, in one sentence without a full stop."""


class Layout(WireType):
    """A sequence of parts, all of them always present, with a dict as its value.

    Args:
        title: the name of the format, for headings.
        parts: name, wire type, rule and meaning of each part.
    """

    def __init__(self, title: str, *parts: tuple[str, WireType, str, str]) -> None:
        self.title = title
        self.parts = tuple(LayoutPart(*part) for part in parts)
        widths = [each.wire_type.width for each in self.parts]
        self.width = sum(filter(None, widths)) if None not in widths else None

    def part(self, name: str) -> LayoutPart:
        """Return the part named `name`."""
        return next(each for each in self.parts if each.name == name)

    def at(self, name: str) -> slice:
        """Return the place of a part, in a layout of a fixed width."""
        before = [each.name for each in self.parts].index(name)
        start, stop = (sum(each.wire_type.width or 0 for each in self.parts[:end]) for end in (before, before + 1))
        return slice(start, stop)

    def read(self, stream: Reader, path: Path = "") -> dict[str, Any]:
        """Read every part."""
        return {each.name: self.read_part(each.name, stream, path) for each in self.parts}

    def read_part(self, name: str, stream: Reader, path: Path = "") -> Any:
        """Read the part named `name` at the reader's position."""
        here = self.part(name)
        value = here.wire_type.read(stream, (path, name))
        if stream.spans:  # the integer has noted the rule of its type, not that of the part
            stream.spans[-1] = stream.spans[-1]._replace(rule=here.rule)
        return value

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        """Write every part."""
        if not isinstance(obj, dict):
            wrong_type("a dict of parts", obj, path)
        for each in self.parts:
            if each.name not in obj:
                refuse(Refusal.MISSING_FIELD, (path, each.name))
            each.wire_type.write_to(obj[each.name], stream, (path, each.name))

    def rows(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield a table row for each part, with name, number of bytes, rule and meaning."""
        for each in self.parts:
            width = each.wire_type.width
            yield each.name, "1 to 5" if width is None else str(width), each.rule, each.about


FRAME = Layout("Frame", ("size", INT32, "frame.size", "how many bytes of header and body follow"))

VERSION_PREFIX = Layout(
    "Data messages and values of coordinators",
    ("prefix", INT16, "prefix.version", "the version of the message that follows"),
)

TYPE_PREFIX = Layout(
    "Keys of coordinators",
    ("prefix", INT16, "prefix.type", "the type of the key that follows: the API key of its definition"),
)

METADATA_RECORD = Layout(
    "Records of the metadata log",
    ("frame-version", UNSIGNED_VARINT, "record.frame-version", "always 1"),
    ("type", UNSIGNED_VARINT, "record.type", "the API key of the record's definition"),
    ("version", UNSIGNED_VARINT, "record.version", "the version of the message that follows"),
)

LAYOUTS = (FRAME, VERSION_PREFIX, TYPE_PREFIX, METADATA_RECORD)
"""Every layout, in the order of the book."""
