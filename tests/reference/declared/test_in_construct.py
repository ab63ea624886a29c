"""Messages as constructs, inside construct's own classes."""

from collections.abc import Callable, Iterator
from io import BufferedReader, BytesIO, RawIOBase
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

import construct
import pytest

from conformance.generate.edge_values import populated
from reference import declared, load_release, message_type, primitives
from tests.helpers.each import for_each
from tests.helpers.releases import BASE
from tests.reference.declared.comparison import NUMBERS, wire_type

RELEASE = load_release(BASE)
VALUES: dict[str, Any] = {
    "bool": True,
    "float64": 1.5,
    "uuid": UUID(int=5),
    "string": "a\N{LATIN SMALL LETTER E WITH ACUTE}",
    "bytes": b"\xca\xfe",
    "records": b"\xca",
    "tag-section": {"_tags": [(5, b"\xca\xfe")]},
    "array-of-int32": [1, -1],
    "array-of-string": ["a", ""],
}
"""A value of each type, by the end of its name; integers have another."""


class Case(NamedTuple):
    """A construct and a value of it."""

    name: str
    construct: Any
    value: Any


def cases() -> Iterator[Case]:
    """Yield every wire type and some messages with a value, and nullable ones also with null."""
    for name in primitives():
        ending = max((ending for ending in VALUES if name.endswith(ending)), key=len, default=None)
        yield Case(name, wire_type(name), 5 if ending is None else VALUES[ending])
        if "nullable" in name:
            yield Case(f"{name}-null", wire_type(name), None)
    body = declared.Fields("A" / declared.Int8)
    for name, nullable in (("nullable", declared.Nullable(body)), ("tagged-nullable", declared.TaggedNullable(body))):
        yield Case(f"{name}-struct", nullable, {"A": 1})
        yield Case(f"{name}-struct-null", nullable, None)
    for message, version in (("RequestHeader", 2), ("ResponseHeader", 0), ("MetadataResponse", 12)):
        schema = RELEASE.schema(message, version)
        yield Case(str(schema), message_type(schema), populated(schema))
    for name in ("kip-482-first-draft", "kip-482-second-draft", "kip-625"):
        schema = list(load_release(name).schemas())[-1]
        yield Case(f"{name}-{schema}", message_type(schema), populated(schema))


CASES = {case.name: case for case in cases()}
every_type = for_each(CASES.values(), attrgetter("name"))


class Combinator(NamedTuple):
    """A construct with another one in it, with its value and its bytes."""

    construct: Callable[[Any], Any]
    value: Callable[[Any], Any]
    wire: Callable[[bytes], bytes]


COMBINATORS = {
    "Struct": Combinator(
        lambda inner: construct.Struct("a" / construct.Byte, "b" / inner, "c" / construct.Byte),
        lambda value: {"a": 1, "b": value, "c": 2},
        lambda wire: b"\1" + wire + b"\2",
    ),
    "this": Combinator(
        lambda inner: construct.Struct("count" / construct.Byte, "items" / inner[construct.this.count]),
        lambda value: {"count": 2, "items": [value] * 2},
        lambda wire: b"\2" + wire * 2,
    ),
    "Prefixed": Combinator(
        lambda inner: construct.Prefixed(construct.Int32ub, inner),
        lambda value: value,
        lambda wire: len(wire).to_bytes(4, "big") + wire,
    ),
    "GreedyRange": Combinator(construct.GreedyRange, lambda value: [value] * 2, lambda wire: wire * 2),
    "Optional": Combinator(construct.Optional, lambda value: value, lambda wire: wire),
    "Peek": Combinator(
        lambda inner: construct.Struct("first" / construct.Peek(inner), "it" / inner),
        lambda value: {"first": value, "it": value},
        lambda wire: wire,
    ),
    "Switch": Combinator(
        lambda inner: construct.Struct("key" / construct.Byte, "it" / construct.Switch(construct.this.key, {7: inner})),
        lambda value: {"key": 7, "it": value},
        lambda wire: b"\7" + wire,
    ),
}


