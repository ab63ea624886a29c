"""Message sets of magic 0 and 1, as plain messages, wrappers, and invalid ones of both."""

import struct
from typing import Any

import pytest

from conformance.definitions.catalogue import ENCODE, catalogue
from conformance.generate.record_building import SMALLEST, batch, message, sealed, wire, wrapper
from reference import Malformed, Reason, Refusal, Result, Unencodable, decode_records, encode_records, judge_records
from reference.records.compression import CODECS
from reference.records.compression import lz4 as lz4_frame
from reference.records.writing import write_entry

magics = pytest.mark.parametrize("magic", [0, 1])
KEY_AT = {0: 18, 1: 26}


def wrapping(inner: bytes, *, magic: int = 1, codec: str = "gzip", offset: int = 0) -> bytes:
    """A wrapper with these bytes as its message set."""
    packed = CODECS[codec].compress(inner)
    data = bytearray(write_entry(message(offset, magic=magic, value=packed), ""))
    data[17] |= CODECS[codec].number
    return sealed(bytes(data))


@magics
@pytest.mark.parametrize("changes", [{}, {"key": b"", "value": None}, {"key": b"k", "value": b""}])
def test_message_is_read_back(magic: int, changes: dict[str, Any]) -> None:
    value = message(7, magic=magic, **changes)
    assert decode_records(wire(value))["batches"] == [value]


def test_message_of_magic_0_has_no_timestamp() -> None:
    expected = "00 00 00 00 00 00 00 05 00 00 00 0f d2 0c bf f5 00 00 ff ff ff ff 00 00 00 01 76"
    assert wire(message(5, magic=0)).hex(" ") == expected


@magics
@pytest.mark.parametrize("codec", ["gzip", "snappy", "lz4"])
def test_wrapper_is_read_back(magic: int, codec: str) -> None:
    value = wrapper(message(0, magic=magic), message(3, magic=magic, key=b"k"), codec=codec, offset=100)
    verdict = judge_records(wire(value))
    assert (verdict.result, verdict.rules, verdict.value) == (Result.VALID, (), {"batches": [value], "partial": b""})


@magics
def test_unused_attributes_of_a_message_are_kept(magic: int) -> None:
    value = message(magic=magic, unusedAttributes=15)
    assert judge_records(wire(value)).value == {"batches": [value], "partial": b""}


def test_lz4_in_magic_0_has_a_checksum_of_its_own_and_any_is_read() -> None:
    data = wire(wrapper(message(magic=0), codec="lz4"))
    assert lz4_frame.MAGIC + bytes.fromhex("60401a") in data
    changed = data.replace(bytes.fromhex("60401a"), bytes.fromhex("6040ff"))
    assert judge_records(sealed(changed)).result is Result.VALID


def test_lz4_in_magic_1_has_the_right_checksum() -> None:
    data = wire(wrapper(message(), codec="lz4"))
    verdict = judge_records(sealed(data.replace(bytes.fromhex("604082"), bytes.fromhex("60401a"))))
    assert (verdict.result, verdict.rules) == (Result.INVALID, ("codec.corrupt",))


@magics
def test_crc_of_a_plain_message_is_checked(magic: int) -> None:
    data = wire(message(magic=magic))
    verdict = judge_records(data[:12] + bytes(4) + data[16:])
    assert (verdict.result, verdict.rules, verdict.reason) == (Result.INVALID, ("message.crc",), Reason.CRC_MISMATCH)
    assert judge_records(data[:12] + bytes(4) + data[16:], check_crc=False).result is Result.VALID


def test_crc_of_a_wrapper_is_left_open() -> None:
    """Consumers look at the messages inside only."""
    data = wire(wrapper(message()))
    verdict = judge_records(data[:12] + bytes(4) + data[16:])
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("message.wrapper-crc",))
    assert verdict.client is not None
    assert verdict.client.does == "accepts"


def test_crc_of_a_message_inside_is_checked() -> None:
    inner = write_entry(message(), "")
    verdict = judge_records(wrapping(inner[:12] + bytes(4) + inner[16:]))
    assert (verdict.result, verdict.rules, verdict.within) == (Result.INVALID, ("message.crc",), 12)


@magics
@pytest.mark.parametrize("field", ["key", "value"])
def test_length_beyond_the_message_is_invalid(magic: int, field: str) -> None:
    at = KEY_AT[magic] + (0 if field == "key" else 4)
    data = wire(message(magic=magic))
    verdict = judge_records(sealed(data[:at] + struct.pack(">i", 99) + data[at + 4 :]))
    assert (verdict.result, verdict.rules, verdict.offset) == (Result.INVALID, ("message.length-within",), at)
    assert verdict.client is not None
    assert verdict.client.exception == "IllegalArgumentException"


@pytest.mark.parametrize("size", [26, 33])
def test_cut_message_is_invalid(size: int) -> None:
    """Apache Kafka reads beyond its buffer."""
    verdict = judge_records(sealed(wire(message())[:size]))
    assert (verdict.result, verdict.rules) == (Result.INVALID, ("message.length-within",))
    assert verdict.client is not None
    assert verdict.client.exception == "IndexOutOfBoundsException"


@magics
def test_bytes_after_the_value_are_left_open(magic: int) -> None:
    verdict = judge_records(sealed(wire(message(magic=magic)) + b"x"))
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("message.trailing-bytes",))


