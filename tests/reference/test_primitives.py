from typing import Any
from uuid import UUID

import pytest

from reference import (
    Malformed,
    NotJsonForm,
    Reason,
    Refusal,
    Unencodable,
    UnknownPrimitive,
    minimal,
    primitive,
    primitives,
)
from reference.primitives import VALUE

ENCODED: list[tuple[str, Any, str, Any]] = [
    ("bool", True, "01", True),
    ("int8", -1, "ff", -1),
    ("int16", 300, "012c", 300),
    ("int32", -2, "fffffffe", -2),
    ("int64", 2**53 + 1, "0020000000000001", "9007199254740993"),
    ("uint16", 65_535, "ffff", 65_535),
    ("uint32", 2**32 - 1, "ffffffff", "4294967295"),
    ("float64", 1.5, "3ff8000000000000", "3ff8000000000000"),
    (
        "uuid",
        UUID("00010203-0405-0607-0809-0a0b0c0d0e0f"),
        "000102030405060708090a0b0c0d0e0f",
        "00010203-0405-0607-0809-0a0b0c0d0e0f",
    ),
    ("unsigned-varint", 0, "00", 0),
    ("unsigned-varint", 127, "7f", 127),
    ("unsigned-varint", 128, "8001", 128),
    ("unsigned-varint", 300, "ac02", 300),
    ("unsigned-varint", 2**14 - 1, "ff7f", 2**14 - 1),
    ("unsigned-varint", 2**14, "808001", 2**14),
    ("unsigned-varint", 2**21 - 1, "ffff7f", 2**21 - 1),
    ("unsigned-varint", 2**21, "80808001", 2**21),
    ("unsigned-varint", 2**28 - 1, "ffffff7f", 2**28 - 1),
    ("unsigned-varint", 2**28, "8080808001", 2**28),
    ("unsigned-varint", 2**31, "8080808008", 2**31),
    ("unsigned-varint", 2**32 - 1, "ffffffff0f", 2**32 - 1),
    ("unsigned-varlong", 2**63, "80808080808080808001", "9223372036854775808"),
    ("unsigned-varlong", 2**64 - 1, "ffffffffffffffffff01", "18446744073709551615"),
    ("varint", 0, "00", 0),
    ("varint", -1, "01", -1),
    ("varint", 1, "02", 1),
    ("varint", 63, "7e", 63),
    ("varint", -64, "7f", -64),
    ("varint", 64, "8001", 64),
    ("varint", -300, "d704", -300),
    ("varint", 2**31 - 1, "feffffff0f", 2**31 - 1),
    ("varint", -(2**31), "ffffffff0f", -(2**31)),
    ("varlong", -1, "01", "-1"),
    ("varlong", 2**63 - 1, "feffffffffffffffff01", "9223372036854775807"),
    ("varlong", -(2**63), "ffffffffffffffffff01", "-9223372036854775808"),
    ("string", "é", "0002c3a9", "é"),
    ("nullable-string", None, "ffff", None),
    ("compact-string", "é", "03c3a9", "é"),
    ("compact-nullable-string", None, "00", None),
    ("bytes", b"\xca\xfe", "00000002cafe", "cafe"),
    ("nullable-bytes", None, "ffffffff", None),
    ("compact-bytes", b"", "01", ""),
    ("compact-nullable-bytes", None, "00", None),
    ("records", b"\x01", "0000000101", "01"),
    ("nullable-records", None, "ffffffff", None),
    ("compact-records", b"\x01", "0201", "01"),
    ("compact-nullable-records", None, "00", None),
    ("array-of-int32", [1], "0000000100000001", [1]),
    ("nullable-array-of-int32", None, "ffffffff", None),
    ("compact-array-of-int32", [], "01", []),
    ("compact-nullable-array-of-int32", None, "00", None),
    ("array-of-string", ["a"], "00000001000161", ["a"]),
    ("nullable-array-of-string", [], "00000000", []),
    ("compact-array-of-string", ["a", ""], "03026101", ["a", ""]),
    ("compact-nullable-array-of-string", ["a"], "020261", ["a"]),
    ("tag-section", [], "00", []),
    ("tag-section", [(5, b"\xca\xfe"), (128, b"")], "020502cafe800100", [[5, "cafe"], [128, ""]]),
]


