import json
from typing import Any

import pytest

from reference import Reason, Result, decode, default, encode, judge, load_release, minimal
from reference.definitions.errors import BrokenDefinition
from reference.definitions.parse import parse_definition
from reference.release import Release
from reference.resolution import resolve

KIP = load_release("kip-893")
NULL = {"Assignment": None}
ALL_DEFAULT: dict[str, Any] = {
    "Assignment": {
        "Error": 0,
        "AssignedTopicPartitions": [],
        "PendingTopicPartitions": [],
        "MetadataVersion": 0,
        "MetadataBytes": b"",
    }
}
BEFORE, FLEXIBLE = 0, 1


def example(release: Release, version: int, value: dict[str, Any]) -> str:
    """Return the bytes of the document's example, without the tag section at the end of its message."""
    wire = encode(release.schema("AssignmentExample", version), value)
    return wire[: len(wire) - (version == FLEXIBLE)].hex(" ")


@pytest.mark.parametrize("version", [BEFORE, FLEXIBLE])
def test_null_in_a_regular_field_is_minus_one(version: int) -> None:
    """An int8, in flexible versions too (14.45, 14.48)."""
    assert example(KIP, version, NULL) == "ff"


@pytest.mark.parametrize(
    ("version", "wire"),
    [(BEFORE, "01 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00"), (FLEXIBLE, "01 00 01 01 00 00 01 00")],
)
def test_a_present_struct_follows_the_marker_one(version: int, wire: str) -> None:
    """The document's Assignment, everything at its default (14.45, 14.49)."""
    assert example(KIP, version, ALL_DEFAULT) == wire


@pytest.mark.parametrize("version", [BEFORE, FLEXIBLE])
def test_null_is_the_default_of_the_example(version: int) -> None:
    """The definition has this default (14.43, 14.49)."""
    assert default(KIP.schema("AssignmentExample", version)) == NULL


def tagged(name: str, value: Any) -> str:
    """Return the tag section of a message with one tagged field and defaults only."""
    schema = KIP.schema("NullableStructs", 3)
    plain = encode(schema, minimal(schema))
    assert plain[-1:] == b"\0"
    wire = encode(schema, {**minimal(schema), name: value})
    assert wire.startswith(plain[:-1])
    return wire[len(plain) - 1 :].hex(" ")


PAIR = {"Number": 5, "Text": "ab"}


def test_null_in_a_tagged_field_is_zero() -> None:
    """It is an unsigned varint of one byte, as its size confirms (14.46, 14.47)."""
    assert tagged("TaggedSetUnlessNull", None) == "01 01 01 00"


@pytest.mark.parametrize(("name", "tag"), [("TaggedNullUnlessSet", "00"), ("TaggedSetUnlessNull", "01")])
def test_a_present_struct_in_a_tagged_field_follows_one(name: str, tag: str) -> None:
    """The same varint, then the struct with its own tag section (14.46)."""
    assert tagged(name, PAIR) == f"01 {tag} 07 01 00 05 03 61 62 00"


def test_never_null_tagged_struct_has_no_marker() -> None:
    """Structs without null are unchanged (14.44)."""
    assert tagged("TaggedNeverNull", PAIR) == "01 02 06 00 05 03 61 62 00"


@pytest.mark.parametrize(("version", "wire"), [(0, "0000ffff0000ffffff00000000"), (1, "0000ffff010000ffffff00000000")])
def test_nullability_adds_a_marker_from_its_first_version_on(version: int, wire: str) -> None:
    """Nothing changes in earlier versions, so it is compatible in a version not yet released (14.44, 14.50)."""
    schema = KIP.schema("NullableStructs", version)
    pair = {"Number": 0, "Text": None}
    assert encode(schema, {**minimal(schema), "Plain": pair, "SinceOne": pair, "NullUnlessSet": None}) == bytes.fromhex(
        wire
    )


def test_null_where_it_is_not_allowed_yet_is_refused() -> None:
    """A reader takes the byte for the first one of the struct (14.44)."""
    schema = KIP.schema("AssignmentExample", FLEXIBLE)
    verdict = judge(schema, bytes.fromhex("01"))
    assert (verdict.result, verdict.reason) == (Result.INVALID, Reason.TRUNCATED)


@pytest.mark.parametrize("marker", ["00", "02", "80", "fe"])
def test_other_markers_are_left_open(marker: str) -> None:
    """The document knows 1 and -1 alone, Apache Kafka goes by the sign (14.45)."""
    wire = bytes.fromhex(f"{marker}00010100000100")
    assert judge(KIP.schema("AssignmentExample", FLEXIBLE), wire + b"\0").result is Result.UNSPECIFIED


@pytest.mark.parametrize("version", [BEFORE, FLEXIBLE])
@pytest.mark.parametrize("value", [NULL, ALL_DEFAULT], ids=["null", "present"])
def test_the_example_is_read_back(version: int, value: dict[str, Any]) -> None:
    """This holds for both forms (14.45)."""
    schema = KIP.schema("AssignmentExample", version)
    assert decode(schema, encode(schema, value)).value == value


def definition(**properties: Any) -> str:
    struct = {
        "name": "Some",
        "type": "Some",
        "versions": "0+",
        "fields": [{"name": "In", "type": "int8", "versions": "0+"}],
    }
    return json.dumps(
        {
            "type": "data",
            "name": "Sample",
            "validVersions": "0",
            "flexibleVersions": "0+",
            "fields": [struct | properties],
        }
    )


@pytest.mark.parametrize("more", [{}, {"tag": 0, "taggedVersions": "0+"}], ids=["regular", "tagged"])
def test_structs_may_have_nullable_versions(more: dict[str, Any]) -> None:
    """This holds for regular and for tagged fields (14.41, 14.42)."""
    text = definition(nullableVersions="0+", default="null", **more)
    assert default(resolve(parse_definition(text, "Sample.json"), 0)) == {"Some": None}


@pytest.mark.parametrize(
    ("properties", "rule"),
    [
        ({"nullableVersions": "0+", "default": "{}"}, "definition.default"),
        ({"default": "null"}, "definition.default-null"),
    ],
)
def test_the_default_of_a_struct_can_be_null_and_nothing_else(properties: dict[str, str], rule: str) -> None:
    """Null is its default only where it may be null (14.43)."""
    with pytest.raises(BrokenDefinition) as caught:
        parse_definition(definition(**properties), "Sample.json")
    assert caught.value.problem.rule == rule
