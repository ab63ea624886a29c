from typing import Any
from uuid import UUID

import pytest

from reference import completed, default, encode, is_default, load_release, minimal
from tests.helpers.releases import BASE
from tests.reference.inline import message, one_field

X = '"fields": [{ "name": "X", "type": "int8", "versions": "0+", "default": "3" }]'
NULLABLE = '"nullableVersions": "0+"'
DEFAULTS: list[tuple[str, str, Any]] = [
    ("int8", '"type": "int8"', 0),
    ("int32, negative", '"type": "int32", "default": "-1"', -1),
    ("nullable string", f'"type": "string", {NULLABLE}', ""),
    ("string, null", f'"type": "string", {NULLABLE}, "default": "null"', None),
    ("string, JSON null", f'"type": "string", {NULLABLE}, "default": null', ""),
    ("records", '"type": "records"', None),
    ("array", '"type": "[]int32"', []),
    ("struct", f'"type": "S", {X}', {"X": 3}),
    ("nullable struct", f'"type": "S", {NULLABLE}, {X}', {"X": 3}),
    ("struct, null", f'"type": "S", {NULLABLE}, "default": "null", {X}', None),
    ("array of structs", f'"type": "[]S", {X}', []),
]

IS_DEFAULT: list[tuple[str, str, Any, bool]] = [
    ("zero", '"type": "int8"', 0, True),
    ("one", '"type": "int8"', 1, False),
    ("the number given", '"type": "int8", "default": "5"', 5, True),
    ("zero where another is given", '"type": "int8", "default": "5"', 0, False),
    ("zero as float", '"type": "float64"', 0.0, True),
    ("negative zero", '"type": "float64"', -0.0, True),
    ("NaN", '"type": "float64"', float("nan"), False),
    ("NaN where it is given", '"type": "float64", "default": "NaN"', float("nan"), False),
    ("no text", '"type": "string"', "", True),
    ("null for a text", f'"type": "string", {NULLABLE}', None, False),
    ("null where it is given", f'"type": "string", {NULLABLE}, "default": "null"', None, True),
    ("no text where null is given", f'"type": "string", {NULLABLE}, "default": "null"', "", False),
    ("no bytes", '"type": "bytes"', b"", True),
    ("no bytes where null is given", f'"type": "bytes", {NULLABLE}, "default": "null"', b"", False),
    ("no records", '"type": "records"', b"", False),
    ("null records", '"type": "records"', None, True),
    ("no elements", '"type": "[]int8"', [], True),
    ("an element of zero", '"type": "[]int8"', [0], False),
    ("null for an array", f'"type": "[]int8", {NULLABLE}', None, False),
    ("an element at its default", f'"type": "[]S", {X}', [{"X": 3}], False),
    ("a struct at its default", f'"type": "S", {X}', {"X": 3}, True),
    ("a struct of zero", f'"type": "S", {X}', {"X": 0}, False),
    ("a struct with an unknown tag", f'"type": "S", {X}', {"X": 3, "_tags": [(5, b"")]}, False),
    ("a struct with no unknown tags", f'"type": "S", {X}', {"X": 3, "_tags": []}, True),
    ("a struct where null is given", f'"type": "S", {NULLABLE}, "default": "null", {X}', {"X": 3}, False),
]


@pytest.mark.parametrize("case", DEFAULTS, ids=lambda case: case[0])
def test_default_of_each_type(case: tuple[str, str, Any]) -> None:
    """It is the definition's own or the type's, and `repr` distinguishes 0 from False (section 4.1)."""
    _, properties, expected = case
    schema = one_field(f'"versions": "0+", {properties}', flexible="none")
    assert repr(default(schema)) == repr({"Some": expected})


def test_default_has_every_field_of_the_version_and_no_other() -> None:
    schema = message(
        """{ "name": "A", "type": "int8", "versions": "0+" }, { "name": "B", "type": "int8", "versions": "1+" },
           { "name": "C", "type": "int8", "versions": "0+", "taggedVersions": "0+", "tag": 0 }"""
    )
    assert default(schema) == {"A": 0, "C": 0}


def test_default_of_records_cannot_be_written_and_the_minimal_value_can() -> None:
    """Records default to null even where null is forbidden (rule 4.2.2)."""
    schema = one_field('"type": "records", "versions": "0+"', flexible="none")
    assert default(schema) == {"Some": None}
    assert encode(schema, minimal(schema)) == bytes(4)


def test_minimal_value_reaches_into_structs() -> None:
    schema = one_field(
        '"type": "S", "versions": "0+", "fields": [{ "name": "R", "type": "records", "versions": "0+" }]'
    )
    assert minimal(schema) == {"Some": {"R": b""}}


def test_minimal_value_leaves_null_where_it_may_be() -> None:
    schema = one_field(f'"type": "records", "versions": "0+", {NULLABLE}')
    assert minimal(schema) == {"Some": None}


def test_default_can_be_changed_in_place() -> None:
    schema = load_release(BASE).schema("MetadataResponse", 12)
    default(schema)["Brokers"].append("changed")
    assert default(schema)["Brokers"] == []


@pytest.mark.parametrize("case", IS_DEFAULT, ids=lambda case: case[0])
def test_value_is_at_its_default(case: tuple[str, str, Any, bool]) -> None:
    """Apache Kafka compares so to leave out tagged fields, and to miss absent ones (section 2.2)."""
    _, properties, value, expected = case
    (field,) = one_field(f'"versions": "0+", {properties}', flexible="none").fields
    assert is_default(field, value) is expected


@pytest.mark.parametrize(("later", "expected"), [(1, True), (0, False)])
def test_struct_is_compared_with_fields_of_other_versions(later: int, *, expected: bool) -> None:
    """A set field of a later version keeps a struct from being at its default (rule 2.2.8)."""
    schema = one_field(
        '"type": "S", "versions": "0+", "fields": [{ "name": "X", "type": "int8", "versions": "0+" },'
        '{ "name": "Later", "type": "int8", "versions": "1+", "default": "1" }]'
    )
    assert is_default(schema.fields[0], {"X": 0, "Later": later}) is expected


@pytest.mark.parametrize("value", [5, "text", [], None], ids=repr)
def test_other_object_than_a_struct_is_not_at_its_default(value: object) -> None:
    (field,) = one_field(f'"versions": "0+", "type": "S", {X}').fields
    assert not is_default(field, value)


def test_missing_fields_are_completed_at_any_depth() -> None:
    schema = load_release(BASE).schema("MetadataRequest", 12)
    whole = completed(schema, {"Topics": [{"Name": "a"}]})
    assert whole == {**default(schema), "Topics": [{"TopicId": UUID(int=0), "Name": "a"}]}
