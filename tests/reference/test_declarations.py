from typing import Any

import pytest

from conformance.generate.edge_values import populated, with_unknown_tags
from reference import (
    ArrayType,
    FieldSchema,
    MessageSchema,
    PrimitiveType,
    StructType,
    declaration,
    encode_with_spans,
    load_release,
    minimal,
    proposals,
    releases,
    vocabulary,
)
from reference.declarations import name_of
from reference.wire.base import WireType
from reference.wire.stream import LenientReader
from tests.helpers.releases import BASE
from tests.helpers.sweeps import swept

RELEASE = load_release(BASE)


def evaluated(schema: MessageSchema) -> WireType:
    names = dict(vars(vocabulary))
    exec(declaration(schema), names)  # noqa: S102  # the text is to be what Python takes it for
    wire_type: WireType = names[name_of(schema)]
    return wire_type


def test_declaration_reads_and_writes_what_the_message_does() -> None:
    """The smallest value, one with something in every field, and one with unknown tags."""
    for schema in swept(*releases(), *proposals()):
        declared = evaluated(schema)
        full = populated(schema)
        for value in (minimal(schema), full, with_unknown_tags(schema.body, full)):
            encoded = encode_with_spans(schema, value)
            reader = LenientReader(encoded.wire, trace=True)
            assert declared.write(value) == encoded.wire, str(schema)
            assert declared.read(reader) == value, str(schema)
            assert tuple(reader.spans or ()) == encoded.spans, str(schema)


def whole(*fields: FieldSchema, elsewhere: frozenset[int] = frozenset(), flexible: bool = True) -> MessageSchema:
    return MessageSchema("Some", 0, "data", None, flexible, fields, (), elsewhere)


def body(*fields: FieldSchema, **parts: Any) -> list[str]:
    """Return the lines between the first and the last one of a declaration, without their indent."""
    return [line.removeprefix("    ") for line in declaration(whole(*fields, **parts)).splitlines()[2:-1]]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (FieldSchema("A", PrimitiveType("int32"), default=0, compact=True), '"A" / Int32,'),
        (FieldSchema("A", PrimitiveType("int8"), default=-1), '"A" / Int8 * default(-1),'),
        (FieldSchema("A", PrimitiveType("uint16"), default=0, map_key=True), '"A" / UInt16 * key,'),
        (FieldSchema("A", PrimitiveType("string"), default="", compact=True), '"A" / CompactString,'),
        (
            FieldSchema("A", PrimitiveType("bytes"), default=None, nullable=True, map_key=True),
            '"A" / NullableBytes * key * default(None),',
        ),
        (FieldSchema("A", PrimitiveType("string"), default='"'), '"A" / String * default("\\""),'),
        (FieldSchema("A", PrimitiveType("float64"), default=float("inf")), '"A" / Float64 * default(float("inf")),'),
        (FieldSchema("A", PrimitiveType("float64"), default=-0.0), '"A" / Float64 * default(-0.0),'),
        (
            FieldSchema("A", ArrayType(FieldSchema("A", PrimitiveType("uuid"))), default=[], compact=True),
            '"A" / CompactArray(Uuid),',
        ),
        (FieldSchema("A", PrimitiveType("int64", "packed32"), default=0), '"A" / Encoded(Int64, "packed32"),'),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_field_is_one_line(field: FieldSchema, text: str) -> None:
    assert body(field, flexible=False) == [text]


def test_struct_that_is_there_twice_is_declared_once() -> None:
    pair = StructType("Pair", (FieldSchema("X", PrimitiveType("int8"), default=0),))
    text = declaration(whole(FieldSchema("A", pair), FieldSchema("B", ArrayType(FieldSchema("B", pair)), default=[])))
    assert text.count("Struct(") == 2
    assert text.index("Pair = Struct(") < text.index("Some_v0 = Struct(")
    assert '"A" / Pair' in text
    assert '"B" / Array(Pair)' in text


def test_structs_of_one_name_that_differ_stand_where_they_are_used() -> None:
    one = StructType("Pair", (FieldSchema("X", PrimitiveType("int8"), default=0),))
    other = StructType("Pair", (FieldSchema("X", PrimitiveType("int16"), default=0),))
    fields = [FieldSchema(name, one if name < "C" else other) for name in "ABCD"]
    assert declaration(whole(*fields)).count("Struct(  # Pair") == 4


def test_tagged_fields_stand_in_the_section_by_their_tags() -> None:
    """They do so even if the definition has them among the others; tags of other versions are listed."""
    tagged = [FieldSchema(f"T{tag}", PrimitiveType("int8"), tag=tag, default=0) for tag in (1, 0)]
    assert body(*tagged, FieldSchema("A", PrimitiveType("bool"), default=False), elsewhere=frozenset((3, 2))) == [
        '"A" / Bool,',
        "Tags({",
        '    0: "T0" / Int8,',
        '    1: "T1" / Int8,',
        "}, elsewhere={2, 3}),",
    ]


def test_fields_of_other_versions_are_named_in_a_comment() -> None:
    assert "    # not in this version: IncludeClusterAuthorizedOperations" in declaration(
        RELEASE.schema("MetadataRequest", 12)
    ).split("\n")


def test_section_of_a_first_draft_stands_at_the_head() -> None:
    schema = load_release("kip-482-first-draft").schema("FooResponse", 9)
    assert declaration(schema).splitlines()[2] == "    Tags({"


def test_headers_are_declarations_too() -> None:
    assert declaration(RELEASE.schema("RequestHeader", 2)).splitlines() == [
        "# RequestHeader, version 2: header, flexible",
        "RequestHeader_v2 = Struct(",
        '    "RequestApiKey" / Int16,',
        '    "RequestApiVersion" / Int16,',
        '    "CorrelationId" / Int32,',
        '    "ClientId" / NullableString,',
        "    Tags(),",
        ")",
    ]
