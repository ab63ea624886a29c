"""The fixed parts of batches and messages, declared in construct's syntax.

A layout is one table with the names, types, rules and meanings of its parts.

>>> MESSAGE_ENTRY.build({"offset": 7, "size": 14}).hex()
'00000000000000070000000e'

The magic byte stands at the same place in all of them, so it can be read before the format is known.
"""

from __future__ import annotations

from reference.layouts import Layout, part
from reference.vocabulary import Int8, Int16, Int32, Int64, UInt32

BATCH_HEADER = Layout(
    "Record batch",
    "baseOffset" / Int64 * part("batch.header-layout", "the offset of a record whose offset delta is 0"),
    "length" / Int32 * part("batch.length", "how many bytes follow this field"),
    "partitionLeaderEpoch" / Int32 * part("batch.crc-scope", "set by the leader, -1 if unknown; outside the CRC"),
    "magic" / Int8 * part("batch.magic", "2"),
    "crc" / UInt32 * part("batch.crc", "the CRC-32C of everything behind this field"),
    "attributes" / Int16 * part("batch.attributes", "codec, type of timestamp, and flags"),
    "lastOffsetDelta" / Int32 * part("batch.last-offset-delta", "the last offset of the batch less the base offset"),
    "baseTimestamp" / Int64 * part("record.timestamp-delta", "what timestamp deltas count from, in milliseconds"),
    "maxTimestamp" / Int64 * part("batch.max-timestamp", "the highest timestamp, or the time of the append"),
    "producerId" / Int64 * part("batch.producer", "the producer, -1 if there is none"),
    "producerEpoch" / Int16 * part("batch.producer", "the epoch of the producer, -1 if there is none"),
    "baseSequence" / Int32 * part("batch.producer", "the sequence of a record whose offset delta is 0, or -1"),
    "recordCount" / Int32 * part("record.count", "how many records follow"),
)

MESSAGE_ENTRY = Layout(
    "Entry of a message set",
    "offset" / Int64 * part("message.offsets", "of the message; of a wrapper that of its last message"),
    "size" / Int32 * part("message.layout", "how many bytes of message follow"),
)

MESSAGE_V0 = Layout(
    "Message of magic 0",
    "crc" / UInt32 * part("message.crc", "the CRC-32 of everything behind this field"),
    "magic" / Int8 * part("batch.magic", "0"),
    "attributes" / Int8 * part("message.layout", "the codec"),
)

MESSAGE_V1 = Layout(
    "Message of magic 1",
    "crc" / UInt32 * part("message.crc", "the CRC-32 of everything behind this field"),
    "magic" / Int8 * part("batch.magic", "1"),
    "attributes" / Int8 * part("message.layout", "the codec and the type of the timestamp"),
    "timestamp" / Int64 * part("message.timestamps", "in milliseconds, -1 if there is none"),
)

RECORD_LAYOUTS = (BATCH_HEADER, MESSAGE_ENTRY, MESSAGE_V0, MESSAGE_V1)
"""Every layout, in the order of the book."""

HEADER_SIZE: int = BATCH_HEADER.sizeof()
ENTRY_SIZE: int = MESSAGE_ENTRY.sizeof()
CRC_AT = 17
"""The offset of the CRC in a batch."""
COVERED_FROM = 21
"""The offset of the first byte covered by the CRC of a batch; the last one is the end of the batch."""
