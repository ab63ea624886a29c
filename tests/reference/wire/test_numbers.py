import struct
from enum import IntEnum
from uuid import UUID

import pytest

from reference import Malformed, Reason, Refusal, Unencodable
from reference.wire.numbers import BOOL, FIXED_WIDTH, FLOAT64, INT8
from reference.wire.stream import LenientReader

WORKED: list[tuple[str, object, str]] = [
    ("bool", False, "00"),
    ("bool", True, "01"),
    ("int8", 0, "00"),
    ("int8", 127, "7f"),
    ("int8", -1, "ff"),
    ("int8", -128, "80"),
    ("int16", 0, "0000"),
    ("int16", 258, "0102"),
    ("int16", 32767, "7fff"),
    ("int16", -1, "ffff"),
    ("int16", -32768, "8000"),
    ("int32", 300, "0000012c"),
    ("int32", 16909060, "01020304"),
    ("int32", 2147483647, "7fffffff"),
    ("int32", -1, "ffffffff"),
    ("int32", -2147483648, "80000000"),
    ("int64", 72623859790382856, "0102030405060708"),
    ("int64", 9007199254740993, "0020000000000001"),
    ("int64", 9223372036854775807, "7fffffffffffffff"),
    ("int64", -1, "ffffffffffffffff"),
    ("int64", -9223372036854775808, "8000000000000000"),
    ("uint16", 0, "0000"),
    ("uint16", 32768, "8000"),
    ("uint16", 65535, "ffff"),
    ("uint32", 2147483648, "80000000"),
    ("uint32", 4294967295, "ffffffff"),
    ("float64", 0.0, "0000000000000000"),
    ("float64", -0.0, "8000000000000000"),
    ("float64", 1.5, "3ff8000000000000"),
    ("float64", -1.0, "bff0000000000000"),
    ("float64", float("inf"), "7ff0000000000000"),
    ("float64", float("-inf"), "fff0000000000000"),
    ("float64", 5e-324, "0000000000000001"),
    ("float64", 1.7976931348623157e308, "7fefffffffffffff"),
    ("uuid", UUID("00000000-0000-0000-0000-000000000000"), "00000000000000000000000000000000"),
    ("uuid", UUID("00112233-4455-6677-8899-aabbccddeeff"), "00112233445566778899aabbccddeeff"),
    ("uuid", UUID("ffffffff-ffff-ffff-ffff-ffffffffffff"), "ffffffffffffffffffffffffffffffff"),
]
WIDTHS = {"bool": 1, "int8": 1, "int16": 2, "int32": 4, "int64": 8, "uint16": 2, "uint32": 4, "float64": 8, "uuid": 16}
NANS = ["7ff8000000000000", "7ff8000000000001", "fff80000deadbeef", "7ff0000000000001"]

BEYOND: list[tuple[str, int]] = [
    ("int8", 128),
    ("int8", -129),
    ("int16", 32768),
    ("int16", -32769),
    ("int32", 2147483648),
    ("int32", -2147483649),
    ("int64", 9223372036854775808),
    ("int64", -9223372036854775809),
    ("uint16", 65536),
    ("uint16", -1),
    ("uint32", 4294967296),
    ("uint32", -1),
]
WRONG: list[tuple[str, object]] = [
    ("bool", 0),
    ("bool", 1),
    ("bool", "true"),
    ("int8", True),
    ("int8", 1.0),
    ("int16", "1"),
    ("int32", b"\0\0\0\1"),
    ("int64", 1.5),
    ("uint16", False),
    ("uint32", [1]),
    ("float64", 1),
    ("float64", "1.5"),
    ("float64", True),
    ("uuid", "00112233-4455-6677-8899-aabbccddeeff"),
    ("uuid", bytes(16)),
    ("uuid", 0),
]


class Code(IntEnum):
    """Numbers with names."""

    SOME = 5


def case_id(item: object) -> str:
    return str(item)


@pytest.mark.parametrize(("name", "value", "wire"), WORKED, ids=case_id)
def test_number_is_written_as_worked_out(name: str, value: object, wire: str) -> None:
    assert FIXED_WIDTH[name].write(value).hex() == wire


