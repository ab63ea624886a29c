"""The model of a definition file, an upstream JSON file with a message in all its versions, as plain frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from struct import calcsize
from typing import TYPE_CHECKING, Any

from reference.inputs.json_text import packaged_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SCHEMA: dict[str, Any] = packaged_json("specs", "definition.schema.json")
"""The JSON Schema of definitions; `reference.definitions.properties` describes its properties."""

HIGHEST_VERSION = 32767
"""The upper end of an open range: versions are 16-bit numbers (rule 6.1)."""

KINDS: tuple[str, ...] = tuple(SCHEMA["$defs"]["kind"]["enum"])

LISTENERS: tuple[str, ...] = tuple(SCHEMA["properties"]["listeners"]["items"]["enum"])

ENTITY_TYPES: dict[str, str] = {each["const"]: each["x-type"] for each in SCHEMA["$defs"]["entityType"]["oneOf"]}
"""The entity types of fields, each with the type of such a field (of its elements, if it is an array)."""

INTEGER_CODES = {"int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint16": "H", "uint32": "I"}
"""The code of each integer type in Python's `struct`. It determines the width, and as a capital the lack of a sign."""


def _range(code: str) -> tuple[int, int]:
    bits = 8 * calcsize(f">{code}")
    return (0, 2**bits - 1) if code.isupper() else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


INTEGER_RANGES = {name: _range(code) for name, code in INTEGER_CODES.items()}

UNSIGNED = frozenset(name for name, (lowest, _) in INTEGER_RANGES.items() if lowest == 0)
DECIMAL = tuple(name for name, (_, highest) in INTEGER_RANGES.items() if highest > INTEGER_RANGES["int32"][1])
"""The integer types beyond an int32, with decimal text as their JSON form."""

PRIMITIVES = ("bool", *INTEGER_RANGES, "float64", "string", "uuid", "bytes", "records")
"""Every primitive wire type. Any other name with a capital at its beginning is a struct."""

ARRAY_PREFIX = "[]"

RELEASED = "released"
"""The dialect of Apache Kafka's protocol; the others are in `reference.proposals`."""


@dataclass(frozen=True, order=True)
class VersionRange:
    """An inclusive range of versions, empty (`none`) when `lowest > highest`.

    >>> str(VersionRange(3, HIGHEST_VERSION)), str(VersionRange(0, 2)), str(NO_VERSIONS)
    ('3+', '0-2', 'none')
    """

    lowest: int
    highest: int

    def __contains__(self, version: int) -> bool:
        return self.lowest <= version <= self.highest

    def __iter__(self) -> Iterator[int]:
        return iter(range(self.lowest, self.highest + 1))

    @property
    def empty(self) -> bool:
        """Whether the range has no version at all."""
        return self.lowest > self.highest

    @property
    def open_ended(self) -> bool:
        """Whether the range has no upper end of its own (`3+`)."""
        return not self.empty and self.highest == HIGHEST_VERSION

    def intersect(self, other: VersionRange) -> VersionRange:
        """Return the versions in both ranges."""
        common = VersionRange(max(self.lowest, other.lowest), min(self.highest, other.highest))
        return NO_VERSIONS if common.empty else common

    def nearest(self, version: int) -> int:
        """Return the version itself if the range, which must not be empty, has it, else the nearer end of the range."""
        return min(max(version, self.lowest), self.highest)

    def covers(self, other: VersionRange) -> bool:
        """Return whether this range has every version of `other`."""
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
    """Return the fewest ranges with exactly these versions, in ascending order."""
    ranges: list[VersionRange] = []
    for version in sorted(versions):
        if ranges and ranges[-1].highest == version - 1:
            ranges[-1] = VersionRange(ranges[-1].lowest, version)
        else:
            ranges.append(VersionRange(version, version))
    return ranges


@dataclass(frozen=True)
class FieldDefinition:
    """One field of a message or struct, with all facts of its definition."""

    name: str
    type: str
    """The type as written, trimmed: `int32`, `[]string`, `[]TopicData`, `Cursor`."""
    versions: VersionRange
    nullable_versions: VersionRange = NO_VERSIONS
    tagged_versions: VersionRange = NO_VERSIONS
    tag: int | None = None
    flexible_versions: VersionRange | None = None
    """The field's own override; None: as the message (rule 6.34)."""
    default: str | None = None
    """The text of the default, `null` for null, of strings too (rules 4.1.6, 4.1.14); None: the type's implicit one."""
    ignorable: bool = False
    map_key: bool = False
    zero_copy: bool = False
    entity_type: str | None = None
    encodings: tuple[tuple[VersionRange, str], ...] = ()
    """The encodings of an integer with their versions, in a dialect where a definition may name them (KIP-625)."""
    fields: tuple[FieldDefinition, ...] = ()
    """The fields of an inline struct, or of the inline struct of an array's elements."""
    listed: str = "fields"
    """The property with the field, in dialects with more than one list of fields."""

    @property
    def is_array(self) -> bool:
        """Whether the field is an array."""
        return self.type.startswith(ARRAY_PREFIX)

    @property
    def element_type(self) -> str:
        """The type of an array's elements, or the type itself if it is no array."""
        return self.type.removeprefix(ARRAY_PREFIX).strip()

    @property
    def struct_name(self) -> str | None:
        """The name of the struct of the field or of its elements, or None for primitives."""
        return self.element_type if self.element_type[:1].isupper() else None

    def encoding(self, version: int) -> str | None:
        """Return the encoding of the field in a version, or None for the encoding of its type."""
        return next((name for versions, name in self.encodings if version in versions), None)


@dataclass(frozen=True)
class StructDefinition:
    """A common struct, declared once in a message and used by several of its fields."""

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
    """The headers by ranges of versions, ascending, or None if they follow from the flexible versions (rule 5.1)."""
    dialect: str = RELEASED

    def header_version(self, version: int) -> int | None:
        """Return the header before a version as the definition names it, for one below 0 that of version 0, or None."""
        declared = (header for versions, header in self.header_versions or () if max(version, 0) in versions)
        return next(declared, None)

    def common_struct(self, name: str) -> StructDefinition | None:
        """Return the common struct named `name`, or None if the message has none."""
        return next((struct for struct in self.common_structs if struct.name == name), None)
