"""The types of the protocol, declared in the combinators of the library construct.

They read from top to bottom as the protocol does: numbers, lengths, texts, arrays, structs, tags, proposals. A message
is made of these names and of construct's own, and works inside any construct:

>>> Topic = Fields(
...     "Name" / CompactString,
...     "Partitions" / CompactArray(Int32),
...     Tags(Tag(0, None, "Rack" / CompactNullableString)),
... )
>>> Topic.build({"Name": "t", "Partitions": [5], "Rack": None}).hex()
'0274020000000500'

Values are plain: dicts, lists, numbers, texts. A struct has all fields of its version, and unknown tagged fields under
`_tags`, a list of (tag, bytes) that may be left out. Reading is strict. Bytes that some reader may refuse are an error
of construct, with the path of their place. A tagged field with its default is accepted, since every reader must accept
it. Bytes after a message are left alone, as everywhere in construct. `reference.declaration` prints a message of a
release in these names, of which `Array`, `Bytes` and `ZigZag` stand for other things in construct.

This encoding shares no code with the wire types of `reference.wire`, which have spans, policies and speed, so that each
of the two can contradict the other. A class or function in the place of a combinator has its reason in its docstring.
"""

from __future__ import annotations

from copy import deepcopy
from functools import partial
from io import SEEK_END, BytesIO
from math import inf
from types import NoneType
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

import construct
from construct import (
    Adapter,
    Byte,
    Computed,
    Const,
    Construct,
    ExprAdapter,
    Float64b,
    FocusedSeq,
    If,
    Int8sb,
    Int16sb,
    Int16ub,
    Int32sb,
    Int32ub,
    Int64sb,
    Mapping,
    Peek,
    RangeError,
    Rebuild,
    RepeatUntil,
    StringError,
    Struct,
    SymmetricAdapter,
    Terminated,
    ValidationError,
    VarInt,
    obj_,
    this,
)

from reference.definitions.model import RELEASED

if TYPE_CHECKING:
    from collections.abc import Callable

# Numbers, all of them big-endian: an int32 of 300 is 00 00 01 2c.
# A varint has seven bits in a byte, the lowest first: 300 is ac 02. In zig-zag form it is 600, and -1 is 1.


class Valid(SymmetricAdapter):  # type: ignore[misc]  # construct is not typed
    """A construct of some objects only. Errors of construct's validators have the whole object in them."""

    def __init__(self, subcon: Construct, expected: str, test: Callable[[Any], bool]) -> None:
        super().__init__(subcon)
        self.expected, self.test = expected, test

    def _decode(self, obj: Any, context: Any, path: str) -> Any:
        if not self.test(obj):
            raise ValidationError(f"expected {self.expected}", path)
        return obj


def is_a(obj: Any, kinds: tuple[type, ...]) -> bool:
    """Return whether an object is of a type. To Python, True is an integer."""
    return isinstance(obj, kinds) and (bool in kinds or not isinstance(obj, bool))


def typed(subcon: Construct, *kinds: type) -> Construct:
    """Return a construct of objects of these types. Construct would write True as the number 1."""
    return Valid(subcon, " or ".join(kind.__name__ for kind in kinds), lambda obj: is_a(obj, kinds))


def integer(subcon: Construct, numbers: range) -> Construct:
    """Return a construct of the integers in a range."""
    expected = f"an integer from {numbers.start} to {numbers.stop - 1}"
    return Valid(subcon, expected, lambda obj: is_a(obj, (int,)) and numbers.start <= obj < numbers.stop)


INT8, INT16, INT32, INT64 = (range(-(1 << bits - 1), 1 << bits - 1) for bits in (8, 16, 32, 64))
UINT16, UINT32, UINT64 = (range(1 << bits) for bits in (16, 32, 64))
INTEGERS = {"int8": INT8, "int16": INT16, "int32": INT32, "int64": INT64, "uint16": UINT16, "uint32": UINT32}

