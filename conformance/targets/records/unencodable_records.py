"""Values of `records` fields without an encoding.

The reference gives the broken rule, which may leave the value to writers. Each value has a JSON form, for writers in
other processes. So a null record, or a number as a key, is not among them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.record_building import TIME, batch, message, record, wrapper
from conformance.targets.records.edge import CODECS, HIGHEST_INT16, HIGHEST_INT32, HIGHEST_INT64
from reference import Unencodable, encode_records

if TYPE_CHECKING:
    from collections.abc import Iterator

NUMBERS = {
    "partitionLeaderEpoch": HIGHEST_INT32,
    "lastOffsetDelta": HIGHEST_INT32,
    "baseOffset": HIGHEST_INT64,
    "baseTimestamp": HIGHEST_INT64,
    "maxTimestamp": HIGHEST_INT64,
    "producerId": HIGHEST_INT64,
    "producerEpoch": HIGHEST_INT16,
    "baseSequence": HIGHEST_INT32,
}
"""The numbers of a batch's header, each with its highest value."""


class UnencodableRecords(NamedTuple):
    """A value without an encoding, and the rule against it."""

    name: str
    path: str
    rule: str
    value: dict[str, Any]

    @property
    def group(self) -> str:
        """The group of edge values for it."""
        return "batches" if "records" in self.value["batches"][0] else "message-sets"


def unencodable_records() -> Iterator[UnencodableRecords]:
    """Yield every value without an encoding."""
    for name, value in _values():
        try:
            encode_records(value)
        except Unencodable as error:
            yield UnencodableRecords(name, error.path, error.rule, value)


def _values() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, one in (*_batches(), *_numbers(), *_of_records(), *_times(), *_messages()):
        yield name, {"batches": [one], "partial": b""}
    yield "incomplete-batch", {"batches": [batch()], "partial": b"\0" * 11}


def _batches() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "offsets-descending", batch(record(1), record(0), lastOffsetDelta=1)
    yield "offsets-equal", batch(record(0), record(0))
    yield "offset-negative", batch(record(-1), lastOffsetDelta=0)
    yield "offset-beyond-the-last", batch(record(0), record(5), lastOffsetDelta=4)
    yield "codec-unknown", batch(compression="brotli")
    yield "magic-3", batch(magic=3)
    yield "records-null", batch() | {"records": None}
    yield "timestamp-type-unknown", batch(timestampType="none")
    yield "attributes-unused-too-large", batch(unusedAttributes=512)
    yield "attributes-unused-negative", batch(unusedAttributes=-1)
    for codec in CODECS:
        yield f"empty-in-{codec}", batch(compression=codec) | {"records": []}
    yield "offsets-beyond-63-bits", batch(record(1), baseOffset=HIGHEST_INT64)
    yield "last-offset-beyond-63-bits", batch(baseOffset=HIGHEST_INT64, lastOffsetDelta=1)
    yield "empty-of-negative-offset", batch(lastOffsetDelta=-1) | {"records": []}
    yield "empty-beyond-63-bits", batch(baseOffset=HIGHEST_INT64, lastOffsetDelta=1) | {"records": []}


def _numbers() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield batches with a number of the header null, below null, or beyond its width."""
    for field, highest in NUMBERS.items():
        yield f"{field}-too-large", batch(**{field: highest + 1})
        yield f"{field}-null", batch(**{field: None})
        yield f"{field}-below-null", batch(**{field: -2})
        yield f"{field}-too-small", batch(**{field: -highest - 2})
        yield f"{field}-all-bits", batch(**{field: 2 * highest + 1})
    for field in ("baseTimestamp", "maxTimestamp"):
        numbers = {"below-null": -2, "too-large": HIGHEST_INT64 + 1, "too-small": -HIGHEST_INT64 - 2, "null": None}
        for what, number in numbers.items():
            yield f"appended-{field}-{what}", batch(timestampType="log-append") | {field: number}


def _of_records() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "header-key-null", batch(record(headers=[(None, b"v")]))
    yield "headers-null", batch(record(headers=None))
    for field, highest in {
        "attributes": 2**7 - 1,
        "timestampDelta": HIGHEST_INT64,
        "offsetDelta": HIGHEST_INT32,
    }.items():
        for what, number in {"too-large": highest + 1, "too-small": -highest - 2, "null": None}.items():
            held = record(1) | {field: number}
            yield (
                f"record-{field}-{what}",
                batch(record(), lastOffsetDelta=HIGHEST_INT32) | {"records": [record(), held]},
            )
            appended = {"timestampType": "log-append", "records": [record(), held]}
            yield f"appended-record-{field}-{what}", batch(record(), lastOffsetDelta=HIGHEST_INT32) | appended


def _times() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield batches with invalid sums of timestamps, and with a wrong highest timestamp."""
    for name, number in {"too-high": TIME + 1, "too-low": TIME - 1, "zero": 0, "none": -1}.items():
        yield f"max-timestamp-{name}", batch(maxTimestamp=number)
    sums = {
        "beyond-63-bits": (HIGHEST_INT64, 1),
        "below-none": (0, -2),
        "below-none-from-none": (-1, -1),
        "below-64-bits": (-1, -HIGHEST_INT64 - 1),
    }
    for name, (base, delta) in sums.items():
        held = record(), record(1, timestampDelta=delta)
        yield f"timestamp-{name}", batch(*held, baseTimestamp=base, maxTimestamp=base)
        alone = record(timestampDelta=delta)
        highest = min(base + delta, HIGHEST_INT64)
        yield f"only-timestamp-{name}", batch(alone, baseTimestamp=base, maxTimestamp=highest)


def _messages() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "zstd-in-a-message", wrapper(message(), codec="zstd")
    yield "wrapper-in-a-wrapper", wrapper(wrapper(message()))
    yield "wrapper-without-messages", wrapper(message()) | {"messages": []}
    yield "wrapper-below-its-last-offset", wrapper(message(0), message(5), offset=3)
    yield "wrapper-of-another-magic", wrapper(message(0), message(1, magic=0))
    for field in ("offset", "timestamp"):
        for what, number in {
            "null": None,
            "below-null": -2,
            "too-large": HIGHEST_INT64 + 1,
            "too-small": -HIGHEST_INT64 - 2,
            "all-bits": 2 * HIGHEST_INT64 + 1,
        }.items():
            yield f"message-{field}-{what}", message() | {field: number}
            yield f"wrapper-{field}-{what}", wrapper(message()) | {field: number}
