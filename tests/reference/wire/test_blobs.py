import pytest

from reference import Malformed, Reason, Refusal, Unencodable
from reference.wire.blobs import Blob, blob

TYPES = ["bytes", "records"]
WORKED: list[tuple[str, bool, bool, bytes | None, str]] = [
    ("empty", False, False, b"", "00000000"),
    ("two", False, False, b"\xca\xfe", "00000002 cafe"),
    ("zeros", False, False, b"\0\0", "00000002 0000"),
    ("nullable, empty", False, True, b"", "00000000"),
    ("nullable, null", False, True, None, "ffffffff"),
    ("compact, empty", True, False, b"", "01"),
    ("compact, two", True, False, b"\xca\xfe", "03 cafe"),
    ("compact nullable, empty", True, True, b"", "01"),
    ("compact nullable, null", True, True, None, "00"),
]
PREFIXES: list[tuple[int, str, str]] = [
    (126, "0000007e", "7f"),
    (127, "0000007f", "8001"),
    (16382, "00003ffe", "ff7f"),
    (16383, "00003fff", "808001"),
    (32767, "00007fff", "808002"),
    (32768, "00008000", "818002"),
    (65536, "00010000", "818004"),
]
REFUSED: list[tuple[str, bool, bool, str, str, Reason, int]] = [
    ("one byte short", False, False, "00000002 ca", "length.within-input", Reason.LENGTH_EXCEEDS_INPUT, 0),
    ("2^31-1", False, True, "7fffffff 00", "length.within-input", Reason.LENGTH_EXCEEDS_INPUT, 0),
    ("null", False, False, "ffffffff", "null.not-allowed", Reason.NULL_NOT_ALLOWED, 0),
    ("compact, one byte short", True, False, "03 ca", "length.within-input", Reason.LENGTH_EXCEEDS_INPUT, 0),
    ("compact, 2^31-2", True, True, "ffffffff07", "length.within-input", Reason.LENGTH_EXCEEDS_INPUT, 0),
    ("compact, 2^31-1", True, True, "8080808008", "length.within-input", Reason.LENGTH_EXCEEDS_INPUT, 0),
    ("compact, null", True, False, "00", "null.not-allowed", Reason.NULL_NOT_ALLOWED, 0),
]


def refusal(form: Blob, value: object) -> Refusal:
    with pytest.raises(Unencodable) as caught:
        form.write(value)
    return caught.value.reason


@pytest.mark.parametrize("type_name", TYPES)
@pytest.mark.parametrize("case", WORKED, ids=lambda case: case[0])
def test_blob_is_written_as_worked_out(type_name: str, case: tuple[str, bool, bool, bytes | None, str]) -> None:
    _, compact, nullable, value, wire = case
    assert blob(type_name, compact=compact, nullable=nullable).write(value) == bytes.fromhex(wire)


@pytest.mark.parametrize("type_name", TYPES)
@pytest.mark.parametrize("case", WORKED, ids=lambda case: case[0])
def test_blob_is_read_as_worked_out(type_name: str, case: tuple[str, bool, bool, bytes | None, str]) -> None:
    _, compact, nullable, value, wire = case
    assert blob(type_name, compact=compact, nullable=nullable).parse(bytes.fromhex(wire)) == value


@pytest.mark.parametrize("type_name", TYPES)
@pytest.mark.parametrize("case", PREFIXES, ids=lambda case: str(case[0]))
def test_length_is_written_at_its_steps(type_name: str, case: tuple[int, str, str]) -> None:
    """There is no limit of 32,767 for blobs, in neither form."""
    length, legacy, compact = case
    body = b"\xca" * length
    assert blob(type_name, compact=False, nullable=False).write(body) == bytes.fromhex(legacy) + body
    assert blob(type_name, compact=True, nullable=False).write(body) == bytes.fromhex(compact) + body


@pytest.mark.parametrize("case", PREFIXES, ids=lambda case: str(case[0]))
def test_length_is_read_at_its_steps(case: tuple[int, str, str]) -> None:
    length, legacy, compact = case
    body = b"\xca" * length
    assert blob("bytes", compact=False, nullable=False).parse(bytes.fromhex(legacy) + body) == body
    assert blob("bytes", compact=True, nullable=False).parse(bytes.fromhex(compact) + body) == body


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case[0])
def test_impossible_length_is_refused(case: tuple[str, bool, bool, str, str, Reason, int]) -> None:
    _, compact, nullable, wire, rule, reason, offset = case
    with pytest.raises(Malformed) as caught:
        blob("records", compact=compact, nullable=nullable).parse(bytes.fromhex(wire))
    assert (caught.value.rule, caught.value.reason, caught.value.offset) == (rule, reason, offset)


@pytest.mark.parametrize("type_name", TYPES)
@pytest.mark.parametrize(
    "value", ["abc", bytearray(b"a"), memoryview(b"a"), [1, 2], 5, True], ids=lambda v: str(type(v))
)
def test_other_object_than_bytes_is_refused(type_name: str, value: object) -> None:
    assert refusal(blob(type_name, compact=True, nullable=True), value) is Refusal.WRONG_TYPE


@pytest.mark.parametrize("type_name", TYPES)
def test_null_is_refused_where_it_may_not_be(type_name: str) -> None:
    """Bytes in a field without null have no null (rule 1.2.4)."""
    assert refusal(blob(type_name, compact=False, nullable=False), None) is Refusal.NULL_NOT_ALLOWED
