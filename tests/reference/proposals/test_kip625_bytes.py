import pytest

from reference import Malformed, Reason, Refusal, Unencodable, decode, encode, encode_with_spans, judge
from reference.proposals.kip625 import ENCODINGS
from tests.reference.proposals.kip625 import PAIRS, integer

ERROR = ""

TABLE: dict[int, tuple[str, str, str, str]] = {
    # number: packedN for every N that holds it, upacked16, upacked32, upacked64
    0: ("00", "00", "00", "00"),
    1: ("02", "01", "01", "01"),
    -1: ("01", "ffff03", "ffffffff0f", "ff" * 9 + "01"),
    63: ("7e", "3f", "3f", "3f"),
    64: ("8001", "40", "40", "40"),
    -64: ("7f", "c0ff03", "c0ffffff0f", "c0" + "ff" * 8 + "01"),
    -65: ("8101", "bfff03", "bfffffff0f", "bf" + "ff" * 8 + "01"),
    127: ("fe01", "7f", "7f", "7f"),
    128: ("8002", "8001", "8001", "8001"),
    8191: ("fe7f", "ff3f", "ff3f", "ff3f"),
    8192: ("808001", "8040", "8040", "8040"),
    -8192: ("ff7f", "80c003", "80c0ffff0f", "80c0" + "ff" * 7 + "01"),
    -8193: ("818001", "ffbf03", "ffbfffff0f", "ffbf" + "ff" * 7 + "01"),
    16383: ("feff01", "ff7f", "ff7f", "ff7f"),
    16384: ("808002", "808001", "808001", "808001"),
    32767: ("feff03", "ffff01", "ffff01", "ffff01"),
    -32768: ("ffff03", "808002", "8080feff0f", "8080fe" + "ff" * 6 + "01"),
    134217727: ("feffff7f", ERROR, "ffffff3f", "ffffff3f"),
    134217728: ("8080808001", ERROR, "80808040", "80808040"),
    268435455: ("feffffff01", ERROR, "ffffff7f", "ffffff7f"),
    268435456: ("8080808002", ERROR, "8080808001", "8080808001"),
    2**31 - 1: ("feffffff0f", ERROR, "ffffffff07", "ffffffff07"),
    -(2**31): ("ffffffff0f", ERROR, "8080808008", "80808080f8" + "ff" * 4 + "01"),
    2**31: ("8080808010", ERROR, ERROR, "8080808008"),
    2**63 - 1: ("fe" + "ff" * 8 + "01", ERROR, ERROR, "ff" * 8 + "7f"),
    -(2**63): ("ff" * 9 + "01", ERROR, ERROR, "80" * 9 + "01"),
}
UPACKED = {16: 1, 32: 2, 64: 3}
"""The column of the table, by the number of bits."""


def fits(number: int, bits: int) -> bool:
    return number in range(-(2 ** (bits - 1)), 2 ** (bits - 1))


