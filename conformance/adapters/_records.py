"""Record batches by the record classes of kafka-python, and by those of aiokafka, which descend from them.

Both read a field by `MemoryRecords`, batch by batch, and write one by builders with a call for each record. A reader
adds offsets and timestamps up. Batches have their header as properties. Of messages of magic 0 and 1 a reader shows
only the parts for a consumer. A builder is that of a producer. It writes the fields of a broker (base offset, leader
epoch, the flags) as constants, and takes the rest of the header from the records. Any other value is `Unrepresentable`.
The leader epoch of a value is left out, since a producer does not know it.

CRCs are checked in the order of both consumers, before any other part of a batch is read.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from conformance.adapter import Unrepresentable, Unsupported

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from conformance.adapter import Value

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
"""The codecs by their number in the attributes."""
TIMESTAMP_TYPES = ("create", "log-append")
UNUSED_FROM, UNUSED_MASK, DELETE_HORIZON = 7, 0x1FF, 0x40
MESSAGES, BATCHES = (0, 1), 2
"""The magics of messages, and the one of batches."""
UNBOUNDED = 2**40
"""The size of a batch at which builders refuse further records."""
NO_TIMESTAMP = -1
INT32 = range(-(2**31), 2**31)
ABSENT_CODEC = ("Libraries for", "LZ4 is not supported")
"""The texts of errors for a codec that is not installed; other errors of the class refuse a number."""


def installed(codecs: Any) -> tuple[str, ...]:
    """Return the codecs with an installed library, according to the module `codec` of either package."""
    return ("none", *(name for name in CODECS[1:] if getattr(codecs, f"has_{name}")()))


@dataclass(frozen=True)
class RecordClasses:
    """The record classes of a library, and functions of the contract built on them."""

    memory_records: Callable[[bytes], Any]
    message: type[Any]
    """The batches of magic 0 and 1, each one message."""
    batch_builder: Callable[..., Any]
    message_builder: Callable[..., Any]
    corrupt: type[Exception]
    unsupported_codec: type[Exception]
    codecs: tuple[str, ...]
    no_records: int
    """Base and maximum timestamp of a batch without records, as builders write them."""
    further: Mapping[str, str] = field(default_factory=dict)
    """Further members of batches of magic 2, with the property of each."""
    int64: bool = False
    """Whether sums are kept in 64 bits."""

    def words(self, **further: Any) -> dict[str, Any]:
        """Return the member `records` of the contract, with the words of all of these libraries, and the given ones."""
        shared = {"wrapped-messages": "unwrapped", "log-append-deltas": "hidden", "leader-epoch": "own"}
        return {"codecs": self.codecs, **shared, **further}

    def decode_records(self, data: bytes) -> Value:
        """Return the batches of a field, and its tail if the library reports the number of bytes read.

        Raises:
            Unsupported: the library of a codec is not installed, or it has the codec for other magics only.
        """
        reader = self.memory_records(data)
        batches: list[Value] = []
        with self._absent_codecs():
            while reader.has_next():
                batches += self._read(reader.next_batch())
        tail = {"partial": data[reader.valid_bytes() :]} if hasattr(reader, "valid_bytes") else {}
        return {"batches": batches, **tail}

    def encode_records(self, value: Value) -> bytes:
        """Return the batches of a field, each by a builder of its own.

        Raises:
            Unrepresentable: the builders have no argument for a part of the value.
            Unsupported: as `decode_records`.
        """
        if value.get("partial"):
            raise Unrepresentable("no builder writes a part of a batch", "partial")
        wire = b""
        for index, batch in enumerate(value["batches"]):
            try:
                with self._absent_codecs():
                    wire += self._written(batch)
            except Unrepresentable as error:
                raise error.under(f"[{index}]").under("batches") from None
        return wire

    @contextmanager
    def _absent_codecs(self) -> Iterator[None]:
        try:
            yield
        except self.unsupported_codec as error:
            if any(text in str(error) for text in ABSENT_CODEC):
                raise Unsupported(str(error)) from error
            raise

    def _read(self, batch: Any) -> list[Value]:
        self._check(batch)
        if not isinstance(batch, self.message):
            return [self._batch(batch)]
        messages = []
        for record in batch:
            self._check(record)
            messages.append(_message(record))
        return messages

    def _check(self, checked: Any) -> None:
        # Records of aiokafka have no such check.
        if hasattr(checked, "validate_crc") and not checked.validate_crc():
            raise self.corrupt("CRC")

    def _batch(self, batch: Any) -> Value:
        records = [self._record(batch, record) for record in batch]
        return {
            "magic": batch.magic,
            "baseOffset": batch.base_offset,
            "compression": CODECS[batch.compression_type],
            "timestampType": TIMESTAMP_TYPES[batch.timestamp_type],
            "transactional": batch.is_transactional,
            "control": batch.is_control_batch,
            "deleteHorizon": bool(batch.attributes & DELETE_HORIZON),
            "unusedAttributes": batch.attributes >> UNUSED_FROM & UNUSED_MASK,
            "lastOffsetDelta": batch.last_offset_delta,
            "baseTimestamp": batch.first_timestamp,
            "maxTimestamp": batch.max_timestamp,
            "producerId": batch.producer_id,
            "producerEpoch": batch.producer_epoch,
            "baseSequence": batch.base_sequence,
            **{name: getattr(batch, shown) for name, shown in self.further.items()},
            "records": records,
        }

    def _record(self, batch: Any, record: Any) -> Value:
        return {
            "timestampDelta": self._difference(record.timestamp, batch.first_timestamp),
            "offsetDelta": self._difference(record.offset, batch.base_offset),
            "key": record.key,
            "value": record.value,
            "headers": record.headers,
        }

    def _difference(self, total: int, base: int) -> int:
        difference = total - base
        return (difference + 2**63) % 2**64 - 2**63 if self.int64 else difference

    def _written(self, batch: Value) -> bytes:
        if batch["compression"] not in self.codecs:
            raise Unsupported(f"the codec {batch['compression']!r}")
        if batch["magic"] not in (*MESSAGES, BATCHES):
            raise Unsupported(f"a builder of magic {batch['magic']!r}")
        codec = CODECS.index(batch["compression"])
        return bytes(self._message_set(batch, codec) if batch["magic"] in MESSAGES else self._whole_batch(batch, codec))

    def _whole_batch(self, batch: Value, codec: int) -> Any:
        timestamps = [_sum(batch["baseTimestamp"], record["timestampDelta"]) for record in batch["records"]]
        _check_constants(batch, self._header(batch["records"], timestamps))
        if type(batch["partitionLeaderEpoch"]) is not int or batch["partitionLeaderEpoch"] not in INT32:
            raise Unrepresentable("the builder takes none", "partitionLeaderEpoch")
        producer = (batch["producerId"], batch["producerEpoch"], batch["baseSequence"])
        builder = self.batch_builder(batch["magic"], codec, batch["transactional"], *producer, UNBOUNDED)
        for index, (record, timestamp) in enumerate(zip(batch["records"], timestamps, strict=True)):
            try:
                _check_constants(record, {"attributes": 0} if index else {"attributes": 0, "timestampDelta": 0})
                headers = _headers(record["headers"])
            except Unrepresentable as error:
                raise error.under(f"[{index}]").under("records") from None
            builder.append(record["offsetDelta"], timestamp, record["key"], record["value"], headers)
        return builder.build()

    def _header(self, records: list[Value], timestamps: list[Any]) -> Value:
        """Return the members of a header that a builder writes without arguments."""
        numbers = [timestamp for timestamp in timestamps if isinstance(timestamp, int)]
        return {
            "baseOffset": 0,
            "timestampType": "create",
            "control": False,
            "deleteHorizon": False,
            "unusedAttributes": 0,
            "lastOffsetDelta": records[-1]["offsetDelta"] if records else 0,
            **({} if records else {"baseTimestamp": self.no_records}),
            "maxTimestamp": max(numbers, default=self.no_records),
        }

    def _message_set(self, entry: Value, codec: int) -> Any:
        messages = [entry]
        if codec:
            _check_constants(
                entry, {"offset": 0, "timestamp": 0, "timestampType": "create", "unusedAttributes": 0, "key": None}
            )
            messages = entry["messages"]
        builder = self.message_builder(entry["magic"], codec, UNBOUNDED)
        for index, message in enumerate(messages):
            try:
                constants = {
                    "magic": entry["magic"],
                    "compression": "none",
                    "timestampType": "create",
                    "unusedAttributes": 0,
                }
                _check_constants(message, constants)
                _check_time(message)
            except Unrepresentable as error:
                raise (error.under(f"[{index}]").under("messages") if codec else error) from None
            builder.append(message["offset"], message.get("timestamp"), message["key"], message["value"])
        return builder.build()


def _message(record: Any) -> Value:
    return {
        "offset": record.offset,
        "timestampType": TIMESTAMP_TYPES[record.timestamp_type or 0],
        "timestamp": NO_TIMESTAMP if record.timestamp is None else record.timestamp,
        "key": record.key,
        "value": record.value,
    }


def _check_constants(item: Value, constants: Value) -> None:
    for name, constant in constants.items():
        if name in item and item[name] != constant:
            raise Unrepresentable(f"the builder takes none, and writes {constant!r}", name)


def _check_time(message: Value) -> None:
    if message.get("timestamp", NO_TIMESTAMP) is None:
        raise Unrepresentable("the builder takes the current time instead", "timestamp")


def _sum(base: Any, delta: Any) -> Any:
    # Anything but a number goes to the builder unchanged.
    return base + delta if isinstance(base, int) and isinstance(delta, int) else delta


def _headers(headers: Any) -> Any:
    for index, (key, _) in enumerate(headers):
        if isinstance(key, bytes):
            raise Unrepresentable("keys are text", f"headers[{index}]")
    return headers
