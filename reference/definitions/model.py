"""What a definition file says, as plain frozen data.

A *definition* is one upstream JSON file: a message in all its versions. Nothing here knows about bytes; see
`reference.schema` for a definition resolved at one version.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import calcsize
from typing import TYPE_CHECKING, Any

from reference.inputs.json_text import packaged_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SCHEMA: dict[str, Any] = packaged_json("specs", "definition.schema.json")
"""The JSON Schema of definitions, whose properties `reference.definitions.properties` describes."""

HIGHEST_VERSION = 32767
"""The upper end of an open range: versions are 16-bit numbers (rule 6.1)."""

KINDS: tuple[str, ...] = tuple(SCHEMA["$defs"]["kind"]["enum"])
"""What a definition's `type` may be."""

LISTENERS: tuple[str, ...] = tuple(SCHEMA["properties"]["listeners"]["items"]["enum"])

ENTITY_TYPES: dict[str, str] = {each["const"]: each["x-type"] for each in SCHEMA["$defs"]["entityType"]["oneOf"]}
"""What a field can be said to hold, and the type that it has then (its elements, if it is an array)."""

INTEGER_CODES = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint16": "H", "uint32": "I"}
"""The code of each integer type in Python's `struct`, which says its width, and as a capital that it has no sign."""


def _range(code: str) -> tuple[int, int]:
    bits = 8 * calcsize(f">{code}")
    return (0, 2**bits - 1) if code.isupper() else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


INTEGER_RANGES = {name: _range(code) for name, code in INTEGER_CODES.items()}
"""The lowest and the highest number of each integer type."""

UNSIGNED = frozenset(name for name, (lowest, _) in INTEGER_RANGES.items() if lowest == 0)
DECIMAL = tuple(name for name, (_, highest) in INTEGER_RANGES.items() if highest > INTEGER_RANGES["int32"][1])
"""The integer types whose JSON form is decimal text, as they go beyond an int32."""

PRIMITIVES = ("bool", *INTEGER_RANGES, "float64", "string", "uuid", "bytes", "records")
"""Every primitive wire type. Any other name that begins with a capital is a struct."""

ARRAY_PREFIX = "[]"

RELEASED = "released"
"""The dialect of the protocol that Apache Kafka speaks; the others are in `reference.proposals`."""


@dataclass(frozen=True, order=True)
class VersionRange:
    """An inclusive range of versions; empty (`none`) when `lowest > highest`."""

    lowest: int
    highest: int

    def __contains__(self, version: int) -> bool:
        return self.lowest <= version <= self.highest

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.lowest, self.highest + 1))

    @property
    def empty(self) -> bool:
        """Whether no version at all is in this range."""
        return self.lowest > self.highest

    @property
    def open_ended(self) -> bool:
        """Whether the range has no upper end of its own (`3+`)."""
        return not self.empty and self.highest == HIGHEST_VERSION

    def intersect(self, other: VersionRange) -> VersionRange:
        """The versions that are in both ranges."""
        common = VersionRange(max(self.lowest, other.lowest), min(self.highest, other.highest))
        return NO_VERSIONS if common.empty else common

    def nearest(self, version: int) -> int:
        """That version if it is in this range, which is not empty, else the end of the range that is nearer to it."""
        return min(max(version, self.lowest), self.highest)

    def covers(self, other: VersionRange) -> bool:
        """Whether every version of `other` is in this range."""
        return other.empty or (self.lowest <= other.lowest and other.highest <= self.highest)

    def __str__(self) -> str:
        if self.empty:
            return "none"
        if self.open_ended:
            return f"{self.lowest}+"
        return str(self.lowest) if self.lowest == self.highest else f"{self.lowest}-{self.highest}"


NO_VERSIONS = VersionRange(0, -1)
"""The empty range, written `none`."""


def ranges_of(versions: Iterable[int]) -> list[VersionRange]:
    """Return ranges that together are these versions, as few as possible, in ascending order."""
    ranges: list[VersionRange] = []
    for version in sorted(versions):
        if ranges and ranges[-1].highest == version - 1:
            ranges[-1] = VersionRange(ranges[-1].lowest, version)
        else:
            ranges.append(VersionRange(version, version))
    return ranges


@dataclass(frozen=True)
class FieldDefinition:
    """One field of a message or struct, with everything the definition says of it that is a fact."""

    name: str
    type: str
    """As written, trimmed: `int32`, `[]string`, `[]TopicData`, `Cursor`."""
    versions: VersionRange
    nullable_versions: VersionRange = NO_VERSIONS
    tagged_versions: VersionRange = NO_VERSIONS
    tag: int | None = None
    flexible_versions: VersionRange | None = None
    """The field's own override; None: as the message (rule 6.34)."""
    default: str | None = None
    """The text of the default; None: the type's implicit one. The text `null` means null, save for strings' sake
    there is no other way to say it (rules 4.1.6, 4.1.14)."""
    ignorable: bool = False
    map_key: bool = False
    zero_copy: bool = False
    entity_type: str | None = None
    encodings: tuple[tuple[VersionRange, str], ...] = ()
    """How an integer goes on the wire in which versions, where a dialect lets a definition say so (KIP-625)."""
    fields: tuple[FieldDefinition, ...] = ()
    """The fields of an inline struct, or of the inline struct that an array holds."""
    listed: str = "fields"
    """The property that lists it, in dialects that have more than one such list."""

    @property
    def is_array(self) -> bool:
        """Whether this is an array of something."""
        return self.type.startswith(ARRAY_PREFIX)

    @property
    def element_type(self) -> str:
        """The element's type of an array; the type itself otherwise."""
        return self.type.removeprefix(ARRAY_PREFIX).strip()

    @property
    def struct_name(self) -> str | None:
        """The name of the struct that this field is, or is an array of; None for primitives."""
        return self.element_type if self.element_type[:1].isupper() else None

    def encoding(self, version: int) -> str | None:
        """How the definition says that the field goes on the wire in that version; None: as its type does."""
        return next((name for versions, name in self.encodings if version in versions), None)


@dataclass(frozen=True)
class StructDefinition:
    """A common struct: declared once in a message, used by several of its fields."""

    name: str
    versions: VersionRange
    fields: tuple[FieldDefinition, ...] = ()


@dataclass(frozen=True)
class Definition:
    """One message in all its versions."""

    name: str
    kind: str
    valid_versions: VersionRange
    flexible_versions: VersionRange
    fields: tuple[FieldDefinition, ...] = ()
    common_structs: tuple[StructDefinition, ...] = ()
    api_key: int | None = None
    listeners: tuple[str, ...] = ()
    latest_version_unstable: bool = False
    deprecated_versions: VersionRange = NO_VERSIONS
    header_versions: tuple[tuple[VersionRange, int], ...] | None = None
    """Which header stands before which versions of a request or response, in ascending order; None: the definition does
    not say, and it follows from the flexible versions (rule 5.1)."""
    dialect: str = RELEASED
    """Of which protocol this is a definition."""

    def header_version(self, version: int) -> int | None:
        """The version of the header before that version, or before the lowest; None if the definition does not say."""
        declared = (header for versions, header in self.header_versions or () if max(version, 0) in versions)
        return next(declared, None)

    def common_struct(self, name: str) -> StructDefinition | None:
        """The common struct of that name, if the message has one."""
        return next((struct for struct in self.common_structs if struct.name == name), None)
