import json
import struct
from typing import Any
from uuid import UUID

import pytest

from reference import NotJsonForm, Unencodable, encode, from_json, to_json
from tests.reference.inline import message, one_field

ID = "00112233-4455-6677-8899-aabbccddeeff"
FORMS: list[tuple[str, Any, Any]] = [
    ("bool", True, True),
    ("int8", -128, -128),
    ("int16", 32767, 32767),
    ("int32", -2147483648, -2147483648),
    ("int64", 9007199254740993, "9007199254740993"),
    ("int64", -9223372036854775808, "-9223372036854775808"),
    ("int64", 0, "0"),
    ("uint16", 65535, 65535),
    ("uint32", 4294967295, "4294967295"),
    ("float64", 1.5, "3ff8000000000000"),
    ("float64", -0.0, "8000000000000000"),
    ("float64", float("inf"), "7ff0000000000000"),
    ("string", "日本\0", "日本\0"),
    ("string", "a\ud800", {"utf16": "0061d800"}),
    ("[]string", ["\udc00", "b"], [{"utf16": "dc00"}, "b"]),
    ("uuid", UUID(ID), ID),
    ("bytes", b"\xca\xfe", "cafe"),
    ("bytes", b"", ""),
    ("records", b"\x00\x01", "0001"),
    ("[]int32", [1, -2], [1, -2]),
    ("[]int64", [1, -2], ["1", "-2"]),
    ("[]uuid", [UUID(ID)], [ID]),
    ("[]string", [], []),
]
NULLABLE = ["string", "bytes", "records", "[]int64"]

BAD: list[tuple[str, Any]] = [
    ("bool", 1),
    ("bool", "true"),
    ("int8", "1"),
    ("int8", 1.0),
    ("int8", True),
    ("int64", 1),
    ("int64", "9" * 5000),
    ("int64", ""),
    ("int64", "-"),
    ("int64", "1.0"),
    ("int64", " 1"),
    ("int64", "1_0"),
    ("int64", "\N{ARABIC-INDIC DIGIT THREE}"),
    ("uint32", 1),
    ("float64", 1.5),
    ("float64", "1.5"),
    ("float64", "3ff8"),
    ("float64", "3ff8 0000000000 "),
    ("float64", "3ff800000000000g"),
    ("string", 1),
    ("string", {}),
    ("string", {"utf16": "d8"}),
    ("string", {"utf16": "D800"}),
    ("string", {"utf16": 1}),
    ("string", {"utf8": "zz"}),
    ("string", {"utf16": "d800", "utf8": "ff"}),
    ("uuid", "00112233445566778899aabbccddeeff"),
    ("uuid", "g" * 36),
    ("uuid", 1),
    ("bytes", "c"),
    ("bytes", "zz"),
    ("bytes", [1]),
    ("records", 1),
    ("[]int32", {}),
    ("[]int32", "1"),
]
NESTED = message(
    """{ "name": "List", "type": "[]Item", "versions": "0+",
         "fields": [{ "name": "X", "type": "int64", "versions": "0+" }] },
       { "name": "Inner", "type": "Inner", "versions": "0+", "nullableVersions": "0+",
         "fields": [{ "name": "Y", "type": "bytes", "versions": "0+" }] },
       { "name": "Later", "type": "int64", "versions": "1+" }"""
)
NESTED_VALUE: dict[str, Any] = {
    "List": [{"X": 1, "_tags": [(5, b"\xca")]}, {"X": 2}],
    "Inner": {"Y": b"\xfe"},
    "Later": 3,
    "_tags": [(5, b""), (2147483646, b"\x01")],
}
NESTED_FORM: dict[str, Any] = {
    "List": [{"X": "1", "_tags": [[5, "ca"]]}, {"X": "2"}],
    "Inner": {"Y": "fe"},
    "Later": "3",
    "_tags": [[5, ""], [2147483646, "01"]],
}
BAD_PATHS: list[tuple[str, Any, str]] = [
    ("not an object", [], ""),
    ("null", None, ""),
    ("an unknown field", {"Other": 1}, "Other"),
    ("an element that is no object", {"List": [5]}, "List[0]"),
    ("a field of an element", {"List": [{"X": "1"}, {"X": 1}]}, "List[1].X"),
    ("an unknown field of an element", {"List": [{"Z": 1}]}, "List[0].Z"),
    ("a field of a struct", {"Inner": {"Y": 5}}, "Inner.Y"),
    ("a field of another version", {"Later": 5}, "Later"),
    ("tags that are no array", {"_tags": {}}, "_tags"),
    ("a tag that is no pair", {"_tags": [[5]]}, "_tags[0]"),
    ("a tag that is a text", {"_tags": [["5", ""]]}, "_tags[0]"),
    ("a tag that is a bool", {"_tags": [[True, ""]]}, "_tags[0]"),
    ("a tag of bad hex", {"_tags": [[5, ""], [6, "zz"]]}, "_tags[1]"),
    ("a tag in an element", {"List": [{"_tags": 5}]}, "List[0]._tags"),
]


