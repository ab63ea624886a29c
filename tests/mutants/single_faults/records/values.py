"""Field values to tell faults from the sound codec, small ones of every context, large ones and drawn ones.

The same values come out each time. Some are beyond the format in one thing.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.second_codec.records import write_field
from tests.second_codec.steps import Output

Value = dict[str, Any]

TIME = 1_700_000_000_000
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
SIZES = (64, 128, 8192, 16384, 32768, 65536, 70_000)
CONTROLS = [
    *(bytes.fromhex("0000 00000001") for _ in range(2)),
    bytes.fromhex("0000 00000001 03 00000001 00 00000002 00 02 00000001 00 00"),
    bytes.fromhex("0000 0000018bcfe56800 00"),
    bytes.fromhex("0000 00"),
    bytes.fromhex("0000 0001 00"),
    bytes.fromhex("0000 02 00000003")
    + bytes(16)
    + b"\x02\x0bCONTROLLER\x0alocalhost"
    + bytes.fromhex("2385 00 0000 0001 00 00 00"),
    b"\0",
]
"""The values of control records by their types."""
COUNTS = (64, 128, 1001, 8192, 16384)


def record(offset: int = 0, **changes: Any) -> Value:
    """Return a record."""
    names: Value = {
        "attributes": 0,
        "timestampDelta": 0,
        "offsetDelta": offset,
        "key": b"k",
        "value": b"v",
        "headers": [],
    }
    return names | changes


def batch(*records: Value, **changes: Any) -> Value:
    """Return a batch with its other members derived from its records."""
    base = changes.get("baseTimestamp", TIME)
    value: Value = {
        "magic": 2,
        "baseOffset": 0,
        "partitionLeaderEpoch": -1,
        "compression": "none",
        "timestampType": "create",
        **dict.fromkeys(("transactional", "control", "deleteHorizon"), False),
        "unusedAttributes": 0,
        "lastOffsetDelta": max((each["offsetDelta"] for each in records), default=0),
        "baseTimestamp": base,
        "maxTimestamp": max((base + each["timestampDelta"] for each in records), default=-1),
        **dict.fromkeys(("producerId", "producerEpoch", "baseSequence"), -1),
        "records": list(records),
    }
    return value | changes


def message(offset: int = 0, magic: int = 1, **changes: Any) -> Value:
    """Return a message, or a wrapper with `messages`."""
    times = {"timestampType": "create", "timestamp": TIME} if magic else {}
    value = {"magic": magic, "offset": offset, "compression": "none", **times, "unusedAttributes": 0, "key": b"k"}
    return value | ({} if "messages" in changes else {"value": b"v"}) | changes


def wrapper(*messages: Value, codec: str = "gzip", **changes: Any) -> Value:
    """Return the wrapper of these messages."""
    first: Value = {"offset": messages[-1]["offset"], "magic": messages[0]["magic"], "key": None}
    return message(**first | {"compression": codec, "messages": list(messages)} | changes)


def _records() -> list[list[Value]]:
    """Return the records of small batches."""
    headers = [("h", b"v"), ("i", None), ("j", b"")]
    return [
        [record()],
        [record(key=None, value=None)],
        [record(key=b"", value=b"", headers=headers)],
        [
            record(headers=headers),
            record(1, timestampDelta=300, key=None, headers=[("h", b"1"), ("h", b"2"), ("h", b"1")]),
        ],
        [record(), record(1), record(2, value=None)],
        [record(3, timestampDelta=5), record(7, timestampDelta=1), record(70)],
        [record(0, timestampDelta=-1), record(300, timestampDelta=-70), record(20_000, timestampDelta=20_000)],
        [record(0), record(3_000_000, timestampDelta=3_000_000), record(300_000_000, timestampDelta=300_000_000)],
        [record(2_000_000_000, timestampDelta=-TIME)],
        [record(timestampDelta=-1), record(1, timestampDelta=2**63 - 1 - TIME)],
        [record(timestampDelta=2**40), record(1, timestampDelta=2**50), record(2, timestampDelta=2**57)],
        [record(value=b"vwxyz" * 30)],
        [record(key=b"key" * 50, headers=[("h" * 70, b"w" * 70), ("i", b"x" * 130)])],
        [record(value=Random(1).randbytes(300) * 2, key=b"k" * 40)],  # noqa: S311
        [
            record(
                headers=[("\N{GRINNING FACE}", b"1"), ("\xe9", None), ("e\u0301", b""), ("\u20ac", b"2"), (" h ", b"3")]
            )
        ],
        [record(headers=[("a\0b", b"1"), ("", b"2"), ("a\r\nb", b""), ("\ufeffB", b"3"), ("HH", b"4"), ("B", b"5")])],
        [record(headers=[(b"\xff", b"v")])],
        [record(), record()],
        [record(), record(1, key=None, value=None)],
        [record(), record(1, headers=[("h", None), ("i", None)])],
    ]


def _flags() -> list[Value]:
    """Return the other members of batches."""
    producer = {"producerId": 0x0102030405060708, "producerEpoch": 0x1112, "baseSequence": 0x21222324}
    return [
        {},
        producer,
        {**dict.fromkeys(producer, 0), "baseOffset": 1},
        {"transactional": True} | producer,
        {"transactional": True},
        {"producerId": 5},
        {"producerEpoch": 5},
        {"baseSequence": 5},
        {"producerId": 5, "producerEpoch": 1, "baseSequence": 2**31 - 1},
        {"producerId": 2**63 - 1, "producerEpoch": 2**15 - 1, "baseSequence": 2**31 - 1},
        {"timestampType": "log-append", "maxTimestamp": TIME + 1000},
        {"timestampType": "log-append", "maxTimestamp": -1},
        {"timestampType": "log-append", "transactional": True, "maxTimestamp": TIME} | producer,
        {"deleteHorizon": True},
        {"deleteHorizon": True, "timestampType": "log-append", "maxTimestamp": TIME},
        {"baseOffset": 0x0102030405060708, "partitionLeaderEpoch": 0x31323334},
        {"baseOffset": 2**63 - 1, "partitionLeaderEpoch": 2**31 - 1, "lastOffsetDelta": 0},
        {"baseOffset": -1, "partitionLeaderEpoch": 0},
        {"lastOffsetDelta": 0x41424344},
        {"lastOffsetDelta": 2**31 - 1},
        {"baseTimestamp": 0},
        {"baseTimestamp": 2**63 - 1},
        {"baseTimestamp": -1},
        {"baseTimestamp": 0x0102030405060708},
        *({"unusedAttributes": 1 << bit} for bit in range(9)),
    ]


def _controls() -> Iterator[Value]:
    """Yield control batches of each type and form."""
    producer: Value = {"control": True, "transactional": True, "producerId": 4711, "producerEpoch": 3}
    for number in range(8):
        key, value = b"\0\0\0" + bytes([number]), CONTROLS[number]
        yield batch(record(key=key, value=value), **producer)
        yield batch(record(key=key, value=value), control=True)
    marker = record(key=b"\0\0\0\1", value=b"\0\0\0\0\0\1")
    for changes in (
        *({"key": b"\0\1\0\1\0\0"}, {"key": b"\0\0\0\1\0"}, {"value": b"\0\1\0\0\0\1\0"}, {"value": b"\0\0\0\0\0\1\0"}),
        *({"key": None}, {"value": None}, {"key": b"\0\0\0"}, {"value": b"\0\0"}, {"headers": [("h", None)]}),
        *({"timestampDelta": 300}, {"offsetDelta": 20_000}, {"timestampDelta": -300}, {"offsetDelta": 300}),
    ):
        yield batch(marker | changes, **producer)
    yield batch(marker, record(1, key=b"\0\0\0\0", value=marker["value"], timestampDelta=-300), **producer)
    yield batch(record(key=b"\0\0\x7f\xff", value=None), **producer)
    yield batch(marker, **producer, lastOffsetDelta=70_000)
    yield batch(marker, **producer, baseSequence=7)
    yield batch(marker, **producer, timestampType="log-append", maxTimestamp=TIME)
    yield batch(marker, **producer, deleteHorizon=True)
    yield batch(**producer)
    yield from (batch(marker, **producer, compression=codec) for codec in CODECS[1:])


def _entries() -> Iterator[Value]:
    """Yield messages and wrappers."""
    for magic in (0, 1):
        for changes in (
            *({}, {"key": None}, {"key": b""}, {"value": None}, {"value": b""}, {"key": None, "value": None}),
            *({"value": b"v" * 300, "key": b"k" * 200}, {"unusedAttributes": 1}, {"unusedAttributes": 2}),
            *(
                {"unusedAttributes": 4},
                {"unusedAttributes": 8},
                {"offset": 0x0102030405060708},
                {"offset": 2**63 - 1},
                {"offset": -1},
            ),
        ):
            yield message(**{"offset": 5, "magic": magic} | changes)
        held = message(0, magic), message(1, magic, key=None), message(2, magic, value=None, key=b"")
        for codec in CODECS[1:]:
            yield wrapper(*held, codec=codec)
            yield wrapper(message(0, magic, value=b"a" * 90), codec=codec)
        gapped = message(3, magic), message(5, magic, value=b""), message(9, magic)
        yield from (wrapper(*gapped, offset=offset) for offset in (9, 109, 0, 5))
        yield wrapper(*held, key=b"kk", unusedAttributes=1)
        yield wrapper(message(0, magic, compression="none") | {"unusedAttributes": 1}, message(1, magic))
        yield wrapper(message(0, magic), message(0, 1 - magic))
        yield wrapper(message(2, magic), message(1, magic))
        yield wrapper(wrapper(message(0, magic)))
        yield message(0, magic, compression="gzip", messages=[])
    for time in ({"timestamp": -1}, {"timestamp": 0}, {"timestamp": 2**63 - 1}, {"timestamp": 0x0102030405060708}):
        yield message(0, **time)
        yield message(0, **time, timestampType="log-append")
        yield wrapper(message(0, **time), message(1, timestamp=0x1112131415161718), timestampType="log-append")
        yield wrapper(message(0, **time, timestampType="log-append"), message(1), timestamp=5)


def values() -> Iterator[Value]:
    """Yield the values of small fields."""
    small = _records()
    yield from (field(batch(*records)) for records in small)
    for changes in _flags():
        yield from (field(batch(*records, **changes)) for records in (small[0], small[3]))
    for codec in CODECS[1:]:
        yield from (field(batch(*small[at], compression=codec)) for at in (0, 3, 6, 7, 9, 10, 11, 12, 13))
    yield from map(field, _controls())
    empties: list[Value] = [{}, {"producerId": 3}, {"transactional": True}, {"timestampType": "log-append"}]
    for changes in (
        *empties,
        {"baseOffset": 4},
        {"lastOffsetDelta": 70_000},
        {"maxTimestamp": TIME},
        {"compression": "gzip"},
    ):
        yield field(batch(**changes))
    yield from map(field, _entries())
    yield field(batch(record(timestampDelta=2**63 - 1), baseTimestamp=0))
    yield field(batch(record(1), record(0)))
    yield field(batch(record(-1), lastOffsetDelta=0))
    yield field(batch(record(timestampDelta=1), baseTimestamp=2**63 - 1, maxTimestamp=2**63 - 1))
    yield from _several(small)
    yield from _drawn()


def tampered_values() -> Iterator[Value]:
    """Yield fields with one step done wrong, a few of each context."""
    small, flags = _records(), _flags()
    yield from (field(batch(*small[at])) for at in (0, 1, 2, 3, 4, 6, 7, 11, 12, 15))
    yield from (field(batch(*small[3], **flags[at])) for at in (1, 3, 10, 13, 15, 22))
    yield from (field(batch(*small[at], compression=codec)) for codec in CODECS[1:] for at in (0, 3, 7, 13))
    controls = list(_controls())
    yield from (field(controls[at]) for at in (0, 2, -7))
    yield from (field(batch(**changes)) for changes in ({}, {"producerId": 3, "lastOffsetDelta": 70_000}))
    first = batch(record(key=None))
    yield from (field(first, batch(*small[at], baseOffset=1)) for at in (0, 3, 6, 7))
    for magic in (0, 1):
        yield from (field(message(5, magic, **changes)) for changes in ({}, {"value": None}, {"key": b"k" * 70}))
        held = message(0, magic), message(1, magic, key=None), message(2, magic, value=None, key=b"")
        yield from (field(wrapper(*held, codec=codec)) for codec in CODECS[1:4])
        yield field(first, message(0, magic))
    yield field(wrapper(message(0), message(7, timestamp=5), timestampType="log-append"))


def _several(small: list[list[Value]]) -> Iterator[Value]:
    first = batch(record(key=None))
    yield field()
    for at in (0, 2, 3, 6, 7, 18):
        yield field(first, batch(*small[at], baseOffset=1))
        yield field(first, batch(*small[at], compression="gzip", lastOffsetDelta=2**31 - 1))
    yield field(message(0, 0, key=None), message(1, value=None))
    yield field(message(), first, message(1, 0))
    yield field(first, batch(), first)
    for size in (1, 11, 12, 16, 17, 40, 60):
        yield {"batches": [first], "partial": write_field(Output(), field(batch(record())))[:size]}
        yield {"batches": [], "partial": bytes(7) + b"\1\0\0\0\x38" + bytes(5) if size > 11 else bytes(size)}


def _drawn() -> Iterator[Value]:
    """Yield fields of drawn members."""
    random = Random(34)  # noqa: S311  # no secret
    small, flags = _records(), _flags()
    for _ in range(150):
        drawn = [
            batch(
                *random.choice(small),
                **random.choice(flags) | random.choice(flags) | {"compression": random.choice(CODECS)},
            )
            for _ in range(random.choice((1, 1, 2)))
        ]
        yield field(*drawn)


def field(*batches: Value) -> Value:
    """Return the value of a field."""
    return {"batches": list(batches), "partial": b""}


def large_values() -> Iterator[Value]:
    """Yield fields with sizes and counts at the edges of their numbers."""
    for count in COUNTS:
        yield field(batch(record(headers=[("h", None)] * count)))
        yield field(batch(*map(record, range(count))))
    for size in SIZES:
        for name in ("key", "value"):
            yield field(batch(record() | {name: bytes(size)}))
            yield field(message() | {name: bytes(size)})
        yield field(batch(record(headers=[("h" * size, None)])))
        yield field(batch(record(headers=[("h", b"w" * size)])))
        for codec in CODECS[1:]:
            yield field(batch(record(value=Random(size).randbytes(size)), compression=codec))  # noqa: S311
            yield field(batch(record(value=b"ab" * size), compression=codec))
    yield field(batch(record(value=bytes(1 << 20) + b"x" * 70_000), compression="lz4"))
    yield field(batch(record(key=bytes(3_000_000))))
