"""KIP-625, with definitions that choose the encoding of an integer by a property `encoding`.

    { "name": "LeaderId", "type": "int32", "versions": "0+",
      "encoding": { "0-9": "fixed32", "10+": "upacked32" } }

One name stands for all versions of the field. Without the property a field has the fixed encoding of its type. The rest
of the protocol is the released one. The property has rules of its own.

`fixedN` is an integer of N bits. `packedN` folds the sign into the lowest bit and writes a varint, so that numbers near
zero are short on both sides. `upackedN` writes the N bits unchanged as a varint. It is short from zero up, and has the
greatest length for every negative number.

    300    fixed32 00 00 01 2c    packed32 d8 04    upacked32 ac 02
     -1    fixed32 ff ff ff ff    packed32 01       upacked32 ff ff ff ff 0f

The number in the name determines the range of numbers and the greatest length of a varint: 3, 5 or 10 bytes. It may be
smaller than that of the field's type: then a writer checks the range, and a reader extends the sign.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from reference.definitions.json_flavour import Number, Repetitive
from reference.definitions.model import INTEGER_RANGES, VersionRange
from reference.definitions.parse import Loader
from reference.definitions.properties import FIELD_PROPERTIES
from reference.definitions.rules import problem
from reference.definitions.validate import RuleBook
from reference.errors import Reason, Refusal
from reference.proposals.dialect import Dialect
from reference.wire.base import WireType
from reference.wire.message import Protocol
from reference.wire.signed_varints import read_groups, zigzag_decode, zigzag_encode
from reference.wire.stream import Form, Reader, refuse, shown, wrong_type
from reference.wire.varints import size_of_unsigned_varint, write_unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from io import BytesIO

    from reference.definitions.errors import Problem
    from reference.definitions.json_flavour import Tree
    from reference.definitions.model import FieldDefinition
    from reference.definitions.properties import Properties
    from reference.definitions.rules import FieldUse
    from reference.paths import Path
    from reference.schema import FieldSchema

TYPES = ("int16", "int32", "int64")
"""The types with a choice of encodings."""

PROPERTY = "encoding"
FORM = ("kip-625.encoding-form", "625-20")
ADVICE = 'write one name, as "packed32", or an object of versions and names, as {"0-1": "fixed32", "2+": "packed32"}'

Encodings = tuple[tuple[VersionRange, str], ...]

KINDS = ("fixed", "packed", "upacked")
WIDTHS = (16, 32, 64)
RULES = {"fixed": "kip-625.fixed", "packed": "kip-625.packed", "upacked": "kip-625.upacked"}
MAXIMUM_BYTES = {bits: -(-bits // 7) for bits in WIDTHS}  # rounded up


def encoding_problems(use: FieldUse) -> Iterator[Problem]:
    """Yield every problem of the encodings of a field."""
    encodings, has_type = use.field.encodings, use.field.type in TYPES
    for versions, name in encodings:
        if name not in ENCODINGS:
            yield _problem("name", use, versions, f"{name!r} is not an encoding")
    if encodings and not has_type:
        yield _problem("type", use, None, f"a field of type {use.field.type} cannot have an encoding")
    for versions, name in encodings if has_type else ():
        if name in ENCODINGS and ENCODINGS[name].bits > int(use.field.type.removeprefix("int")):
            yield _problem("width", use, versions, f"{name} has more bits than {use.field.type}")
    if encodings and _joined([versions for versions, _ in encodings]) != _joined([use.field.versions]):
        ranges = ", ".join(str(versions) for versions, _ in encodings)
        what = f"there are encodings for the versions {ranges}, and the field has {use.field.versions}"
        yield _problem("versions", use, None, what)
    for (one, _), (other, _) in combinations(encodings, 2):
        if not one.intersect(other).empty:
            what = f"the versions {other} and {one} have {one.intersect(other)} in common"
            yield _problem("overlap", use, other, what)


def _problem(rule: str, use: FieldUse, versions: VersionRange | None, what: str) -> Problem:
    steps = ("encoding",) if versions in {None, use.field.versions} else ("encoding", str(versions))
    return problem(f"kip-625.encoding-{rule}", use.place.at(*steps, name=use.field.name), what)


def _joined(ranges: list[VersionRange]) -> list[VersionRange]:
    joined: list[VersionRange] = []
    for each in sorted(each for each in ranges if not each.empty):
        if joined and each.lowest <= joined[-1].highest + 1:
            joined[-1] = replace(joined[-1], highest=max(joined[-1].highest, each.highest))
        else:
            joined.append(each)
    return joined


class EncodingLoader(Loader):
    """The reader of definitions with `encoding` in integer fields."""

    dialect = "kip-625"
    field_properties = (*FIELD_PROPERTIES, PROPERTY)
    rules = RuleBook(field_checks=(encoding_problems,))

    def field(self, properties: Properties, flexible: VersionRange) -> FieldDefinition:
        """Return the field of an object, with its encodings."""
        field = super().field(properties, flexible)
        return replace(field, encodings=_encodings(properties, field.versions))


def _encodings(properties: Properties, versions: VersionRange) -> Encodings:
    """Return the entries of the property as written, to be checked by the rules."""
    tree = properties.value(PROPERTY)
    if isinstance(tree, dict):
        return _by_versions(properties, tree)
    if isinstance(tree, str) and not isinstance(tree, Number):
        return ((versions, tree),)
    if tree is not None:
        properties.problem(*FORM, "the encoding is neither a text nor an object", ADVICE, PROPERTY)
    return ()


def _by_versions(properties: Properties, tree: dict[str, Tree]) -> Encodings:
    if not tree:
        properties.problem(*FORM, "the object of encodings is empty", ADVICE, PROPERTY)
    for key in tree.repeated if isinstance(tree, Repetitive) else ():
        what = f"the versions {key!r} are there more than once"
        properties.problem(*FORM, what, "keep one of them: only the last is read", PROPERTY, key)
    found = []
    for key, name in tree.items():
        versions = properties.range_of(key, PROPERTY, key)
        if versions is not None and versions.empty:
            what = f"{key!r} means no version at all"
            properties.problem(*FORM, what, "write 3, 3+ or 3-5, the lower version first, or drop it", PROPERTY, key)
        elif versions is not None and _is_name(properties, key, name):
            found.append((versions, str(name)))
    return tuple(found)


def _is_name(properties: Properties, key: str, name: Tree) -> bool:
    if isinstance(name, str) and not isinstance(name, Number):
        return True
    properties.problem(*FORM, f"the encoding of the versions {key} is not a text", ADVICE, PROPERTY, key)
    return False


class EncodingProtocol(Protocol):
    """The released protocol with chosen encodings of integers, in fields and in elements of arrays."""

    def number(self, field: FieldSchema) -> WireType:
        """Return the wire type of a number, in its encoding if it has one."""
        return super().number(field) if field.encoding is None else encoded_integer(field.encoding)


KIP_625 = Dialect(EncodingLoader.dialect, EncodingLoader(), EncodingProtocol())


@dataclass(frozen=True)
class Encoding:
    """One of the nine encodings."""

    kind: str
    """fixed, packed or upacked."""
    bits: int
    """16, 32 or 64."""

    @property
    def name(self) -> str:
        """The name in definitions."""
        return f"{self.kind}{self.bits}"

    @property
    def integer(self) -> str:
        """The integer type with exactly the encodable numbers."""
        return f"int{self.bits}"

    def holds(self, number: int) -> bool:
        """Return whether a number is encodable."""
        lowest, highest = INTEGER_RANGES[self.integer]
        return lowest <= number <= highest

    def pattern(self, number: int) -> int:
        """Return the bits of a number, as an unsigned one of N bits."""
        return zigzag_encode(number) if self.kind == "packed" else number % 2**self.bits

    def number(self, pattern: int) -> int:
        """Return the number of N bits."""
        if self.kind == "packed":
            return zigzag_decode(pattern)
        return pattern - 2**self.bits if pattern >> (self.bits - 1) else pattern

    def size(self, number: int) -> int:
        """Return the number of bytes of an encodable number."""
        return self.bits // 8 if self.kind == "fixed" else size_of_unsigned_varint(self.pattern(number))


ENCODINGS: Mapping[str, Encoding] = MappingProxyType(
    {each.name: each for kind in KINDS for bits in WIDTHS for each in [Encoding(kind, bits)]}
)


class EncodedInteger(WireType):
    """An integer in one of the encodings.

    >>> encoded_integer("packed16").write(-65).hex(), encoded_integer("upacked16").write(-65).hex()
    ('8101', 'bfff03')
    >>> encoded_integer("fixed16").parse(bytes.fromhex("ffff"))
    -1
    """

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._read = _read_fixed if encoding.kind == "fixed" else _read_varint
        self._form: Form = "fixed" if encoding.kind == "fixed" else "coded-varint"

    def read(self, stream: Reader, path: Path = "") -> int:
        start = stream.tell()
        pattern = self._read(stream, self.encoding.bits, path)
        stream.span(start, path, "number", RULES[self.encoding.kind], self._form)
        return self.encoding.number(pattern)

    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        encoding = self.encoding
        if not isinstance(obj, int) or isinstance(obj, bool):
            wrong_type(encoding.integer, obj, path)
        if not encoding.holds(obj):
            refuse(Refusal.OUT_OF_RANGE, path, f"{shown(obj)} does not fit into {encoding.name}", "kip-625.range")
        pattern = encoding.pattern(obj)
        if encoding.kind == "fixed":
            stream.write(pattern.to_bytes(encoding.bits // 8, "big"))
        else:
            write_unsigned_varint(stream, pattern)


def _read_fixed(stream: Reader, bits: int, path: Path) -> int:
    data = stream.read(bits // 8)
    if len(data) != bits // 8:
        stream.truncated(path)
    return int.from_bytes(data, "big")


def _read_varint(stream: Reader, bits: int, path: Path) -> int:
    """Read an unsigned number of exactly `bits` bits, and refuse any surplus bit."""
    start = stream.tell()
    value = read_groups(stream, path, MAXIMUM_BYTES[bits], "kip-625.too-long")
    if value >> bits:
        stream.malformed("kip-625.surplus-bits", Reason.VARINT_OVERFLOW, start, path, f"more than {bits} bits")
    return value


_WIRE_TYPES = {name: EncodedInteger(encoding) for name, encoding in ENCODINGS.items()}


def encoded_integer(name: str) -> EncodedInteger:
    """Return the wire type of an encoding, or raise KeyError if there is none of that name."""
    return _WIRE_TYPES[name]
