import pytest

from reference import Malformed, Reason, Refusal, Unencodable
from reference.wire.stream import LenientReader
from reference.wire.text import String, string

LEGACY = string(compact=False, nullable=False)
COMPACT = string(compact=True, nullable=False)
NULLABLE_LEGACY = string(compact=False, nullable=True)
NULLABLE_COMPACT = string(compact=True, nullable=True)
FORMS = {"legacy": LEGACY, "compact": COMPACT, "nullable legacy": NULLABLE_LEGACY, "nullable compact": NULLABLE_COMPACT}

WORKED: list[tuple[str, str, str]] = [
    ("", "0000", "01"),
    ("abc", "0003 616263", "04 616263"),
    ("é", "0002 c3a9", "03 c3a9"),
    ("e\N{COMBINING ACUTE ACCENT}", "0003 65cc81", "04 65cc81"),
    ("日本", "0006 e697a5e69cac", "07 e697a5e69cac"),
    ("\N{GRINNING FACE}", "0004 f09f9880", "05 f09f9880"),
    ("\0", "0001 00", "02 00"),
    ("\ufeff", "0003 efbbbf", "04 efbbbf"),
    ("\uffff", "0003 efbfbf", "04 efbfbf"),
    ("\U0010ffff", "0004 f48fbfbf", "05 f48fbfbf"),
]
PREFIXES: list[tuple[int, str, str]] = [
    (126, "007e", "7f"),
    (127, "007f", "8001"),
    (128, "0080", "8101"),
    (16382, "3ffe", "ff7f"),
    (16383, "3fff", "808001"),
    (16384, "4000", "818001"),
    (32767, "7fff", "808002"),
]
REFUSED: list[tuple[str, str, str, str, Reason, int]] = [
    ("no length", "legacy", "", "input.truncated", Reason.TRUNCATED, 0),
    ("half a length", "legacy", "00", "input.truncated", Reason.TRUNCATED, 1),
    ("one byte short", "legacy", "0003 6162", "length.within-input", Reason.LENGTH_EXCEEDS_INPUT, 0),
    ("the longest, of nothing", "legacy", "7fff", "length.within-input", Reason.LENGTH_EXCEEDS_INPUT, 0),
    ("null", "legacy", "ffff", "null.not-allowed", Reason.NULL_NOT_ALLOWED, 0),
    ("minus two", "legacy", "fffe", "length.negative", Reason.NEGATIVE_LENGTH, 0),
    ("most negative", "legacy", "8000", "length.negative", Reason.NEGATIVE_LENGTH, 0),
    ("no length", "compact", "", "input.truncated", Reason.TRUNCATED, 0),
    ("half a length", "compact", "80", "input.truncated", Reason.TRUNCATED, 1),
    ("one byte short", "compact", "04 6162", "length.within-input", Reason.LENGTH_EXCEEDS_INPUT, 0),
    ("the longest, of nothing", "compact", "808002", "length.within-input", Reason.LENGTH_EXCEEDS_INPUT, 0),
    ("too long, of nothing", "compact", "818002", "string.too-long", Reason.STRING_TOO_LONG, 0),
    ("2^31-2", "compact", "ffffffff07", "string.too-long", Reason.STRING_TOO_LONG, 0),
    ("2^31-1", "compact", "8080808008", "string.too-long", Reason.STRING_TOO_LONG, 0),
    ("null", "compact", "00", "null.not-allowed", Reason.NULL_NOT_ALLOWED, 0),
    ("most negative", "compact", "8180808008", "length.negative", Reason.NEGATIVE_LENGTH, 0),
    ("minus two", "compact", "ffffffff0f", "length.negative", Reason.NEGATIVE_LENGTH, 0),
    ("sixth byte", "compact", "8080808080", "varint.too-long", Reason.VARINT_OVERFLOW, 0),
    ("too long, of nothing", "nullable compact", "818002", "string.too-long", Reason.STRING_TOO_LONG, 0),
    ("2^31-1", "nullable compact", "8080808008", "string.too-long", Reason.STRING_TOO_LONG, 0),
]
LEFT_OPEN: list[tuple[str, str, str, str, int, str | None]] = [
    ("minus two as null", "nullable legacy", "fffe", "null.other-negative", 0, None),
    ("most negative as null", "nullable legacy", "8000", "null.other-negative", 0, None),
    ("most negative as null", "nullable compact", "8180808008", "null.other-negative", 0, None),
    ("minus two as null", "nullable compact", "ffffffff0f", "null.other-negative", 0, None),
    ("overlong null", "nullable compact", "8000", "varint.overlong", 0, None),
    ("overlong length", "compact", "8400 616263", "varint.overlong", 0, "abc"),
    ("excess bits in length", "compact", "8480808010 616263", "varint.excess-bits", 0, "abc"),
    ("a byte that starts nothing", "legacy", "0003 61ff62", "string.malformed-utf8", 3, "a\ufffdb"),
    ("a sequence without its end", "compact", "03 c328", "string.malformed-utf8", 1, "\ufffd("),
    ("a sequence cut off", "compact", "04 61e282", "string.malformed-utf8", 2, "a\ufffd"),
    ("an encoded surrogate", "compact", "04 eda080", "string.malformed-utf8", 1, "\ufffd"),
    ("an overlong NUL", "compact", "03 c080", "string.malformed-utf8", 1, "\ufffd\ufffd"),
]


