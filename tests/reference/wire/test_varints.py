import pytest

from reference import Malformed, Reason, Refusal, Unencodable
from reference.wire.stream import LenientReader, Reader
from reference.wire.varints import UNSIGNED_VARINT, as_int32, size_of_unsigned_varint

WORKED: list[tuple[int, str]] = [
    (0, "00"),
    (1, "01"),
    (63, "3f"),
    (127, "7f"),
    (128, "8001"),
    (255, "ff01"),
    (300, "ac02"),
    (8192, "8040"),
    (16383, "ff7f"),
    (16384, "808001"),
    (2097151, "ffff7f"),
    (2097152, "80808001"),
    (268435455, "ffffff7f"),
    (268435456, "8080808001"),
    (2147483647, "ffffffff07"),
    (2147483648, "8080808008"),
    (4294967295, "ffffffff0f"),
]
OVERLONG: list[tuple[str, int]] = [
    ("8000", 0),
    ("8100", 1),
    ("828000", 2),
    ("ac8200", 300),
    ("8080808000", 0),
    ("ffffffff00", 268435455),
]
EXCESS: list[tuple[str, int]] = [
    ("8180808010", 1),
    ("8080808070", 0),
    ("8080808018", 2147483648),
    ("ffffffff7f", 4294967295),
]
TOO_LONG = ["8080808080", "818080808000", "ffffffffff", "ffffffffff01", "80808080808001"]
CUT_OFF = ["", "80", "ac", "8080", "ffffffff"]


@pytest.mark.parametrize(("number", "wire"), WORKED)
def test_varint_is_written_in_its_shortest_form(number: int, wire: str) -> None:
    """Seven bits a byte, the lowest group first (rule 1.1.21)."""
    assert UNSIGNED_VARINT.write(number).hex() == wire


@pytest.mark.parametrize(("number", "wire"), WORKED)
def test_varint_is_read(number: int, wire: str) -> None:
    """The whole range of 32 bits is read."""
    assert UNSIGNED_VARINT.parse(bytes.fromhex(wire)) == number


@pytest.mark.parametrize(("number", "wire"), WORKED)
def test_size_of_varint_is_that_of_its_shortest_form(number: int, wire: str) -> None:
    assert size_of_unsigned_varint(number) == len(bytes.fromhex(wire))


@pytest.mark.parametrize(("wire", "number"), OVERLONG)
def test_overlong_varint_is_left_open(wire: str, number: int) -> None:
    """A strict reader stops at a form that is not the shortest; a lenient one takes its number (rule 1.3.10)."""
    with pytest.raises(Malformed) as caught:
        UNSIGNED_VARINT.parse(bytes.fromhex(wire))
    assert (caught.value.rule, caught.value.reason, caught.value.offset) == ("varint.overlong", None, 0)
    assert UNSIGNED_VARINT.read(LenientReader(bytes.fromhex(wire))) == number


@pytest.mark.parametrize(("wire", "number"), EXCESS)
def test_bits_beyond_the_32nd_are_left_open(wire: str, number: int) -> None:
    """A strict reader stops at bits 4 to 6 of the fifth byte; a lenient one drops them (rule 1.3.11)."""
    with pytest.raises(Malformed) as caught:
        UNSIGNED_VARINT.parse(bytes.fromhex(wire))
    assert (caught.value.rule, caught.value.reason, caught.value.offset) == ("varint.excess-bits", None, 0)
    assert UNSIGNED_VARINT.read(LenientReader(bytes.fromhex(wire))) == number


@pytest.mark.parametrize("policy", [Reader, LenientReader])
@pytest.mark.parametrize("wire", TOO_LONG)
def test_varint_of_a_sixth_byte_is_refused_by_all(wire: str, policy: type[Reader]) -> None:
    """No reader goes on after a fifth byte that says a sixth follows, there or not (rule 1.3.12)."""
    with pytest.raises(Malformed) as caught:
        UNSIGNED_VARINT.read(policy(bytes.fromhex(wire)))
    found = caught.value
    assert (found.rule, found.reason, found.offset) == ("varint.too-long", Reason.VARINT_OVERFLOW, 0)


@pytest.mark.parametrize("policy", [Reader, LenientReader])
@pytest.mark.parametrize("wire", CUT_OFF)
def test_varint_that_is_cut_off_is_refused_at_the_end_of_input(wire: str, policy: type[Reader]) -> None:
    """The offset is the input's length (rule 1.3.1)."""
    data = bytes.fromhex(wire)
    with pytest.raises(Malformed) as caught:
        UNSIGNED_VARINT.read(policy(data))
    assert (caught.value.rule, caught.value.reason, caught.value.offset) == (
        "input.truncated",
        Reason.TRUNCATED,
        len(data),
    )


def test_offset_counts_from_the_start_of_the_varint() -> None:
    reader = Reader(bytes.fromhex("0100ffffffffff"))
    reader.read(2)
    with pytest.raises(Malformed) as caught:
        UNSIGNED_VARINT.read(reader)
    assert caught.value.offset == 2


@pytest.mark.parametrize("number", [-1, 4294967296, 10**5000], ids=["negative", "33 bits", "thousands of digits"])
def test_number_of_other_than_32_bits_is_refused(number: int) -> None:
    """An unsigned varint holds 0 to 2^32-1."""
    with pytest.raises(Unencodable) as caught:
        UNSIGNED_VARINT.write(number)
    assert caught.value.reason is Refusal.OUT_OF_RANGE


@pytest.mark.parametrize("value", [True, 1.0, "1", b"\1"], ids=repr)
def test_what_is_no_integer_is_refused(value: object) -> None:
    with pytest.raises(Unencodable) as caught:
        UNSIGNED_VARINT.write(value)
    assert caught.value.reason is Refusal.WRONG_TYPE


@pytest.mark.parametrize(
    ("pattern", "number"), [(0, 0), (2147483647, 2147483647), (2147483648, -2147483648), (4294967295, -1)]
)
def test_pattern_of_32_bits_has_a_sign_to_some_readers(pattern: int, number: int) -> None:
    assert as_int32(pattern) == number