@magics
def test_other_negative_length_is_null_and_left_open(magic: int) -> None:
    data = wire(message(magic=magic))
    at = KEY_AT[magic]
    verdict = judge_records(sealed(data[:at] + struct.pack(">i", -2) + data[at + 4 :]))
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("record.other-negative",))


@magics
def test_wrapper_inside_of_a_wrapper_is_invalid(magic: int) -> None:
    verdict = judge_records(wrapping(write_entry(wrapper(message(magic=magic)), ""), magic=magic))
    assert (verdict.result, verdict.rules) == (Result.INVALID, ("message.nested",))


@magics
@pytest.mark.parametrize("inner", [b"", bytes(5)])
def test_wrapper_without_messages_is_invalid(magic: int, inner: bytes) -> None:
    verdict = judge_records(wrapping(inner, magic=magic))
    assert (verdict.result, verdict.rules[-1]) == (Result.INVALID, "message.wrapper")


@magics
def test_wrapper_without_a_value_is_invalid(magic: int) -> None:
    data = bytearray(wire(message(magic=magic, value=None)))
    data[17] |= 1
    verdict = judge_records(sealed(bytes(data)))
    assert (verdict.rules, verdict.reason) == (("message.wrapper",), Reason.NULL_NOT_ALLOWED)


def test_zstd_is_no_codec_of_messages() -> None:
    data = bytearray(wire(message()))
    data[17] |= 4
    assert judge_records(sealed(bytes(data))).rules == ("message.codec",)
    with pytest.raises(Unencodable) as caught:
        wire(wrapper(message(), codec="zstd"))
    assert caught.value.rule == "message.codec"


@magics
def test_cut_message_inside_is_dropped(magic: int) -> None:
    one = write_entry(message(magic=magic), "")
    verdict = judge_records(wrapping(one + one[:-1], magic=magic))
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("message.inner-partial",))
    assert verdict.value is not None
    assert len(verdict.value["batches"][0]["messages"]) == 1


def test_offset_of_a_wrapper_is_its_last_messages_or_zero() -> None:
    inner = [message(0), message(5)]
    for offset in (0, 5, 100):
        assert judge_records(wire(wrapper(*inner, offset=offset))).result is Result.VALID
    bad = wrapping(b"".join(write_entry(each, "") for each in inner), offset=4)
    verdict = judge_records(bad)
    assert (verdict.rules, verdict.reason) == (("message.offsets",), Reason.OFFSET_MISMATCH)
    with pytest.raises(Unencodable) as caught:
        wire(wrapper(*inner, offset=4))
    assert caught.value.rule == "message.offsets"


def test_magic_inside_of_a_wrapper_is_the_wrappers() -> None:
    verdict = judge_records(wrapping(write_entry(message(magic=0), ""), magic=1))
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("message.inner-magic",))
    with pytest.raises(Unencodable):
        wire(wrapper(message(0, magic=1), message(1, magic=0)))


def test_field_of_the_other_magic_is_refused() -> None:
    with pytest.raises(Unencodable) as caught:
        encode_records({"batches": [message(magic=0, timestamp=1)]})
    assert (caught.value.reason, caught.value.path) == (Refusal.UNKNOWN_FIELD, "batches[0].timestamp")


def test_message_set_is_read_strictly_too() -> None:
    with pytest.raises(Malformed) as caught:
        decode_records(sealed(wire(message()) + b"x"))
    assert (caught.value.rule, caught.value.reason) == ("message.trailing-bytes", None)


def test_timestamp_below_minus_one_is_left_open() -> None:
    """A reader may refuse it, and no writer writes it."""
    message_of_today = message()
    data = wire(message_of_today)
    verdict = judge_records(sealed(data[:18] + (-2).to_bytes(8, "big", signed=True) + data[26:]))
    assert (verdict.result, verdict.rules) == (Result.UNSPECIFIED, ("batch.negative-field",))
    with pytest.raises(Unencodable) as refused:
        wire({**message_of_today, "timestamp": -2})
    assert (refused.value.rule, refused.value.path) == ("batch.negative-field", "batches[0].timestamp")


@pytest.mark.parametrize("magic", [0, 1, 2])
@pytest.mark.parametrize(
    ("offset", "result"), [(-1, Result.VALID), (-2, Result.UNSPECIFIED), (-(2**63), Result.UNSPECIFIED)]
)
def test_an_offset_below_minus_one_is_left_open_in_every_magic(magic: int, offset: int, result: Result) -> None:
    data = SMALLEST if magic == 2 else wire(message(0, magic=magic))
    assert judge_records(offset.to_bytes(8, "big", signed=True) + data[8:]).result is result


@pytest.mark.parametrize("entry", [batch(baseOffset=-2), message(-2), message(-2, magic=0)], ids=["2", "1", "0"])
def test_offset_below_minus_one_is_refused_by_a_rule_unspecified_for_writers(entry: dict[str, Any]) -> None:
    with pytest.raises(Unencodable) as refused:
        encode_records({"batches": [entry], "partial": b""})
    assert refused.value.rule == "batch.negative-offset"
    assert catalogue()["batch.negative-offset"].level_of(ENCODE) == "unspecified"