def both(number: int) -> str:
    """Legacy and compact, as columns of `WORKED` and `PREFIXES`."""
    return ("legacy", "compact")[number]


def refusal(form: String, value: object) -> Refusal:
    with pytest.raises(Unencodable) as caught:
        form.write(value)
    return caught.value.reason


@pytest.mark.parametrize("column", [0, 1], ids=both)
@pytest.mark.parametrize("case", WORKED, ids=lambda case: ascii(case[0]))
def test_text_is_written_as_utf8_after_its_length_in_bytes(case: tuple[str, str, str], column: int) -> None:
    assert FORMS[both(column)].write(case[0]) == bytes.fromhex(case[1 + column])


@pytest.mark.parametrize("column", [0, 1], ids=both)
@pytest.mark.parametrize("case", WORKED, ids=lambda case: ascii(case[0]))
def test_text_is_read_unchanged(case: tuple[str, str, str], column: int) -> None:
    """NUL, byte order mark, noncharacters and any normal form come back as they were (rule 1.3.15)."""
    assert FORMS[both(column)].parse(bytes.fromhex(case[1 + column])) == case[0]


@pytest.mark.parametrize("column", [0, 1], ids=both)
@pytest.mark.parametrize("case", PREFIXES, ids=lambda case: str(case[0]))
def test_length_grows_by_a_byte_where_it_must(case: tuple[int, str, str], column: int) -> None:
    wire = bytes.fromhex((case[1], case[2])[column]) + b"a" * case[0]
    assert FORMS[both(column)].write("a" * case[0]) == wire
    assert FORMS[both(column)].parse(wire) == "a" * case[0]


@pytest.mark.parametrize(("form", "wire"), [("nullable legacy", "ffff"), ("nullable compact", "00")])
def test_null_is_written_and_read(form: str, wire: str) -> None:
    """Null is -1 in the legacy form and 0 in the compact one (rule 1.1.13)."""
    assert FORMS[form].write(None).hex() == wire
    assert FORMS[form].parse(bytes.fromhex(wire)) is None


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: f"{case[1]}: {case[0]}")
def test_impossible_length_is_refused(case: tuple[str, str, str, str, Reason, int]) -> None:
    """No reader accepts these lengths, not even a lenient one."""
    _, form, wire, rule, reason, offset = case
    with pytest.raises(Malformed) as strict:
        FORMS[form].parse(bytes.fromhex(wire))
    with pytest.raises(Malformed) as lenient:
        FORMS[form].read(LenientReader(bytes.fromhex(wire)))
    assert (strict.value.rule, strict.value.reason, strict.value.offset) == (rule, reason, offset)
    assert (lenient.value.rule, lenient.value.reason, lenient.value.offset) == (rule, reason, offset)


@pytest.mark.parametrize("case", LEFT_OPEN, ids=lambda case: f"{case[1]}: {case[0]}")
def test_strict_reader_stops_where_the_protocol_leaves_it_open(
    case: tuple[str, str, str, str, int, str | None],
) -> None:
    _, form, wire, rule, offset, _ = case
    with pytest.raises(Malformed) as caught:
        FORMS[form].parse(bytes.fromhex(wire))
    assert (caught.value.rule, caught.value.reason, caught.value.offset) == (rule, None, offset)


@pytest.mark.parametrize("case", LEFT_OPEN, ids=lambda case: f"{case[1]}: {case[0]}")
def test_lenient_reader_goes_on_as_apache_kafka_does(case: tuple[str, str, str, str, int, str | None]) -> None:
    """It reads the same value, with one replacement character for an encoded surrogate (rule 1.3.14)."""
    _, form, wire, rule, offset, value = case
    reader = LenientReader(bytes.fromhex(wire))
    assert FORMS[form].read(reader) == value
    assert [(found.rule, found.offset) for found in reader.deviations] == [(rule, offset)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", ["a" * 32768, "é" * 16384], ids=["32768 letters", "16384 letters of two bytes"])
def test_text_beyond_32767_bytes_is_refused(form: str, text: str) -> None:
    """The limit is one of bytes, in either form (rule 1.2.1)."""
    assert refusal(FORMS[form], text) is Refusal.STRING_TOO_LONG


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", ["\ud800", "a\udfff", "\udc00\ud800"], ids=ascii)
def test_unpaired_surrogate_is_refused(form: str, text: str) -> None:
    """There is no UTF-8 of half a character."""
    assert refusal(FORMS[form], text) is Refusal.BAD_TEXT


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("value", [b"abc", 1, True, 1.5, ["a"], {}], ids=repr)
def test_other_object_than_text_is_refused(form: str, value: object) -> None:
    assert refusal(FORMS[form], value) is Refusal.WRONG_TYPE


@pytest.mark.parametrize("form", ["legacy", "compact"])
def test_null_is_refused_where_it_may_not_be(form: str) -> None:
    """A string in a field without null has no null (rule 1.2.4)."""
    assert refusal(FORMS[form], None) is Refusal.NULL_NOT_ALLOWED
