import math
import struct
from uuid import UUID

import pytest

from reference.definitions.defaults import STRUCT_DEFAULT, default_of
from reference.definitions.errors import BadDefault
from reference.definitions.model import INTEGER_RANGES, FieldDefinition, VersionRange

ALL = VersionRange(0, 32767)


def field(type_name: str, default: str | None = None) -> FieldDefinition:
    return FieldDefinition("Some", type_name, ALL, nullable_versions=ALL, default=default)


IMPLICIT: list[tuple[str, object]] = [
    ("bool", False),
    ("int8", 0),
    ("int16", 0),
    ("int32", 0),
    ("int64", 0),
    ("uint16", 0),
    ("uint32", 0),
    ("float64", 0.0),
    ("string", ""),
    ("uuid", UUID(int=0)),
    ("bytes", b""),
    ("records", None),
    ("[]int32", []),
    ("[]Topic", []),
    ("Cursor", STRUCT_DEFAULT),
]


@pytest.mark.parametrize(("type_name", "expected"), IMPLICIT)
def test_type_has_a_default_of_its_own(type_name: str, expected: object) -> None:
    default = default_of(field(type_name))
    assert default == expected
    assert type(default) is type(expected)


READ: list[tuple[str, str, object]] = [
    ("bool", "true", True),
    ("bool", "FALSE", False),
    ("int8", "-128", -128),
    ("int8", "+5", 5),
    ("int8", "0x7f", 127),
    ("int32", "0x7fffffff", 2147483647),
    ("int16", "0x", 0),
    ("int64", "-9223372036854775808", -(2**63)),
    ("uint16", "65535", 65535),
    ("uint32", "4294967295", 4294967295),
    ("uint32", "0x80000000", 2147483648),
    ("int32", "010", 8),
    ("int32", "-017", -15),
    ("int32", "00", 0),
    ("float64", "1.5d", 1.5),
    ("float64", " 2 ", 2.0),
    ("float64", ".5e1", 5.0),
    ("float64", "-Infinity", -math.inf),
    ("float64", "0x1.8p1", 3.0),
    ("float64", "0x1p9999", math.inf),
    ("float64", "-0x1p9999f", -math.inf),
    ("string", "text", "text"),
    ("string", "null", None),
    ("string", "NULL", "NULL"),
    ("string", " ", " "),
    ("uuid", "AAAAAAAAAAAAAAAAAAAAAQ", UUID(int=1)),
    ("uuid", "_-AAAAAAAAAAAAAAAAAAAA==", UUID(hex="ffe00000000000000000000000000000")),
    ("bytes", "null", None),
    ("records", "abc", None),
    ("[]int32", "null", None),
    ("Cursor", "null", None),
]


@pytest.mark.parametrize(("type_name", "text", "expected"), READ)
def test_default_reads(type_name: str, text: str, expected: object) -> None:
    assert default_of(field(type_name, text)) == expected


def test_nan_reads() -> None:
    """NaN is a float64."""
    default = default_of(field("float64", "NaN"))
    assert isinstance(default, float)
    assert math.isnan(default)


def test_negative_zero_keeps_its_sign() -> None:
    """-0.0 is not 0.0 on the wire."""
    default = default_of(field("float64", "-0.0"))
    assert isinstance(default, float)
    assert struct.pack(">d", default) == bytes.fromhex("8000000000000000")


REFUSED: list[tuple[str, str]] = [
    ("bool", "1"),
    ("bool", "yes"),
    ("int8", "128"),
    ("int8", "0xff"),
    ("int32", "0xffffffff"),
    ("int32", "0X7f"),
    ("int32", "-0x5"),
    ("int32", "0x-5"),
    ("int32", " 5"),
    ("int32", "5.0"),
    ("int32", "1e2"),
    ("int32", "1_000"),
    ("int32", "\u0661"),
    ("int32", "08"),
    ("int32", "null"),
    ("uint16", "-1"),
    ("uint16", "65536"),
    ("uint16", "0177777"),
    ("uint32", "4294967296"),
    ("float64", "one"),
    ("float64", "1_0"),
    ("float64", "inf"),
    ("float64", "0x1"),
    ("float64", "null"),
    ("uuid", "null"),
    ("uuid", "00000000-0000-0000-0000-000000000001"),
    ("uuid", "AAAAAAAAAAAAAAAAAAAAAQ="),
    ("uuid", "AAAAAAAAAAAAAAAAAAAAA+"),
    ("bytes", "abc"),
    ("[]int32", "[]"),
    ("Cursor", "{}"),
]


@pytest.mark.parametrize(("type_name", "text"), REFUSED)
def test_default_outside_of_its_type_is_refused(type_name: str, text: str) -> None:
    with pytest.raises(BadDefault):
        default_of(field(type_name, text))


@pytest.mark.parametrize("type_name", ["string", "bytes", "[]int32", "Cursor"])
def test_null_needs_all_versions_nullable(type_name: str) -> None:
    """Null is no default of a field with a version without null (rule 4.1.13)."""
    partly = FieldDefinition("Some", type_name, ALL, nullable_versions=VersionRange(1, 32767), default="null")
    with pytest.raises(BadDefault, match=r"only 1\+ are nullable"):
        default_of(partly)


OCTAL = [("int8", "0177", 127, 177), ("int16", "077777", 32767, 77777), ("uint16", "0177777", 65535, 177777)]


@pytest.mark.parametrize(("type_name", "text", "number", "decimal"), OCTAL)
def test_octal_default_is_checked_as_a_decimal_number(type_name: str, text: str, number: int, decimal: int) -> None:
    """The octal number would fit, so the error names the decimal one."""
    assert INTEGER_RANGES[type_name][1] == number == int(text, 8)
    with pytest.raises(BadDefault, match=f"decimal number {decimal}"):
        default_of(field(type_name, text))


@pytest.mark.parametrize("type_name", ["int32", "string", "uuid", "bytes", "[]int32", "Cursor"])
def test_empty_default_is_none(type_name: str) -> None:
    """The same holds for a struct, with null as its only other default."""
    assert default_of(field(type_name, "")) == default_of(field(type_name, None))