@pytest.mark.parametrize(("name", "value", "digits", "form"), ENCODED, ids=lambda each: str(each)[:40])
def test_values_bytes_and_json(name: str, value: Any, digits: str, form: Any) -> None:
    each = primitive(name)
    assert each.encode(value).hex() == digits
    decoded = each.decode(bytes.fromhex(digits))
    assert (decoded.value, decoded.consumed) == (value, len(digits) // 2)
    assert each.to_json(value) == form
    assert each.from_json(form) == value


def test_every_primitive_is_tried_above() -> None:
    assert {name for name, *_ in ENCODED} == set(primitives())
    assert list(primitives()) == sorted(primitives())


def test_close_name_is_suggested() -> None:
    with pytest.raises(UnknownPrimitive, match="mean compact-string"):
        primitive("compact_string")
    with pytest.raises(UnknownPrimitive, match=r"see primitives\(\)"):
        primitive("xyz")


VARINTS = ("unsigned-varint", "varint")
VARLONGS = ("unsigned-varlong", "varlong")
THOUSANDS = 10**5000
"""A number of thousands of digits."""


@pytest.mark.parametrize("name", VARINTS)
@pytest.mark.parametrize("digits", ["8080808080", "818080808000", "ffffffffff", "ffffffffff01"])
def test_a_sixth_byte_is_too_many_for_32_bits(name: str, digits: str) -> None:
    """The fifth byte must be the last (rule 1.3.12), also for a lenient reader."""
    assert rejection_by_all(name, digits) == ("varint.too-long", Reason.VARINT_OVERFLOW, 0)


@pytest.mark.parametrize("name", VARLONGS)
@pytest.mark.parametrize("digits", ["80808080808080808080", "8080808080808080808000", "ffffffffffffffffffff01"])
def test_an_eleventh_byte_is_too_many_for_64_bits(name: str, digits: str) -> None:
    """The tenth byte must be the last (rule 1.3.13)."""
    assert rejection_by_all(name, digits) == ("varint.too-long", Reason.VARINT_OVERFLOW, 0)


@pytest.mark.parametrize("name", [*VARINTS, *VARLONGS])
@pytest.mark.parametrize("digits", ["", "80", "ffffff"])
def test_a_varint_may_not_end_early(name: str, digits: str) -> None:
    assert rejection_by_all(name, digits) == ("input.truncated", Reason.TRUNCATED, len(digits) // 2)


@pytest.mark.parametrize(
    ("name", "digits", "value"),
    [
        ("unsigned-varint", "8180808010", 1),
        ("unsigned-varint", "8080808018", 2**31),
        ("unsigned-varint", "ffffffff7f", 2**32 - 1),
        ("varint", "8280808010", 1),
        ("unsigned-varlong", "81808080808080808002", 1),
        ("varlong", "8280808080808080807e", 1),
    ],
)
def test_excess_bits_are_left_open(name: str, digits: str, value: int) -> None:
    assert rejection(name, digits) == ("varint.excess-bits", None, 0)
    assert primitive(name).decode_leniently(bytes.fromhex(digits)).value == value


@pytest.mark.parametrize("name", [*VARINTS, *VARLONGS])
@pytest.mark.parametrize("digits", ["8000", "808000", "8080808000"])
def test_overlong_varints_are_left_open(name: str, digits: str) -> None:
    assert rejection(name, digits) == ("varint.overlong", None, 0)
    assert primitive(name).decode_leniently(bytes.fromhex(digits)).value == 0


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("unsigned-varint", -1, Refusal.OUT_OF_RANGE),
        ("unsigned-varint", 2**32, Refusal.OUT_OF_RANGE),
        ("unsigned-varint", THOUSANDS, Refusal.OUT_OF_RANGE),
        ("unsigned-varint", 1.0, Refusal.WRONG_TYPE),
        ("varint", 2**31, Refusal.OUT_OF_RANGE),
        ("varint", -(2**31) - 1, Refusal.OUT_OF_RANGE),
        ("varlong", 2**63, Refusal.OUT_OF_RANGE),
        ("unsigned-varlong", 2**64, Refusal.OUT_OF_RANGE),
        ("varint", True, Refusal.WRONG_TYPE),
        ("varlong", None, Refusal.NULL_NOT_ALLOWED),
        ("string", None, Refusal.NULL_NOT_ALLOWED),
        ("compact-string", "a" * 32_768, Refusal.STRING_TOO_LONG),
        ("tag-section", None, Refusal.NULL_NOT_ALLOWED),
        ("tag-section", [(5, b""), (5, b"")], Refusal.BAD_TAGS),
        ("tag-section", [(2**31 - 1, b"")], Refusal.BAD_TAGS),
        ("tag-section", 5, Refusal.WRONG_TYPE),
    ],
    ids=lambda each: "thousands-of-digits" if each == THOUSANDS else str(each)[:20],
)
def test_values_without_bytes(name: str, value: Any, reason: Refusal) -> None:
    with pytest.raises(Unencodable) as caught:
        primitive(name).encode(value)
    assert caught.value.reason == reason


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("varint", "1"),
        ("varint", True),
        ("varlong", 1),
        ("varlong", "1.0"),
        ("unsigned-varlong", "9" * 5_000),
        ("string", 1),
        ("tag-section", [[5]]),
    ],
    ids=lambda each: str(each)[:20],
)
def test_other_documents_than_the_json_form_are_refused(name: str, form: Any) -> None:
    """Numbers of 64 bits are strings, the others are not."""
    with pytest.raises(NotJsonForm):
        primitive(name).from_json(form)


def test_bytes_after_a_value_are_left_open() -> None:
    assert rejection("int8", "0102") == ("input.trailing-bytes", None, 1)
    assert primitive("int8").decode_leniently(b"\1\2").consumed == 1


def test_types_of_fields_have_a_schema_for_generators() -> None:
    for name in primitives():
        each = primitive(name)
        if each.schema is not None:
            assert each.decode(each.encode(minimal(each.schema)[VALUE])).consumed > 0


def rejection(name: str, digits: str) -> tuple[str, Reason | None, int]:
    with pytest.raises(Malformed) as caught:
        primitive(name).decode(bytes.fromhex(digits))
    return caught.value.rule, caught.value.reason, caught.value.offset


def rejection_by_all(name: str, digits: str) -> tuple[str, Reason | None, int]:
    """Return the rejection of these bytes by a strict reader, after checking that of a lenient one."""
    with pytest.raises(Malformed) as caught:
        primitive(name).decode_leniently(bytes.fromhex(digits))
    assert (caught.value.rule, caught.value.reason, caught.value.offset) == rejection(name, digits)
    return rejection(name, digits)