def cell(number: int, name: str) -> str:
    """Return the table's bytes for a number and an encoding, or empty text for an error."""
    kind, bits = name.rstrip("0123456789"), int(name.lstrip("fixedupack"))
    if kind == "upacked":
        return TABLE[number][UPACKED[bits]]
    if not fits(number, bits):
        return ERROR
    return TABLE[number][0] if kind == "packed" else number.to_bytes(bits // 8, "big", signed=True).hex()


CELLS = [
    (number, type_name, name)
    for number in TABLE
    for type_name, name in PAIRS
    if fits(number, int(type_name.removeprefix("int")))
]


@pytest.mark.parametrize(("number", "type_name", "name"), [each for each in CELLS if cell(each[0], each[2])])
def test_a_number_has_the_bytes_of_the_table(number: int, type_name: str, name: str) -> None:
    schema = integer(type_name, name)
    assert encode(schema, {"Number": number}).hex() == cell(number, name)
    assert decode(schema, bytes.fromhex(cell(number, name))).value == {"Number": number}


@pytest.mark.parametrize(("number", "type_name", "name"), [each for each in CELLS if not cell(each[0], each[2])])
def test_a_number_beyond_the_encoding_is_refused(number: int, type_name: str, name: str) -> None:
    with pytest.raises(Unencodable) as caught:
        encode(integer(type_name, name), {"Number": number})
    assert (caught.value.reason, caught.value.rule) == (Refusal.OUT_OF_RANGE, "kip-625.range")
    assert caught.value.path == "Number"


def test_every_cell_of_the_table_is_tried() -> None:
    """So are the errors of upacked16, of upacked32, and of every encoding narrower than its type."""
    tried = {(number, name) for number, _, name in CELLS}
    assert tried == {(number, name) for number in TABLE for name in ENCODINGS}
    beyond_16_bits, beyond_32_bits = 9, 3
    assert sum(not cell(*each) for each in tried) == 3 * beyond_16_bits + 3 * beyond_32_bits


SIGNED_BANDS = [(-64, 63), (-8192, 8191), (-1048576, 1048575), (-134217728, 134217727), (-(2**31), 2**31 - 1)]
UNSIGNED_BANDS = [(0, 127), (128, 16383), (16384, 2097151), (2097152, 268435455), (268435456, 2**31 - 1)]


@pytest.mark.parametrize(("size", "band"), list(enumerate(SIGNED_BANDS, 1)))
def test_the_bands_of_signed_sizes_are_exact(size: int, band: tuple[int, int]) -> None:
    written = [
        len(encode(integer("int64", "packed64"), {"Number": number})) for number in (*band, band[0] - 1, band[1] + 1)
    ]
    assert written[:2] == [size, size]
    assert written[2:] == ([size + 1, size + 1] if size < 5 else [5, 5])
    assert [len(encode(integer("int32", "packed32"), {"Number": number})) for number in band] == [size, size]


@pytest.mark.parametrize(("size", "band"), list(enumerate(UNSIGNED_BANDS, 1)))
def test_the_bands_of_unsigned_sizes_are_exact(size: int, band: tuple[int, int]) -> None:
    for type_name in ("int32", "int64"):
        written = [len(encode(integer(type_name, "upacked32"), {"Number": number})) for number in band]
        assert written == [size, size]


def test_the_fifth_unsigned_band_ends_with_the_pattern_of_minus_one() -> None:
    """The pattern 2^32-1 is -1, as the patterns from 2^31 on are the negative numbers."""
    assert encode(integer("int32", "upacked32"), {"Number": -1}).hex() == "ffffffff0f"
    assert encode(integer("int32", "upacked32"), {"Number": -(2**31)}).hex() == "8080808008"


LONGEST = [
    ("packed64", -(2**62), 9), ("packed64", 2**62 - 1, 9), ("packed64", -(2**62) - 1, 10), ("packed64", 2**62, 10),
    ("upacked64", 0, 1), ("upacked64", 2**63 - 1, 9), ("upacked64", -1, 10), ("upacked64", -(2**63), 10),
]  # fmt: skip


@pytest.mark.parametrize(("name", "number", "size"), LONGEST)
def test_ten_bytes_are_the_longest(name: str, number: int, size: int) -> None:
    """Nine are enough for half of the signed numbers, and for all positive unsigned ones."""
    assert len(encode(integer("int64", name), {"Number": number})) == size


BROKEN = [
    ("a fourth byte for 16 bits", "packed16", "80808000", "kip-625.too-long"),
    ("a fourth byte for 16 bits, unsigned", "upacked16", "ffffff00", "kip-625.too-long"),
    ("a sixth byte for 32 bits", "packed32", "808080808000", "kip-625.too-long"),
    ("a sixth byte for 32 bits, unsigned", "upacked32", "ffffffffff00", "kip-625.too-long"),
    ("an eleventh byte for 64 bits", "packed64", "80" * 10 + "00", "kip-625.too-long"),
    ("an eleventh byte for 64 bits, unsigned", "upacked64", "ff" * 10 + "00", "kip-625.too-long"),
    ("2^16", "packed16", "808004", "kip-625.surplus-bits"),
    ("2^16, unsigned", "upacked16", "808004", "kip-625.surplus-bits"),
    ("a surplus bit in the third byte", "upacked16", "ffff07", "kip-625.surplus-bits"),
    ("2^32", "packed32", "8080808010", "kip-625.surplus-bits"),
    ("2^32, unsigned", "upacked32", "8080808010", "kip-625.surplus-bits"),
    ("a surplus bit in the fifth byte", "upacked32", "ffffffff1f", "kip-625.surplus-bits"),
    ("2^64", "packed64", "80" * 9 + "02", "kip-625.surplus-bits"),
    ("2^64, unsigned", "upacked64", "80" * 9 + "02", "kip-625.surplus-bits"),
    ("a surplus bit in the tenth byte", "upacked64", "ff" * 9 + "03", "kip-625.surplus-bits"),
]


@pytest.mark.parametrize(("name", "wire", "rule"), [each[1:] for each in BROKEN], ids=[each[0] for each in BROKEN])
def test_a_number_beyond_its_bits_is_rejected(name: str, wire: str, rule: str) -> None:
    """It has too many bytes, or too many bits in them, even where the type of the field has room for them."""
    for type_name in [each for each, encoding in PAIRS if encoding == name]:
        with pytest.raises(Malformed) as caught:
            decode(integer(type_name, name), bytes.fromhex(wire))
        assert (caught.value.rule, caught.value.reason) == (rule, Reason.VARINT_OVERFLOW)
        assert (caught.value.offset, caught.value.path) == (0, "Number")


@pytest.mark.parametrize(
    ("name", "wire"), [("packed16", "808000"), ("upacked32", "8000"), ("packed64", "80" * 9 + "00")]
)
def test_an_overlong_form_is_a_leniency(name: str, wire: str) -> None:
    verdict = judge(integer("int64", name), bytes.fromhex(wire))
    assert (verdict.result, verdict.rules, verdict.value) == ("unspecified", ("varint.overlong",), {"Number": 0})


@pytest.mark.parametrize("name", ENCODINGS)
def test_cut_number_is_truncated(name: str) -> None:
    wire = encode(integer("int64", name), {"Number": -300})
    for length in range(len(wire)):
        with pytest.raises(Malformed) as caught:
            decode(integer("int64", name), wire[:length])
        assert (caught.value.rule, caught.value.offset) == ("input.truncated", length)


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_bytes_of_a_number_carry_the_rule_of_their_encoding(name: str) -> None:
    [span] = encode_with_spans(integer("int64", name), {"Number": 300}).spans
    assert (span.role, span.rule) == ("number", f"kip-625.{name.rstrip('0123456789')}")
