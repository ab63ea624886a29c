"""Messages printed in the names of `reference.declared`, and as programs."""

import re
import subprocess
import sys
from typing import Any

import pytest
from construct import Construct, ConstructError
from syrupy.assertion import SnapshotAssertion

from conformance.generate.edge_values import populated
from reference import (
    ArrayType,
    FieldSchema,
    MessageSchema,
    PrimitiveType,
    StructType,
    declaration,
    declared,
    load_release,
    message_type,
    newest_release,
    proposals,
    releases,
)
from reference.declared_text import WIDTH, name_of, program
from tests.helpers.releases import BASE
from tests.helpers.sweeps import swept
from tests.reference.declared.comparison import outcome
from tests.reference.declared.questions import damaged, unusual_values

RELEASE = load_release(BASE)


def evaluated(text: str, schema: MessageSchema, names: dict[str, Any]) -> Construct:
    exec(text, names)  # noqa: S102  # the text is to be what Python takes it for
    return names[name_of(schema)]


def test_declaration_and_program_read_and_write_as_the_message() -> None:
    for schema in swept(*releases(), *proposals()):
        made = message_type(schema)
        for printed in (
            evaluated(declaration(schema), schema, dict(vars(declared))),
            evaluated(program(schema), schema, {"__name__": "program"}),
        ):
            for value in (populated(schema), *unusual_values(schema)[:8]):
                assert outcome(printed.build, value, ConstructError) == outcome(made.build, value, ConstructError)
            for wire in (made.build(populated(schema)), *list(damaged(schema, 0))[:8]):
                assert outcome(printed.parse, wire, ConstructError) == outcome(made.parse, wire, ConstructError)


def test_program_runs_without_this_project(tmp_path: Any) -> None:
    schema = load_release(newest_release()).schema("ApiVersionsRequest", 3)
    value = {"ClientSoftwareName": "cl", "ClientSoftwareVersion": "1"}
    script = tmp_path / "program.py"
    script.write_text(f"{program(schema)}\nprint({name_of(schema)}.build({value}).hex())\n")
    isolated = (
        "import runpy, sys; sys.modules['reference'] = sys.modules['conformance'] = None; runpy.run_path(sys.argv[1])"
    )
    run = subprocess.run([sys.executable, "-I", "-c", isolated, script], capture_output=True, text=True, check=False)  # noqa: S603  # our own text
    assert (run.stdout, run.stderr) == ("03636c023100\n", "")


def whole(*fields: FieldSchema, elsewhere: frozenset[int] = frozenset(), flexible: bool = True) -> MessageSchema:
    return MessageSchema("Some", 0, "data", None, flexible, fields, (), elsewhere)


def body(*fields: FieldSchema, **parts: Any) -> list[str]:
    """Return the lines between the first and the last one of a declaration, without their indent."""
    return [line.removeprefix("    ") for line in declaration(whole(*fields, **parts)).splitlines()[2:-1]]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        (FieldSchema("A", PrimitiveType("int32"), default=0, compact=True), '"A" / Int32,'),
        (FieldSchema("A", PrimitiveType("uint16"), default=0, map_key=True), '"A" / UInt16,'),
        (FieldSchema("A", PrimitiveType("string"), default="", compact=True), '"A" / CompactString,'),
        (FieldSchema("A", PrimitiveType("bytes"), default=None, nullable=True), '"A" / NullableBytes,'),
        (
            FieldSchema("A", ArrayType(FieldSchema("A", PrimitiveType("uuid"))), default=[], compact=True),
            '"A" / CompactArray(Uuid),',
        ),
        (FieldSchema("A", PrimitiveType("int64", "packed32"), default=0), '"A" / Encoded("packed32"),'),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_field_is_one_line(field: FieldSchema, text: str) -> None:
    assert body(field, flexible=False) == [text]


@pytest.mark.parametrize(
    ("type_name", "default", "text"),
    [
        ("int8", -1, "-1"),
        ("string", '"', r'"\""'),
        ("float64", float("inf"), 'float("inf")'),
        ("float64", -0.0, "-0.0"),
        ("bool", True, "True"),
    ],
)
def test_default_of_a_tagged_field_is_an_expression(type_name: str, default: Any, text: str) -> None:
    field = FieldSchema("A", PrimitiveType(type_name), tag=0, default=default)
    assert body(field) == [f'Tags(Tag(0, {text}, "A" / {type_name.capitalize()})),']


def test_struct_of_two_fields_is_declared_once() -> None:
    pair = StructType("Pair", (FieldSchema("X", PrimitiveType("int8"), default=0),))
    text = declaration(whole(FieldSchema("A", pair), FieldSchema("B", ArrayType(FieldSchema("B", pair)), default=[])))
    assert text.count("Fields(") == 2
    assert text.index("Pair = Fields(") < text.index("Some_v0 = Fields(")
    assert '"A" / Pair' in text
    assert '"B" / Array(Pair)' in text


@pytest.mark.parametrize("name", ["Pair", "Tag"])
def test_structs_without_a_name_of_their_own_stand_where_they_are_used(name: str) -> None:
    """Two different structs have one name, or the name means something else."""
    one = StructType(name, (FieldSchema("X", PrimitiveType("int8"), default=0),))
    other = StructType(name, (FieldSchema("X", PrimitiveType("int16"), default=0),))
    fields = [FieldSchema(each, one if each < "C" or name == "Tag" else other) for each in "ABCD"]
    assert declaration(whole(*fields)).count('Fields("X"') == 4


def test_tagged_fields_stand_in_the_section_by_their_tags(snapshot: SnapshotAssertion) -> None:
    """They do so even if the definition has them among the others, and tags of other versions are listed."""
    tagged = [FieldSchema(f"T{tag}", PrimitiveType("int8"), tag=tag, default=0) for tag in (1, 0)]
    other = FieldSchema("A", PrimitiveType("bool"), default=False)
    assert body(*tagged, other, elsewhere=frozenset((3, 2))) == snapshot


def test_fields_of_other_versions_have_their_kind_and_default() -> None:
    lines = declaration(RELEASE.schema("MetadataRequest", 12)).splitlines()
    [absent] = [line.strip() for line in lines if "IncludeClusterAuthorizedOperations" in line]
    assert re.findall(r"\w+", absent) == ["Absent", "IncludeClusterAuthorizedOperations", "bool", "False"]


def test_section_of_a_first_draft_stands_at_the_head(snapshot: SnapshotAssertion) -> None:
    schema = load_release("kip-482-first-draft").schema("FooResponse", 9)
    assert declaration(schema) == snapshot


def test_headers_are_declarations_too(snapshot: SnapshotAssertion) -> None:
    assert declaration(RELEASE.schema("RequestHeader", 2)) == snapshot


def test_short_struct_stands_on_one_line() -> None:
    """So ApiVersionsResponse, version 3, takes fifteen lines."""
    _, *lines = declaration(RELEASE.schema("ApiVersionsResponse", 3)).splitlines()
    assert len(lines) == 15
    assert max(map(len, lines)) <= WIDTH
