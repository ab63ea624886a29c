"""The fixed parts of batches and messages, each one table with the names, types, rules and meanings of its parts.

>>> MESSAGE_ENTRY.write({"offset": 7, "size": 14}).hex()
'00000000000000070000000e'
>>> BATCH_HEADER.at("crc")
slice(17, 21, None)

The magic byte stands at the same place in all of them, so it can be read before the format is known.
"""

from __future__ import annotations

from reference.layouts import Layout
from reference.wire.numbers import INT8, INT16, INT32, INT64, UINT32

BATCH_HEADER = Layout(
    "Record batch",
    ("baseOffset", INT64, "batch.header-layout", "the offset of a record whose offset delta is 0"),
    ("length", INT32, "batch.length", "how many bytes follow this field"),
    ("partitionLeaderEpoch", INT32, "batch.crc-scope", "set by the leader, -1 if unknown; outside the CRC"),
    ("magic", INT8, "batch.magic", "2"),
    ("crc", UINT32, "batch.crc", "the CRC-32C of everything behind this field"),
    ("attributes", INT16, "batch.attributes", "codec, type of timestamp, and flags"),
    ("lastOffsetDelta", INT32, "batch.last-offset-delta", "the last offset of the batch less the base offset"),
    ("baseTimestamp", INT64, "record.timestamp-delta", "what timestamp deltas count from, in milliseconds"),
    ("maxTimestamp", INT64, "batch.max-timestamp", "the highest timestamp, or the time of the append"),
    ("producerId", INT64, "batch.producer", "the producer, -1 if there is none"),
    ("producerEpoch", INT16, "batch.producer", "the epoch of the producer, -1 if there is none"),
    ("baseSequence", INT32, "batch.producer", "the sequence of a record whose offset delta is 0, or -1"),
    ("recordCount", INT32, "record.count", "how many records follow"),
)

MESSAGE_ENTRY = Layout(
    "Entry of a message set",
    ("offset", INT64, "message.offsets", "of the message; of a wrapper that of its last message"),
    ("size", INT32, "message.layout", "how many bytes of message follow"),
)

MESSAGE_V0 = Layout(
    "Message of magic 0",
    ("crc", UINT32, "message.crc", "the CRC-32 of everything behind this field"),
    ("magic", INT8, "batch.magic", "0"),
    ("attributes", INT8, "message.layout", "the codec"),
)

MESSAGE_V1 = Layout(
    "Message of magic 1",
    ("crc", UINT32, "message.crc", "the CRC-32 of everything behind this field"),
    ("magic", INT8, "batch.magic", "1"),
    ("attributes", INT8, "message.layout", "the codec and the type of the timestamp"),
    ("timestamp", INT64, "message.timestamps", "in milliseconds, -1 if there is none"),
)

RECORD_LAYOUTS = (BATCH_HEADER, MESSAGE_ENTRY, MESSAGE_V0, MESSAGE_V1)
"""Every layout, in the order of the book."""

LENGTH = BATCH_HEADER.at("length")
"""The place of the length, of a batch and of a message."""
OVERHEAD: int = LENGTH.stop
"""The number of bytes up to the end of the length, not counted by it."""
MAGIC_AT: int = BATCH_HEADER.at("magic").start
"""The offset of the magic byte, of a batch and of a message."""
UP_TO_MAGIC = MAGIC_AT + 1
CRC = BATCH_HEADER.at("crc")
"""The place of the CRC in a batch."""
COVERED_FROM: int = CRC.stop
"""The offset of the first byte covered by the CRC of a batch; the last one is the end of the batch."""
HEADER_SIZE: int = BATCH_HEADER.width or 0
MESSAGE_CRC = slice(OVERHEAD, MAGIC_AT)
"""The place of the CRC in the entry of a message. It covers everything from the magic."""
