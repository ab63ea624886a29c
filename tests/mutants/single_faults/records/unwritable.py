"""Values refused by writers for the most part, each wrong in one thing."""

from __future__ import annotations

from collections.abc import Iterator

from tests.mutants.single_faults.records.values import CODECS, TIME, Value, batch, field, message, record, wrapper
from tests.second_codec.record_checks import ABSENT


def unwritable_values() -> Iterator[Value]:
    """Yield values refused by writers for the most part."""
    for name in (*ABSENT, "lastOffsetDelta"):
        for number in (None, -2, -(2**15) - 1, 2**15, -(2**31) - 1, 2**31, -(2**63) - 1, 2**63, 2**64, 2**16, 2**32):
            yield field(batch(record()) | {name: number})
            yield field(batch(record(), timestampType="log-append") | {name: number})
    for name in ("timestampDelta", "offsetDelta", "attributes"):
        for number in (None, -2, 2**7, -129, 256, 2**31, -(2**31) - 1, 2**63, -(2**63) - 1, 2**32, 2**64):
            held = batch(record(), record(1))
            held["records"][1][name] = number
            yield field(held | {"lastOffsetDelta": 2**31 - 1})
            yield field(held | {"lastOffsetDelta": 2**31 - 1, "timestampType": "log-append"})
    bases = ({"baseTimestamp": 2**63 - 1}, {"baseTimestamp": -1}, {"baseTimestamp": 0}, {"baseOffset": 2**63 - 1})
    for changes in bases:
        for delta in (1, -1, -2, 2**62, -(2**63)):
            whole = batch(record(timestampDelta=delta), record(1), **changes)
            yield field(whole | {"maxTimestamp": min(whole["maxTimestamp"], 2**63 - 1)})
            yield field(whole | {"maxTimestamp": 2**63 - 1, "timestampType": "log-append"})
    for maximum in (TIME - 1, TIME + 1, -1, 0, None):
        yield field(batch(record(), maxTimestamp=maximum))
    yield from _unwritable_parts()


def _unwritable_parts() -> Iterator[Value]:
    """Yield values of other parts beyond the format."""
    for offsets in ((1, 0), (0, 0), (-1,), (0, -1), (5,)):
        yield field(batch(*map(record, offsets), lastOffsetDelta=1))
    yield field(batch(record(), lastOffsetDelta=-1))
    yield field(batch(lastOffsetDelta=-1))
    yield field(batch(baseOffset=2**63 - 1, lastOffsetDelta=1))
    yield from (field(batch(compression=codec)) for codec in CODECS[1:])
    for changes in ({"headers": None}, {"headers": [(None, b"v")]}, {"headers": [(None, None)]}):
        yield field(batch(record(**changes)))
    other = (
        {"compression": "brotli"},
        {"timestampType": "none"},
        {"magic": 3},
        {"unusedAttributes": 512},
        {"unusedAttributes": -1},
    )
    yield from (field(batch(record(), **changes)) for changes in other)
    for name in ("offset", "timestamp"):
        for number in (None, -2, 2**63, -(2**63) - 1, 2**64):
            yield field(message() | {name: number})
            yield field(wrapper(message(), message(1) | ({name: number} if name == "timestamp" else {})))
    yield field(wrapper(message(0), message(5), offset=3))
    yield {"batches": [batch(record())], "partial": b"\0" * 5}