@pytest.mark.parametrize(("type_name", "value", "form"), FORMS)
def test_form_depends_on_the_type_alone(type_name: str, value: object, form: object) -> None:
    schema = one_field(f'"type": "{type_name}", "versions": "0+"')
    assert to_json(schema, {"Some": value}) == {"Some": form}


@pytest.mark.parametrize(("type_name", "value", "form"), FORMS)
def test_value_comes_back_out_of_json_text(type_name: str, value: object, form: object) -> None:
    """The form survives as JSON text, and `repr` distinguishes -0.0 from 0.0."""
    schema = one_field(f'"type": "{type_name}", "versions": "0+"')
    assert repr(from_json(schema, json.loads(json.dumps({"Some": form})))) == repr({"Some": value})


def test_nan_keeps_its_payload() -> None:
    schema = one_field('"type": "float64", "versions": "0+"')
    value = from_json(schema, {"Some": "fff80000deadbeef"})
    assert struct.pack(">d", value["Some"]).hex() == "fff80000deadbeef"
    assert to_json(schema, value) == {"Some": "fff80000deadbeef"}


def test_text_of_bytes_outside_of_utf_8_is_read_and_equal_to_no_sound_text() -> None:
    """Valid bytes are their text, and each invalid byte becomes an unpaired surrogate."""
    schema = one_field('"type": "string", "versions": "0+"')
    assert from_json(schema, {"Some": {"utf8": "c3a9"}}) == {"Some": "é"}
    assert from_json(schema, {"Some": {"utf8": "61ff"}}) == {"Some": "a\udcff"}


BEYOND: list[tuple[str, int, Any]] = [
    ("int8", 128, 128),
    ("int8", -129, -129),
    ("uint16", -1, -1),
    ("int64", 2**63, "9223372036854775808"),
    ("int64", -(2**63) - 1, "-9223372036854775809"),
    ("uint32", -1, "-1"),
    ("uint32", 2**32, "4294967296"),
]


@pytest.mark.parametrize(("type_name", "value", "form"), BEYOND)
def test_a_number_beyond_its_type_has_a_form_and_no_bytes(type_name: str, value: int, form: object) -> None:
    schema = one_field(f'"type": "{type_name}", "versions": "0+"')
    assert to_json(schema, {"Some": value}) == {"Some": form}
    assert from_json(schema, {"Some": form}) == {"Some": value}
    with pytest.raises(Unencodable):
        encode(schema, {"Some": value})


@pytest.mark.parametrize("type_name", NULLABLE)
def test_null_is_null(type_name: str) -> None:
    schema = one_field(f'"type": "{type_name}", "versions": "0+", "nullableVersions": "0+"')
    assert to_json(schema, {"Some": None}) == {"Some": None}
    assert from_json(schema, {"Some": None}) == {"Some": None}


def test_structs_tags_and_fields_of_other_versions_have_a_form() -> None:
    """Unknown tags are pairs of number and hex, and given fields of other versions come last."""
    assert to_json(NESTED, NESTED_VALUE) == NESTED_FORM


def test_structs_tags_and_fields_of_other_versions_are_read() -> None:
    assert from_json(NESTED, NESTED_FORM) == NESTED_VALUE


def test_form_of_a_partial_value_is_partial() -> None:
    partial = {"List": [{}, {"X": 2}]}
    assert to_json(NESTED, partial) == {"List": [{}, {"X": "2"}]}
    assert from_json(NESTED, {"List": [{}, {"X": "2"}]}) == partial


@pytest.mark.parametrize(("type_name", "form"), BAD, ids=lambda item: f"{item!r:.40}")
def test_form_of_another_kind_is_refused(type_name: str, form: object) -> None:
    schema = one_field(f'"type": "{type_name}", "versions": "0+"')
    with pytest.raises(NotJsonForm) as caught:
        from_json(schema, {"Some": form})
    assert caught.value.path == "Some"


@pytest.mark.parametrize("case", BAD_PATHS, ids=lambda case: case[0])
def test_refusal_has_its_path(case: tuple[str, Any, str]) -> None:
    _, form, path = case
    with pytest.raises(NotJsonForm) as caught:
        from_json(NESTED, form)
    assert caught.value.path == path


def test_refusal_reads_as_a_sentence() -> None:
    with pytest.raises(NotJsonForm, match=r"^List\[0\]\.X: .*int64 .*got 1$"):
        from_json(NESTED, {"List": [{"X": 1}]})
