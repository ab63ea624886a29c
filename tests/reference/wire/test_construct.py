from collections.abc import Callable, Iterator
from io import BufferedReader, BytesIO, RawIOBase
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

import construct
import pytest

import reference.layouts
import reference.vocabulary
from conformance.generate.edge_values import populated
from conformance.generate.records.building import record
from reference import Malformed, Unencodable, load_release, primitive, primitives
from reference.proposals.kip482_second_draft import TAG_HEADER, LengthAndTag, LongString
from reference.proposals.kip625 import ENCODINGS, encoded_integer
from reference.protocols import message_type
from reference.records.record import RECORD
from reference.schema import FieldSchema, PrimitiveType
from reference.wire.base import WireType
from reference.wire.lengths import CompactLength, LegacyLength
from reference.wire.numbers import INT8, INT16, INT32
from reference.wire.stream import Reader
from reference.wire.structs import Defaulted, NullableStruct, StructBody, TaggedNullableStruct
from reference.wire.tags import TaggedField, TagSection
from tests.helpers.each import for_each
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)
VALUES: dict[str, Any] = {
    "bool": True,
    "float64": 1.5,
    "uuid": UUID(int=5),
    "string": "a\N{LATIN SMALL LETTER E WITH ACUTE}",
    "bytes": b"\xca\xfe",
    "records": b"\xca",
    "tag-section": [(5, b"\xca\xfe")],
    "array-of-int32": [1, -1],
    "array-of-string": ["a", ""],
}
"""A value of each type, by the end of its name; integers have another."""


class Case(NamedTuple):
    """A wire type and a value of it."""

    name: str
    wire_type: WireType
    value: Any


def cases() -> Iterator[Case]:
    """Yield every wire type of the reference with a value, and nullable ones also with null."""
    for name in primitives():
        ending = max((ending for ending in VALUES if name.endswith(ending)), key=len, default=None)
        yield Case(name, primitive(name).wire_type, 5 if ending is None else VALUES[ending])
        if "nullable" in name:
            yield Case(f"{name}-null", primitive(name).wire_type, None)
    yield Case("legacy-length", LegacyLength("length", "string.length", width=2, nullable=True), 300)
    yield Case("compact-length", CompactLength("length", "string.compact-length", nullable=True), 300)
    yield from structs()
    yield from (Case(name, encoded_integer(name), -5) for name in ENCODINGS)
    yield Case("interleaved-header", TAG_HEADER, LengthAndTag(4, 5))
    yield Case("long-string", LongString(CompactLength("length", "string.compact-length", nullable=False)), "a")
    yield Case("layout", reference.layouts.METADATA_RECORD, {"frame-version": 1, "type": 20, "version": 0})
    yield Case("record", RECORD, record(key=b"k", headers=[("h", None)]))
    yield Case("declared", reference.vocabulary.CompactString, "a")
    yield from messages()


def structs() -> Iterator[Case]:
    """Yield structs with and without a tag section, nullable ones, and a tag section on its own."""
    tagged = TaggedField(3, FieldSchema("C", PrimitiveType("int16"), tag=3, default=0), INT16)
    section = TagSection([tagged], frozenset(), "tag.section")
    plain = StructBody([("A", INT8), ("B", INT16)], None, ())
    flexible = StructBody([("A", INT8), ("C", Defaulted(0))], section, ())
    yield Case("struct", plain, {"A": 1, "B": 2})
    yield Case("struct-with-tags", flexible, {"A": 1, "C": 5, "_tags": [(4, b"\1")]})
    yield Case("tags", section, {"C": 5})
    for name, wire_type in (("nullable", NullableStruct(plain)), ("tagged-nullable", TaggedNullableStruct(plain))):
        yield Case(f"{name}-struct", wire_type, {"A": 1, "B": 2})
        yield Case(f"{name}-struct-null", wire_type, None)


