"""Tag sections, the end of every flexible struct (section 2, KIP-482).

    section = unsigned varint: number of entries    entries
    entry   = unsigned varint: tag    unsigned varint: size    as many bytes

Known tagged fields come first, by ascending tag, each only if its value is not its default. Unknown ones carried by the
value follow. Tag 2 with an int16 of 1 alone: `01 02 02 00 01`. A section without entries is `00`.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple

from reference.errors import Reason, Refusal
from reference.values.defaults import TAGS, is_default
from reference.wire.base import WireType
from reference.wire.stream import Reader, refuse, shown, wrong_type
from reference.wire.unwritten import check_type
from reference.wire.varints import (
    SIGN_32,
    UNSIGNED_VARINT,
    read_unsigned_varint,
    rest_of_unsigned_varint,
    unsigned_varint,
    write_unsigned_varint,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reference.paths import Path
    from reference.schema import FieldSchema

EMPTY = b"\0"
"""A section without entries, in every dialect."""

_PLAIN = frozenset((int, str, bool, type(None)))
"""Types of values equal to a default if they are the same object. A NaN never equals itself."""

HIGHEST_UNKNOWN_TAG = 0x7FFF_FFFE
"""The highest tag that Apache Kafka writes for an unknown field; it reads higher ones (rules 2.4.3, 2.5.10, 2.5.11)."""


class TaggedField(NamedTuple):
    """A field in the tag section of this version."""

    tag: int
    field: FieldSchema
    wire_type: WireType


class TagRules(NamedTuple):
    """The ids of those rules about tag sections that differ between dialects."""

    section: str
    nested_section: str
    """The rule of a section inside a tagged field."""
    ascending: str
    within_input: str
    """The rule of a size beyond the input."""


RULES = TagRules("tag.section", "tag.nested-section", "tag.ascending", "tag.size-within-input")


class TagSection(WireType):
    """The tag section of one struct, which keeps the values of the tagged fields.

    A field without an entry has its default.

    Args:
        known: the tagged fields of this version.
        elsewhere: tags of fields of other versions.
        rule: the id of the rule about this section.
    """

    rules = RULES
    lowest_tag = 0
    """The lowest tag that a definition may give."""
    highest_unknown_tag = HIGHEST_UNKNOWN_TAG
    """The highest tag written for an unknown field."""
    refuses_other_versions = True
    """Whether a reader refuses a tag of other versions of the definition (rule 2.5.5)."""
    smallest_unknown = 0
    """The lowest number of bytes of an unknown field."""

    def __init__(self, known: Sequence[TaggedField], elsewhere: frozenset[int], rule: str) -> None:
        self.known = tuple(sorted(known, key=lambda entry: entry.tag))
        self.elsewhere = elsewhere
        self.rule = rule
        self._by_tag = {entry.tag: entry for entry in known}

    def read_into(self, value: dict[str, Any], stream: Reader, path: Path) -> None:
        """Read the section, and put its fields into `value`."""
        first = stream.read(1)
        if first == EMPTY and stream.spans is None:
            return
        start = stream.tell() - len(first)
        count = rest_of_unsigned_varint(stream, first, path, "tag-count", self.rule)
        beyond = count > stream.limits.tagged_fields
        if count >= SIGN_32:
            deviate = stream.unspecified_rejected if beyond else stream.deviation
            deviate("tag.count-negative", start, path)
        elif count:
            if beyond:
                stream.beyond_limit("tag.count-beyond-limit", start, path)
            self._read_entries(count, value, stream, path)

    def _read_entries(self, count: int, value: dict[str, Any], stream: Reader, path: Path) -> None:
        unknown: list[tuple[int, bytes]] = []
        seen: set[int] = set()
        highest = -1
        for _ in range(count):
            start = stream.tell()
            tag = read_unsigned_varint(stream, path, "tag", "tag.ascending")
            if tag in seen:
                stream.deviation("tag.duplicate", start, path)
            elif tag < highest:
                stream.deviation("tag.order-on-read", start, path)
            seen.add(tag)
            highest = max(highest, tag)
            entry = self._by_tag.get(tag)
            if entry is not None:
                value[entry.field.name] = _read_known(entry, stream, (path, entry.field.name))
            elif tag in self.elsewhere:
                stream.unspecified_rejected("tag.not-in-this-version", start, path)
            else:
                unknown.append((tag, _read_unknown(tag, start, stream, ((path, TAGS), len(unknown)))))
        if unknown:
            value[TAGS] = unknown

    def write_from(self, value: Mapping[str, Any], stream: BytesIO, path: Path) -> None:
        """Write the section of `value`, which most often has no entries."""
        entries = self.entries_of(value, path) if self.known or TAGS in value else None
        if entries:
            self.write_entries(entries, stream)
        else:
            stream.write(EMPTY)

    @classmethod
    def write_entries(cls, entries: Sequence[tuple[int, bytes]], stream: BytesIO) -> None:
        """Write a section with these entries, in this order."""
        write_unsigned_varint(stream, len(entries))
        stream.writelines(cls.entry(tag, body) for tag, body in entries)

    @classmethod
    def entry(cls, tag: int, body: bytes) -> bytes:
        """Return the bytes of one entry."""
        return unsigned_varint(tag) + unsigned_varint(len(body)) + body

    @classmethod
    def tag_of(cls, piece: bytes) -> int:
        """Return the tag in the bytes of a span with the role `tag`."""
        tag: int = UNSIGNED_VARINT.parse(piece)
        return tag

    def entries_of(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        """Return the entries of `value`, in the order of writing."""
        entries = self._known_entries(value, path) if self.known else []
        if value.get(TAGS) not in (None, []):
            entries += self._unknown_entries(value[TAGS], (path, TAGS))
        return entries

    def _known_entries(self, value: Mapping[str, Any], path: Path) -> list[tuple[int, bytes]]:
        entries = []
        for tag, field, wire_type in self.known:
            item = value[field.name]
            if item is field.default and type(item) in _PLAIN:
                continue  # the most frequent case has the quickest test
            if is_default(field, item):
                if item is not field.default:  # it is not written, so no wire type checks it
                    check_type(field, item, (path, field.name))
                continue
            body = BytesIO()
            wire_type.write_to(item, body, (path, field.name))
            entries.append((tag, body.getvalue()))
        return entries

    def _unknown_entries(self, raw: Any, path: Path) -> list[tuple[int, bytes]]:
        if not isinstance(raw, list):
            wrong_type("a list of (tag, bytes)", raw, path)
        previous = -1
        for index, entry in enumerate(raw):
            self._check_unknown(entry, previous, (path, index))
            previous = entry[0]
        return [(tag, body) for tag, body in raw]

    def _check_unknown(self, entry: Any, previous: int, path: Path) -> None:
        """Refuse unknown fields that a reader cannot take for one, or that Apache Kafka would not write."""
        match entry:
            case (int() as tag, bytes()) if not isinstance(tag, bool):
                pass
            case _:
                wrong_type("(tag, bytes)", entry, path)
        highest = self.highest_unknown_tag
        if not previous < tag <= highest:
            refuse(Refusal.BAD_TAGS, path, f"tag {shown(tag)} is not above {previous}, or is beyond {highest}")
        if len(entry[1]) < self.smallest_unknown:
            refuse(Refusal.BAD_TAGS, path, f"tag {tag} has no bytes, and an entry of no bytes ends the section")
        if tag in self._by_tag or tag in self.elsewhere:
            refuse(Refusal.BAD_TAGS, path, f"tag {tag} is one of the definition's own")


def _read_known(entry: TaggedField, stream: Reader, path: Path) -> Any:
    """Read a field of the definition, whose own encoding determines its end."""
    start = stream.tell()
    size = read_unsigned_varint(stream, path, "tag-size", "tag.size")
    begin = stream.tell()
    value = entry.wire_type.read(stream, path)
    # a size that disagrees is a deviation (2.5.8)
    if stream.tell() - begin != size:
        stream.deviation("tag.size-mismatch", start, path)
    if is_default(entry.field, value):
        stream.note("tag.explicit-default", begin, path)
    return value


def _read_unknown(tag: int, tag_start: int, stream: Reader, path: Path) -> bytes:
    """Read a field unknown to the definition as `size` bytes, kept unchanged (2.5.6)."""
    if tag > HIGHEST_UNKNOWN_TAG:
        stream.deviation("tag.beyond-31-bits", tag_start, path)
    start = stream.tell()
    size = read_unsigned_varint(stream, path, "tag-size", "tag.size")
    data = stream.read(size)
    if len(data) != size:
        stream.malformed("tag.size-within-input", Reason.LENGTH_EXCEEDS_INPUT, start, path, f"{size} bytes")
    if stream.spans is not None:
        stream.span(stream.tell() - size, path, "payload", "tag.unknown-kept", "raw")
    return data


class TagList(TagSection):
    """A tag section on its own, without known tags, as a list of (tag, bytes).

    >>> TAG_LIST.write([(5, bytes.fromhex("cafe"))]).hex()
    '010502cafe'
    """

    def read(self, stream: Reader, path: Path = "") -> Any:
        value: dict[str, Any] = {}
        self.read_into(value, stream, path)
        return value.get(TAGS, [])

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if obj is None:
            refuse(Refusal.NULL_NOT_ALLOWED, path, "expected a list of (tag, bytes)")
        self.write_from({TAGS: obj}, stream, path)


TAG_LIST = TagList((), frozenset(), "tag.section")
