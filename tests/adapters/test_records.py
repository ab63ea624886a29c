"""The adapters' mapping of record batches of kafka-python and of aiokafka, with its C extension and without.

Mistakes of the libraries are for the suite to find. These tests are about values and bytes common to all three, and
about values each declares as hidden or unrepresentable.
"""

import os
import sys
from types import ModuleType
from typing import Any

import pytest

from conformance.adapter import Unrepresentable, Unsupported
from conformance.generate import record_building as building
from conformance.generate.record_building import sealed
from conformance.targets import records_difference, shown
from reference import decode_records, encode_records
from tests.helpers.adapters import load_adapter

REASON = "{} is not installed: it is in the extra `adapters`"
aiokafka = pytest.importorskip("conformance.adapters.aiokafka", reason=REASON.format("aiokafka"))
pure = pytest.importorskip("conformance.adapters.aiokafka_pure", reason=REASON.format("aiokafka"))
kafka_python = pytest.importorskip("conformance.adapters.kafka_python", reason=REASON.format("kafka-python"))

ADAPTERS = {"kafka-python": kafka_python, "aiokafka": aiokafka, "aiokafka (pure Python)": pure}
EPOCHS = {"kafka-python": 0, "aiokafka": -1, "aiokafka (pure Python)": -1}
"""The leader epoch that each library writes."""
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
NOW = building.TIME
KEY = b"key" * 50

each = pytest.mark.parametrize("name", ADAPTERS)


def record(offset: int, delta: int, **parts: Any) -> dict[str, Any]:
    return building.record(offset, timestampDelta=delta, **{"value": b"", **parts})


def batch(name: str, **parts: Any) -> dict[str, Any]:
    """Return a batch writable by the builders of a library, changed by `parts`."""
    records = record(0, 0, key=KEY, headers=[("h", b"1"), ("h", None)]), record(2, 1, value=None)
    producer = {"transactional": True, "producerId": 4711, "producerEpoch": 7, "baseSequence": 5}
    return building.batch(*records, **{"partitionLeaderEpoch": EPOCHS[name], **producer, **parts})


def message(magic: int, offset: int) -> dict[str, Any]:
    return building.message(offset, magic=magic, key=b"k")


def wrapper(magic: int, codec: str) -> dict[str, Any]:
    entry = building.wrapper(building.message(magic=magic, key=b"k", value=KEY), codec=codec)
    return entry | ({"timestamp": 0} if magic else {})


def field(*batches: dict[str, Any]) -> dict[str, Any]:
    return {"batches": list(batches), "partial": b""}


def difference(adapter: ModuleType, value: dict[str, Any], actual: Any) -> object:
    claims = load_adapter(adapter.__name__).records
    return records_difference(shown(claims, value), actual)


def unrepresentable(name: str, value: dict[str, Any]) -> str:
    with pytest.raises(Unrepresentable) as caught:
        ADAPTERS[name].encode_records(value)
    return caught.value.path


@each
def test_it_loads_with_records(name: str) -> None:
    adapter = load_adapter(ADAPTERS[name].__name__)
    assert adapter.name == name
    assert adapter.records.codecs == CODECS


@each
def test_a_plain_batch_has_the_bytes_of_the_reference(name: str) -> None:
    value = field(batch(name))
    assert ADAPTERS[name].encode_records(value) == encode_records(value)


@each
@pytest.mark.parametrize("codec", CODECS)
def test_reference_reads_the_library_s_records(name: str, codec: str) -> None:
    value = field(batch(name, compression=codec))
    assert decode_records(ADAPTERS[name].encode_records(value)) == value


@each
@pytest.mark.parametrize("codec", CODECS)
def test_library_reads_the_reference_s_records(name: str, codec: str) -> None:
    value = field(batch(name, compression=codec, baseOffset=9, partitionLeaderEpoch=3, unusedAttributes=5))
    assert difference(ADAPTERS[name], value, ADAPTERS[name].decode_records(encode_records(value))) is None


@each
def test_several_batches_are_written_after_each_other(name: str) -> None:
    value = field(batch(name), message(1, 5), batch(name, records=[record(0, 0)], lastOffsetDelta=0, maxTimestamp=NOW))
    assert ADAPTERS[name].encode_records(value) == encode_records(value)


@each
@pytest.mark.parametrize(("magic", "codec"), [(0, "gzip"), (0, "snappy"), (1, "gzip"), (1, "snappy"), (1, "lz4")])
def test_wrappers_are_written(name: str, magic: int, codec: str) -> None:
    value = field(wrapper(magic, codec))
    assert decode_records(ADAPTERS[name].encode_records(value)) == value


@each
def test_the_messages_of_a_wrapper_stand_in_its_place(name: str) -> None:
    inner = [message(1, 0), message(1, 3)]
    value = field(wrapper(1, "gzip") | {"offset": 103, "messages": inner}, message(1, 104))
    read = ADAPTERS[name].decode_records(encode_records(value))
    assert [entry["offset"] for entry in read["batches"]] == [100, 103, 104]
    assert difference(ADAPTERS[name], value, read) is None


@each
def test_a_wrong_crc_is_refused(name: str) -> None:
    wire = bytearray(encode_records(field(batch(name))))
    wire[20] ^= 1
    with pytest.raises(ADAPTERS[name].rejections, match="CRC"):
        ADAPTERS[name].decode_records(bytes(wire))