Bool = typed(Mapping(Byte, {False: 0, True: 1}), bool)
Int8 = integer(Int8sb, INT8)
Int16 = integer(Int16sb, INT16)
Int32 = integer(Int32sb, INT32)
Int64 = integer(Int64sb, INT64)
UInt16 = integer(Int16ub, UINT16)
UInt32 = integer(Int32ub, UINT32)
Float64 = typed(Float64b, float)
Uuid = typed(ExprAdapter(construct.Bytes(16), lambda data, _: UUID(bytes=data), lambda uuid, _: uuid.bytes), UUID)


def Base128(numbers: range) -> Construct:
    """Return a number in groups of seven bits, the lowest first. Construct's VarInt reads any length and any form."""
    longest = -(-(numbers.stop - 1).bit_length() // 7)
    read = RepeatUntil(lambda byte, groups, _: byte < 0x80 or len(groups) == longest, Byte)
    shortest = Valid(
        read,
        "the shortest form",
        lambda groups: groups[-1] < 0x80 and (groups[-1] > 0 or len(groups) == 1),
    )
    number = ExprAdapter(shortest, lambda groups, _: VarInt.parse(bytes(groups)), lambda obj, _: VarInt.build(obj))
    return integer(number, numbers)


def ZigZag(numbers: range) -> Construct:
    """Return a signed number with its sign in the lowest bit. Construct's ZigZag reads any length and any form."""
    folded = Base128(range(numbers.stop - numbers.start))
    return integer(
        ExprAdapter(folded, lambda obj, _: obj >> 1 ^ -(obj & 1), lambda obj, _: abs(2 * obj + (obj < 0))), numbers
    )


UnsignedVarint = Base128(UINT32)

# Lengths and counts, of which -1 stands for null. The compact form is a varint of the number plus one, so 3 is 04 and
# null is 00.

CompactLength = integer(ExprAdapter(UnsignedVarint, obj_ - 1, obj_ + 1), range(-1, 2**32 - 1))


def NotNull(length: Construct) -> Construct:
    """Return a length without null."""
    return integer(length, range(2**32))


def Sized(length: Construct, content: Construct, *kinds: type) -> Construct:
    """Return a length or count, and that many bytes or elements. Construct has no prefix that may stand for null."""
    sized = FocusedSeq(
        "content",
        "length" / Rebuild(length, lambda here: -1 if here.content is None else len(here.content)),
        "content" / If(this.length != -1, content),
    )
    return typed(sized, *kinds, NoneType)


# Texts and bytes: "abc" is 00 03 61 62 63, compact 04 61 62 63. A text has a length of 16 bits, bytes have one of 32.


class Text(SymmetricAdapter):  # type: ignore[misc]
    """UTF-8, or null. Construct's StringEncoded has no null, and no path in its errors."""

    def _decode(self, obj: Any, context: Any, path: str) -> str | bytes | None:
        try:
            return obj.encode() if isinstance(obj, str) else obj if obj is None else obj.decode()
        except (UnicodeError, AttributeError) as error:
            raise StringError(str(error), path) from error


def Data(length: Construct) -> Construct:
    """Return bytes after their length."""
    return Sized(length, construct.Bytes(this.length), bytes)


CompactShortLength = integer(CompactLength, range(-1, 2**15))

String = typed(Text(Data(NotNull(Int16))), str)
NullableString = typed(Text(Data(Int16)), str, NoneType)
CompactString = typed(Text(Data(NotNull(CompactShortLength))), str)
CompactNullableString = typed(Text(Data(CompactShortLength)), str, NoneType)
Bytes = Records = Data(NotNull(Int32))
NullableBytes = NullableRecords = Data(Int32)
CompactBytes = CompactRecords = Data(NotNull(CompactLength))
CompactNullableBytes = CompactNullableRecords = Data(CompactLength)

# Arrays: two int8, 1 and 2, are 00 00 00 02 01 02, compact 03 01 02.


def bytes_left(stream: Any) -> float:
    """Return how many bytes are left in a stream, or infinity if it has no known end, as a socket."""
    try:
        here: int = stream.tell()
        stream.seek(0, SEEK_END)
        end: int = stream.tell()
        stream.seek(here)
    except (OSError, AttributeError):
        return inf
    return end - here


class Elements(construct.Array):  # type: ignore[misc]
    """Elements by a count of at most the bytes left. Construct's Array takes any, and has no indexes in its paths."""

    def _parse(self, stream: Any, context: Any, path: str) -> list[Any]:
        count = self.count(context)
        if not 0 <= count <= bytes_left(stream):
            raise RangeError(f"{count} elements in fewer bytes", path)
        return [self.subcon._parsereport(stream, context, f"{path} -> {index}") for index in range(count)]

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        for index, item in enumerate(obj):
            self.subcon._build(item, stream, context, f"{path} -> {index}")
        return obj


def counted(count: Construct, element: Construct) -> Construct:
    """Return an array with this form of its count."""
    return Sized(count, Elements(this.length, element), list)


Array = partial(counted, NotNull(Int32))
NullableArray = partial(counted, Int32)
CompactArray = partial(counted, NotNull(CompactLength))
CompactNullableArray = partial(counted, CompactLength)

# Structs, their fields in order: int8 5 and int16 300 are 05 01 2c. One that may be null has a marker first.

TAGS = "_tags"
"""The name of unknown tagged fields, a list of (tag, bytes)."""


def marked(marker: Construct, null: int, struct: Construct) -> Construct:
    """Return a struct after a marker, the number for null or 1."""
    known = Valid(marker, f"{null} or 1", lambda obj: obj in {null, 1})
    presence = Rebuild(known, lambda here: null if here.struct is None else 1)
    return FocusedSeq("struct", "marker" / presence, "struct" / If(this.marker == 1, struct))


Nullable = partial(marked, Int8, -1)
TaggedNullable = partial(marked, UnsignedVarint, 0)
"""A struct of a tagged field (KIP-893)."""


class Absent(NamedTuple):
    """A field of other versions. A writer drops it if it is ignorable or has its default."""

    name: str
    kind: Any
    """A Python type, a range of integers, a list with the kind of its elements, or a dict of kinds by field."""
    default: Any
    ignorable: bool = False


def fits(obj: Any, kind: Any) -> bool:
    """Return whether an object without bytes is of a kind. Its length has no limit, and all but numbers may be null."""
    if isinstance(kind, range):
        return is_a(obj, (int,)) and kind.start <= obj < kind.stop
    if isinstance(kind, list) and isinstance(obj, list):
        return all(fits(item, kind[0]) for item in obj)
    if isinstance(kind, dict) and isinstance(obj, dict):
        return all(name == TAGS or (name in kind and fits(item, kind[name])) for name, item in obj.items())
    return (isinstance(kind, type) and is_a(obj, (kind,))) or (obj is None and kind not in (bool, float))


def is_default(obj: Any, default: Any, required: Any = None) -> bool:
    """Return whether an object is a default, of its types. NaN is none, and a struct is one if all its fields are."""
    if isinstance(default, dict) and isinstance(obj, dict):
        # `required` is the default without the fields of other versions, which a struct may lack
        inner = required or {}
        return (
            inner.keys() <= obj.keys() <= {*default, TAGS}
            and not obj.get(TAGS)
            and all(is_default(obj.get(name, each), each, inner.get(name)) for name, each in default.items())
        )
    return obj is None if default is None else is_a(obj, (type(default),)) and bool(obj == default)


DERIVED = (Computed, Const, Peek, Rebuild)
"""The constructs of what follows from the rest of a struct, and is no part of its value."""


class Fields(Adapter):  # type: ignore[misc]
    """A struct as a plain dict, with the names of its version and no others. Construct's Struct ignores other names.

    Args:
        parts: fields, as `"Name" / type`, one `Tags` in a flexible version, and `Absent` fields.
    """

    def __init__(self, *parts: Construct | Absent) -> None:
        self.absent = {part.name: part for part in parts if isinstance(part, Absent)}
        members = [TAGS / part if isinstance(part, Tags) else part for part in parts if not isinstance(part, Absent)]
        super().__init__(Struct(*members))
        given = [each for each in members if each.name and not isinstance(each.subcon, DERIVED)]
        self.own = [each.name for each in given if each.name != TAGS]
        self.tagged = [name for each in given if each.name == TAGS for name in each.names]
        self.flexible = any(each.name == TAGS for each in given)

    def _decode(self, obj: Any, context: Any, path: str) -> dict[str, Any]:
        tagged: dict[str, Any] = obj.get(TAGS, {})
        return {name: obj[name] for name in self.own} | tagged

    def _encode(self, obj: Any, context: Any, path: str) -> dict[str, Any]:
        names = {*self.own, *self.tagged}
        if not isinstance(obj, dict):
            raise ValidationError("expected a dict", path)
        if missing := sorted(names - obj.keys()):
            raise ValidationError(f"there is no {', '.join(missing)}", path)
        for name in obj.keys() - names:
            if not self._drops(name, obj[name]):
                expected = "its default" if name in self.absent else "one of the definition"
                raise ValidationError(
                    f"a field that this version lacks, expected {expected}",
                    f"{path} -> {name if isinstance(name, str) else type(name).__name__}",
                )
        return {**obj, TAGS: obj}

    def _drops(self, name: str, obj: Any) -> bool:
        if name == TAGS:
            return self.flexible or obj in (None, [])
        field = self.absent.get(name)
        return field is not None and fits(obj, field.kind) and (field.ignorable or is_default(obj, field.default))


# Tagged fields, at the end of a struct: a count, then a tag, a size and the bytes of each. Tag 2 with an int16 of 1
# alone is 01 02 02 00 01. A section without entries is 00.


class Tag(NamedTuple):
    """A tagged field, which is left out at its default, and needed in values all the same."""

    tag: int
    default: Any
    field: Construct
    whole: Any = None
    """The default of a struct with its fields of other versions, such as `{"Id": -1, "Old": 0}`, if it has any."""

    def read(self, data: bytes, context: Any, path: str) -> Any:
        """Return the value in all bytes of an entry. Construct's Prefixed does so, but not from a socket."""
        return self._whole._parsereport(BytesIO(data), context, f"{path} -> {self.tag}")

    def written(self, obj: Any, context: Any, path: str) -> bytes:
        """Return the bytes of an entry."""
        stream = BytesIO()
        self._whole._build(obj, stream, context, f"{path} -> {self.tag}")
        return stream.getvalue()

    @property
    def _whole(self) -> Construct:
        return FocusedSeq(self.field.name, self.field, Terminated)


class Tags(Adapter):  # type: ignore[misc]
    """The tagged fields in `Fields`, by ascending tags. Only a function can leave out defaults and restore them.

    Args:
        known: the tagged fields of this version.
        elsewhere: tags of fields that are tagged in other versions only, and so are no unknown fields here.
    """

    highest = 2**31 - 2
    """The highest tag of an unknown field, the highest that Apache Kafka writes."""
    smallest = 0
    """The smallest number of bytes of an unknown field."""
    entries = counted(UnsignedVarint, Struct("tag" / UnsignedVarint, "data" / Data(UnsignedVarint)))
    at_head = False
    """Whether the section stands before the other fields, with known and unknown tags in one order."""

    def __init__(self, *known: Tag, elsewhere: set[int] | frozenset[int] = frozenset()) -> None:
        super().__init__(self.entries)
        self.known = {each.tag: each for each in sorted(known, key=lambda each: each.tag)}
        if len(self.known) < len(known):
            raise ValueError("two fields have the same tag")
        self.elsewhere = elsewhere
        self.names = [each.field.name for each in self.known.values()]

    def _decode(self, obj: Any, context: Any, path: str) -> dict[str, Any]:
        value = {each.field.name: deepcopy(each.default) for each in self.known.values()}
        unknown: list[tuple[int, bytes]] = []
        previous = -1
        for entry in obj:
            if entry.tag <= previous:
                raise ValidationError(f"tag {entry.tag} after {previous}", path)
            previous = entry.tag
            if entry.tag in self.known:
                field = self.known[entry.tag]
                value[field.field.name] = field.read(entry.data, context, path)
            else:
                unknown.append(self._unknown(entry.tag, entry.data, path))
        return {**value, TAGS: unknown} if unknown else value

    def _encode(self, obj: Any, context: Any, path: str) -> list[dict[str, Any]]:
        known = [
            (tag, each.written(obj[each.field.name], context, path))
            for tag, each in self.known.items()
            if not is_default(obj[each.field.name], each.default if each.whole is None else each.whole, each.default)
        ]
        unknown = [] if obj.get(TAGS) is None else obj[TAGS]
        if not isinstance(unknown, list):
            raise ValidationError("expected a list of (tag, bytes)", path)
        previous = -1
        for entry in unknown:
            match entry:
                case (int() as tag, bytes() as data) if tag > previous:
                    previous, _ = self._unknown(tag, data, path)
                case _:
                    raise ValidationError("expected (tag, bytes) by ascending tags", path)
        entries = [*known, *map(tuple, unknown)]
        return [{"tag": tag, "data": data} for tag, data in (sorted(entries) if self.at_head else entries)]

    def _unknown(self, tag: int, data: bytes, path: str) -> tuple[int, bytes]:
        if tag in self.known or tag in self.elsewhere or tag > self.highest or len(data) < self.smallest:
            raise ValidationError("the tag, or the size, is not that of an unknown field", path)
        return tag, data


# Proposals that never shipped: both drafts of KIP-482, and KIP-625


class FirstDraftTags(Tags):
    """Entries up to one of no bytes, before the other fields."""

    highest, smallest, at_head = 2**15 - 1, 1, True
    entry = Struct(
        "size" / Rebuild(ZigZag(INT32), lambda here: len(here.data)),
        "tag" / If(this.size != 0, Valid(Int16, "a tag from 0", lambda obj: obj >= 0)),
        "data" / construct.Bytes(this.size),
    )
    entries = ExprAdapter(
        RepeatUntil(lambda entry, *_: not entry["data"], entry),
        lambda entries, _: entries[:-1],
        lambda entries, _: [*entries, {"tag": None, "data": b""}],
    )


def interleaved(size: int, tag: int) -> int:
    """Return a number with the bits of one at its even places, and of the other at its odd ones."""
    return sum((size >> place & 1) << 2 * place | (tag >> place & 1) << 2 * place + 1 for place in range(32))


def every_other(number: int, first: int) -> int:
    """Return the number of every other bit."""
    return sum((number >> 2 * place + first & 1) << place for place in range(32))


class SecondDraftTags(FirstDraftTags):
    """A count of entries before the other fields, each after its length and tag in one number."""

    highest, smallest = 2**31 - 1, 0
    entry = Struct(
        "head" / Rebuild(Base128(UINT64), lambda here: interleaved(len(here.data), here.tag)),
        "tag" / Computed(lambda here: every_other(here.head, 1)),
        "data" / construct.Bytes(lambda here: every_other(here.head, 0)),
    )
    entries = counted(UnsignedVarint, entry)


def Encoded(encoding: str) -> Construct:
    """Return an integer of an encoding of KIP-625: `fixed`, `packed` or `upacked`, each of 16, 32 or 64 bits."""
    kind, bits = encoding[:-2], encoding[-2:]
    numbers, patterns = {"16": (INT16, UINT16), "32": (INT32, UINT32), "64": (INT64, UINT64)}[bits]
    sign, modulus = numbers.stop, patterns.stop
    upacked = integer(
        ExprAdapter(Base128(patterns), lambda obj, _: (obj ^ sign) - sign, lambda obj, _: obj % modulus), numbers
    )
    fixed = {"16": Int16, "32": Int32, "64": Int64}[bits]
    return {"fixed": fixed, "packed": ZigZag(numbers), "upacked": upacked}[kind]


PROPOSALS = {
    "kip-482-first-draft": {"Tags": "FirstDraftTags", "TaggedNullable": "Nullable"},
    "kip-482-second-draft": {"Tags": "SecondDraftTags"},
}
"""The names with another one in a proposal."""


def named(name: str, dialect: str = RELEASED) -> str:
    """Return the name in a dialect."""
    return PROPOSALS.get(dialect, {}).get(name, name)