def plain(value: Any) -> Any:
    if isinstance(value, construct.Container):
        return {name: plain(item) for name, item in value.items() if name != "_io"}
    return [plain(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("combinator", COMBINATORS.values(), ids=COMBINATORS)
def test_every_type_works_inside_every_combinator(combinator: Combinator) -> None:
    for case in CASES.values():
        made, wire = combinator.construct(case.construct), combinator.wire(case.construct.build(case.value))
        value = combinator.value(case.value)
        assert made.build(value) == wire, case.name
        assert plain(made.parse(wire)) == value, case.name


@every_type
def test_values_are_plain(case: Case) -> None:
    read = case.construct.parse(case.construct.build(case.value))
    assert type(read) is type(case.value)
    assert read == case.value


@pytest.mark.parametrize(
    ("message", "version", "size"), [("ResponseHeader", 0, 4), ("ResponseHeader", 1, None), ("HeartbeatResponse", 0, 2)]
)
def test_messages_have_a_size_if_all_their_fields_have(message: str, version: int, size: int | None) -> None:
    made = message_type(RELEASE.schema(message, version))
    if size is not None:
        assert made.sizeof() == size
        return
    with pytest.raises(construct.SizeofError):
        made.sizeof()


@every_type
def test_truncated_input_is_an_error_of_construct_with_its_path(case: Case) -> None:
    wire = case.construct.build(case.value)
    with pytest.raises(construct.ConstructError) as caught:
        construct.Struct("a" / construct.Byte, "it" / case.construct).parse(b"\1" + wire[:-1])
    assert caught.value.path.startswith("(parsing) -> it")


METADATA = message_type(RELEASE.schema("MetadataRequest", 1))


def steps_to(error: construct.ConstructError) -> list[str]:
    return str(error.path).split(" -> ")


def test_path_has_names_and_indexes() -> None:
    with pytest.raises(construct.ConstructError) as caught:
        construct.Struct("body" / METADATA).parse(bytes.fromhex("00000002 0001 61 0005 62"))
    assert steps_to(caught.value) == ["(parsing)", "body", "Topics", "content", "1", "Name", "content"]


def test_path_of_an_unencodable_value() -> None:
    with pytest.raises(construct.ConstructError) as caught:
        construct.Struct("body" / METADATA).build({"body": {"Topics": [{"Name": 5}]}})
    assert steps_to(caught.value) == ["(building)", "body", "Topics", "content", "0", "Name"]


def test_path_leads_into_a_tagged_field() -> None:
    made = declared.Fields(declared.Tags(declared.Tag(0, "", "Rack" / declared.CompactString)))
    with pytest.raises(construct.ConstructError) as caught:
        made.parse(bytes.fromhex("01 00 01 05"))
    assert steps_to(caught.value) == ["(parsing)", "_tags", "0", "Rack", "content"]


@pytest.mark.parametrize("value", [{}, {"Topics": [], "Other": 1}, [], None, {"Topics": None, "_tags": [(1, b"")]}])
def test_other_values_are_errors_of_construct(value: Any) -> None:
    with pytest.raises(construct.ConstructError):
        METADATA.build(value)


LARGE = 10**5000
"""Python refuses to print it."""


@pytest.mark.parametrize(
    ("made", "value"),
    [
        (declared.Int8, LARGE),
        (declared.UnsignedVarint, LARGE),
        (declared.Float64, LARGE),
        (declared.Fields(), {LARGE: 1}),
        (declared.Fields(declared.Tags()), {"_tags": [(LARGE, b"")]}),
        (declared.CompactLength, None),
        (declared.NotNull(declared.Int32), None),
    ],
    ids=["int8", "varint", "float64", "name", "tag", "length", "not-null"],
)
def test_odd_object_is_an_error_of_construct(made: Any, value: Any) -> None:
    with pytest.raises(construct.ConstructError):
        made.build(value)


def test_tagged_field_reads_and_writes_in_one_context() -> None:
    inner = declared.Tag(0, b"", "d" / construct.Bytes(construct.this._.n))
    made = declared.Fields("n" / declared.Int8, declared.Tags(inner))
    value = {"n": 2, "d": b"ab"}
    assert made.parse(made.build(value)) == value


def test_two_fields_of_one_tag_are_refused() -> None:
    with pytest.raises(ValueError, match="same tag"):
        declared.Tags(declared.Tag(0, 0, "a" / declared.Int8), declared.Tag(0, 0, "b" / declared.Int8))


def test_missing_field_is_named() -> None:
    with pytest.raises(construct.ConstructError, match="no AllowAutoTopicCreation"):
        message_type(RELEASE.schema("MetadataRequest", 4)).build({"Topics": []})


def test_range_ends_before_a_malformed_element() -> None:
    made = construct.Sequence(construct.GreedyRange(declared.CompactString), construct.GreedyBytes)
    assert plain(made.parse(bytes.fromhex("0261 0262 0963"))) == [["a", "b"], bytes.fromhex("0963")]


def test_unspecified_bytes_are_errors() -> None:
    with pytest.raises(construct.ConstructError):
        declared.Bool.parse(b"\2")


def test_nothing_after_the_value_is_read() -> None:
    stream = BytesIO(bytes.fromhex("ff 0003 616263 00"))
    stream.seek(1)
    assert declared.String.parse_stream(stream) == "abc"
    assert stream.tell() == 6


class Socket(RawIOBase):
    """A stream without seeking, blocked until bytes arrive."""

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
    schema = RELEASE.schema("MetadataResponse", 12)
    frame = construct.Struct("size" / declared.Int32, "body" / message_type(schema))
    value = {"size": 9, "body": populated(schema)}
    assert plain(frame.parse_stream(BufferedReader(Socket(frame.build(value)), 1))) == value


def test_every_number_has_a_wire_type() -> None:
    assert NUMBERS.keys() <= set(primitives())