@each
def test_a_wrong_crc_of_a_message_is_refused(name: str) -> None:
    wire = bytearray(encode_records(field(message(1, 0))))
    wire[15] ^= 1
    with pytest.raises(ADAPTERS[name].rejections, match="CRC"):
        ADAPTERS[name].decode_records(bytes(wire))


def test_only_kafka_python_shows_the_tail() -> None:
    wire = encode_records(field(batch("kafka-python"))) + b"\0\0\0"
    assert kafka_python.decode_records(wire)["partial"] == b"\0\0\0"
    assert "partial" not in aiokafka.decode_records(wire)


def test_sums_in_64_bits_are_taken_apart_in_64_bits() -> None:
    """The C extension shows the second timestamp, with a delta of 1, as the lowest number of 64 bits."""
    wire = encode_records(
        field(batch("aiokafka", baseTimestamp=2**63 - 1, maxTimestamp=2**63 - 1, timestampType="log-append"))
    )
    wire = sealed(wire[:22] + bytes([wire[22] & ~8]) + wire[23:])
    [read] = aiokafka.decode_records(wire)["batches"]
    assert [part["timestampDelta"] for part in read["records"]] == [0, 1]


@each
@pytest.mark.parametrize(
    ("parts", "path"),
    [
        ({"baseOffset": 1}, "baseOffset"),
        ({"partitionLeaderEpoch": None}, "partitionLeaderEpoch"),
        ({"partitionLeaderEpoch": 2**31}, "partitionLeaderEpoch"),
        ({"timestampType": "log-append"}, "timestampType"),
        ({"control": True}, "control"),
        ({"deleteHorizon": True}, "deleteHorizon"),
        ({"unusedAttributes": 1}, "unusedAttributes"),
        ({"lastOffsetDelta": 3}, "lastOffsetDelta"),
        ({"maxTimestamp": NOW}, "maxTimestamp"),
        ({"records": [], "lastOffsetDelta": 0, "maxTimestamp": NOW}, "baseTimestamp"),
        ({"records": [record(2, 1)]}, "records[0].timestampDelta"),
        ({"records": [record(0, 0), record(2, 1, attributes=1)]}, "records[1].attributes"),
        ({"records": [record(2, 0, headers=[(b"\xff", b"")])], "maxTimestamp": NOW}, "records[0].headers[0]"),
    ],
)
def test_value_unfit_for_a_builder_is_unrepresentable(name: str, parts: dict[str, Any], path: str) -> None:
    assert unrepresentable(name, field(batch(name), batch(name, **parts))) == f"batches[1].{path}"


@each
@pytest.mark.parametrize("part", [{"offset": 1}, {"timestamp": 1}, {"timestampType": "log-append"}, {"key": b""}])
def test_value_unfit_for_a_wrapper_builder_is_unrepresentable(name: str, part: dict[str, Any]) -> None:
    assert unrepresentable(name, field(wrapper(1, "gzip") | part)) == f"batches[0].{next(iter(part))}"


@each
def test_the_leader_epoch_is_left_out(name: str) -> None:
    written = ADAPTERS[name].encode_records(field(batch(name, partitionLeaderEpoch=5)))
    assert written == encode_records(field(batch(name)))


@each
def test_another_magic_is_unsupported(name: str) -> None:
    with pytest.raises(Unsupported, match="magic 3"):
        ADAPTERS[name].encode_records(field(batch(name, magic=3)))


@each
def test_a_part_of_a_batch_is_unrepresentable(name: str) -> None:
    assert unrepresentable(name, {"batches": [], "partial": b"\0"}) == "partial"


@each
def test_a_header_key_of_null_is_for_the_library_to_refuse(name: str) -> None:
    value = field(batch(name, records=[record(2, 0, headers=[(None, b"")])], maxTimestamp=NOW))
    with pytest.raises((AttributeError, TypeError)):
        ADAPTERS[name].encode_records(value)


@pytest.mark.parametrize("adapter", [aiokafka, pure])
def test_aiokafka_has_no_lz4_of_magic_0(adapter: ModuleType) -> None:
    with pytest.raises(Unsupported, match="LZ4"):
        adapter.decode_records(encode_records(field(wrapper(0, "lz4"))))
    with pytest.raises(Unsupported, match="LZ4"):
        adapter.encode_records(field(wrapper(0, "lz4")))


@each
def test_unknown_codec_is_refused(name: str) -> None:
    """Codec 7 is invalid, and the library refuses it by its error of a missing library."""
    value = field(batch(name, records=[], lastOffsetDelta=0))
    wire = encode_records(value)
    with pytest.raises(ADAPTERS[name].rejections, match=r"[Cc]ompression"):
        ADAPTERS[name].decode_records(sealed(wire[:22] + bytes([wire[22] | 7]) + wire[23:]))


def test_a_codec_without_its_library_is_unsupported(monkeypatch: pytest.MonkeyPatch) -> None:
    value = field(batch("kafka-python", compression="snappy"))
    monkeypatch.setattr("kafka.codec.has_snappy", lambda: False)
    with pytest.raises(Unsupported, match="snappy"):
        kafka_python.decode_records(encode_records(value))
    with pytest.raises(Unsupported, match="snappy"):
        kafka_python.encode_records(value)


def test_the_copy_in_pure_python_is_another_one() -> None:
    assert pure.memory_records.MemoryRecords.__name__ == "_MemoryRecordsPy"
    assert sys.modules["aiokafka.record.memory_records"] is not pure.memory_records
    assert not os.environ.get(pure.SWITCH)