@pytest.mark.parametrize(("name", "value", "wire"), WORKED, ids=case_id)
def test_number_is_read_as_worked_out(name: str, value: object, wire: str) -> None:
    """The bytes give the number back, and `repr` distinguishes -0.0 from 0.0 and True from 1."""
    assert repr(FIXED_WIDTH[name].parse(bytes.fromhex(wire))) == repr(value)


@pytest.mark.parametrize("wire", NANS)
def test_nan_keeps_its_payload(wire: str) -> None:
    """A NaN comes back bit for bit (rules 1.1.6 and 1.2.13)."""
    assert FLOAT64.write(FLOAT64.parse(bytes.fromhex(wire))).hex() == wire


def test_nan_from_elsewhere_is_written_by_its_bits() -> None:
    number = struct.unpack("<d", bytes.fromhex("efbeadde0000f8ff"))[0]
    assert FLOAT64.write(number).hex() == "fff80000deadbeef"


@pytest.mark.parametrize("name", FIXED_WIDTH)
def test_number_takes_its_width(name: str) -> None:
    assert FIXED_WIDTH[name].width == WIDTHS[name]


@pytest.mark.parametrize("name", FIXED_WIDTH)
@pytest.mark.parametrize("missing", ["all", "one"])
def test_truncated_number_is_refused_at_the_end_of_input(name: str, missing: str) -> None:
    """The offset of a number cut off is the input's length (rule 1.3.1)."""
    length = 0 if missing == "all" else WIDTHS[name] - 1
    with pytest.raises(Malformed) as caught:
        FIXED_WIDTH[name].parse(bytes(length))
    found = caught.value
    assert (found.rule, found.reason, found.offset) == ("input.truncated", Reason.TRUNCATED, length)


@pytest.mark.parametrize("wire", ["02", "7f", "80", "ff"])
def test_other_bool_is_left_open(wire: str) -> None:
    """Nobody has to accept a bool other than 00 and 01 (rule 1.3.9)."""
    with pytest.raises(Malformed) as caught:
        BOOL.parse(bytes.fromhex(wire))
    assert (caught.value.rule, caught.value.reason, caught.value.offset) == ("bool.other-than-0-1", None, 0)


@pytest.mark.parametrize("wire", ["02", "7f", "80", "ff"])
def test_other_bool_is_true_to_a_lenient_reader(wire: str) -> None:
    """Apache Kafka takes every byte but 00 as true (rule 1.3.9)."""
    assert BOOL.read(LenientReader(bytes.fromhex(wire))) is True


@pytest.mark.parametrize(("name", "value"), BEYOND, ids=case_id)
def test_number_beyond_its_type_is_refused(name: str, value: int) -> None:
    with pytest.raises(Unencodable) as caught:
        FIXED_WIDTH[name].write(value)
    assert (caught.value.reason, caught.value.rule) == (Refusal.OUT_OF_RANGE, "number.range")


@pytest.mark.parametrize("name", [name for name in WIDTHS if "int" in name])
def test_number_of_thousands_of_digits_is_refused(name: str) -> None:
    with pytest.raises(Unencodable) as caught:
        FIXED_WIDTH[name].write(10**5000)
    assert caught.value.reason is Refusal.OUT_OF_RANGE


@pytest.mark.parametrize(("name", "value"), WRONG, ids=case_id)
def test_value_of_another_type_is_refused(name: str, value: object) -> None:
    with pytest.raises(Unencodable) as caught:
        FIXED_WIDTH[name].write(value)
    assert (caught.value.reason, caught.value.rule) == (Refusal.WRONG_TYPE, "value.type")


@pytest.mark.parametrize("name", [name for name in FIXED_WIDTH if name != "bool"])
def test_null_is_refused(name: str) -> None:
    """No number may be null, uuid included (rule 6.30)."""
    with pytest.raises(Unencodable) as caught:
        FIXED_WIDTH[name].write(None)
    assert (caught.value.reason, caught.value.rule) == (Refusal.NULL_NOT_ALLOWED, "null.not-written")


def test_null_for_a_bool_is_a_value_of_another_type() -> None:
    """Many languages turn it into false, and a boolean of Java cannot be null at all."""
    with pytest.raises(Unencodable) as caught:
        FIXED_WIDTH["bool"].write(None)
    assert (caught.value.reason, caught.value.rule) == (Refusal.WRONG_TYPE, "value.type")


def test_enumeration_member_is_written_as_its_number() -> None:
    assert INT8.write(Code.SOME) == b"\x05"