def messages() -> Iterator[Case]:
    for message, version in (("RequestHeader", 2), ("ResponseHeader", 0), ("MetadataResponse", 12)):
        schema = RELEASE.schema(message, version)
        yield Case(str(schema), message_type(schema), populated(schema))
    for name in ("kip-482-first-draft", "kip-482-second-draft", "kip-625"):
        schema = list(load_release(name).schemas())[-1]
        yield Case(f"{name}-{schema}", message_type(schema), populated(schema))


CASES = {case.name: case for case in cases()}
every_type = for_each(CASES.values(), attrgetter("name"))


class Combinator(NamedTuple):
    """A construct with a wire type in it, with its value and its bytes."""

    construct: Callable[[Any, Any], Any]
    value: Callable[[Any], Any]
    wire: Callable[[bytes], bytes]


COMBINATORS = {
    "Struct": Combinator(
        lambda wire_type, _: construct.Struct("a" / construct.Byte, "b" / wire_type, "c" / construct.Byte),
        lambda value: {"a": 1, "b": value, "c": 2},
        lambda wire: b"\1" + wire + b"\2",
    ),
    "this": Combinator(
        lambda wire_type, _: construct.Struct("count" / construct.Byte, "items" / wire_type[construct.this.count]),
        lambda value: {"count": 2, "items": [value] * 2},
        lambda wire: b"\2" + wire * 2,
    ),
    "Prefixed": Combinator(
        lambda wire_type, _: construct.Prefixed(INT32, wire_type),
        lambda value: value,
        lambda wire: len(wire).to_bytes(4, "big") + wire,
    ),
    "GreedyRange": Combinator(
        lambda wire_type, _: construct.GreedyRange(wire_type), lambda value: [value] * 2, lambda wire: wire * 2
    ),
    "Optional": Combinator(lambda wire_type, _: construct.Optional(wire_type), lambda value: value, lambda wire: wire),
    "Peek": Combinator(
        lambda wire_type, _: construct.Struct("first" / construct.Peek(wire_type), "it" / wire_type),
        lambda value: {"first": value, "it": value},
        lambda wire: wire,
    ),
}


def plain(value: Any) -> Any:
    if isinstance(value, construct.Container):
        return {name: plain(item) for name, item in value.items() if name != "_io"}
    if isinstance(value, construct.ListContainer):
        return [plain(item) for item in value]
    return value


def subclasses(of: type[Any]) -> Iterator[type[Any]]:
    for each in of.__subclasses__():
        if each.__module__.startswith("reference."):
            yield from subclasses(each)
            yield each


def inner(wire_type: Any) -> Iterator[type]:
    yield type(wire_type)
    parts = [part for part in vars(wire_type).values() if isinstance(part, WireType)]
    for part in (*parts, *(member for _, member in getattr(wire_type, "members", ()))):
        yield from inner(part)


def test_every_wire_type_is_tried() -> None:
    abstract = {"Length", "HeadSection"}
    tried = {cls for case in CASES.values() for cls in inner(case.wire_type)}
    assert {cls.__name__ for cls in subclasses(WireType)} - {cls.__name__ for cls in tried} == abstract


@every_type
def test_every_wire_type_works_inside_a_combinator(case: Case) -> None:
    check_inside(case, COMBINATORS["Struct"])


@pytest.mark.parametrize("combinator", COMBINATORS)
def test_wire_type_works_inside_every_combinator(combinator: str) -> None:
    """One type stands for all, since a combinator calls only methods of their one base class."""
    check_inside(CASES["struct-with-tags"], COMBINATORS[combinator])


def check_inside(case: Case, combinator: Combinator) -> None:
    """Check that the type's bytes are built with the additions of the combinator, and parsed back."""
    made, value = combinator.construct(case.wire_type, case.value), combinator.value(case.value)
    wire = combinator.wire(case.wire_type.write(case.value))
    assert made.build(value) == wire
    assert plain(made.parse(wire)) == value


@every_type
def test_size_is_that_of_every_value_or_unknown(case: Case) -> None:
    wrapped = construct.Struct("it" / case.wire_type)
    if case.wire_type.width is not None:
        assert wrapped.sizeof() == case.wire_type.sizeof() == len(case.wire_type.write(case.value))
        return
    with pytest.raises(construct.SizeofError) as caught:
        wrapped.sizeof()
    assert caught.value.path == "(sizeof) -> it"


@pytest.mark.parametrize(
    ("message", "version", "size"),
    [("ResponseHeader", 0, 4), ("ResponseHeader", 1, None), ("ControllerRegistrationRequest", 0, None)],
)
def test_messages_have_a_size_if_all_their_fields_have(message: str, version: int, size: int | None) -> None:
    assert message_type(RELEASE.schema(message, version)).width == size


@every_type
def test_truncated_input_is_an_error_of_construct_with_its_path(case: Case) -> None:
    wire = case.wire_type.write(case.value)
    with pytest.raises(construct.ConstructError) as caught:
        construct.Struct("a" / construct.Byte, "it" / case.wire_type).parse(b"\1" + wire[:-1])
    assert isinstance(caught.value, Malformed)
    assert caught.value.path.startswith("(parsing) -> it")


METADATA = message_type(RELEASE.schema("MetadataRequest", 1))


def test_path_goes_from_construct_into_the_message() -> None:
    frame = construct.Struct("body" / METADATA)
    with pytest.raises(Malformed) as caught:
        frame.parse(bytes.fromhex("00000002 0001 61 0005 62"))
    assert caught.value.path == "(parsing) -> body -> Topics -> 1 -> Name"
    assert (caught.value.rule, caught.value.offset) == ("length.within-input", 7)
    assert str(caught.value).startswith("length-exceeds-input at byte 7, in (parsing) -> body -> Topics -> 1 -> Name")


def test_path_of_a_value_that_cannot_be_built() -> None:
    with pytest.raises(construct.ConstructError) as caught:
        construct.Struct("body" / METADATA).build({"body": {"Topics": [{"Name": 5}]}})
    assert isinstance(caught.value, Unencodable)
    assert caught.value.path == "(building) -> body -> Topics -> 0 -> Name"


def test_wire_type_that_is_called_alone_has_the_path_of_its_field() -> None:
    with pytest.raises(Malformed) as caught:
        METADATA.read(Reader(bytes.fromhex("00000001 0005 61")))
    assert caught.value.path == "Topics[0].Name"


def test_range_ends_before_what_is_malformed() -> None:
    made = construct.Sequence(construct.GreedyRange(primitive("compact-string").wire_type), construct.GreedyBytes)
    assert plain(made.parse(bytes.fromhex("0261 0262 0963"))) == [["a", "b"], bytes.fromhex("0963")]


def test_deviations_are_errors() -> None:
    with pytest.raises(Malformed, match=r"bool\.other-than-0-1"):
        construct.Struct("it" / primitive("bool").wire_type).parse(b"\2")


def test_nothing_after_the_value_is_read() -> None:
    stream = BytesIO(bytes.fromhex("ff 0003 616263 00"))
    stream.seek(1)
    assert construct.Struct("it" / primitive("string").wire_type).parse_stream(stream).it == "abc"
    assert stream.tell() == 6


class Socket(RawIOBase):
    """A stream without seeking that blocks until bytes arrive."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        view = memoryview(buffer)
        if not self.data:
            raise TimeoutError("more was asked for than was sent")
        count = min(len(view), len(self.data))
        view[:count], self.data = self.data[:count], self.data[count:]
        return count


def test_message_is_read_from_a_socket() -> None:
    schema = RELEASE.schema("HeartbeatResponse", 4)
    frame = construct.Struct("size" / INT32, "body" / message_type(schema))
    value = {"size": 9, "body": populated(schema)}
    assert plain(frame.parse_stream(BufferedReader(Socket(frame.build(value)), 1))) == value


def test_stream_without_an_end_has_offsets_from_where_reading_began() -> None:
    class Ended(Socket):
        def readinto(self, buffer: Any, /) -> int:
            return super().readinto(buffer) if self.data else 0

    with pytest.raises(Malformed) as caught:
        INT32.parse_stream(BufferedReader(Ended(b"\0\0"), 1))
    assert (caught.value.rule, caught.value.offset) == ("input.truncated", 2)
