"""Values of `records` fields that no writer may write; the reference says by which rule.

Each has a JSON form, for writers in other processes: a record that is null, or a key that is a number, has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.records.building import batch, message, record, wrapper
from reference import Unencodable, encode_records

if TYPE_CHECKING:
    from collections.abc import Iterator

HIGHEST_INT16, HIGHEST_INT32, HIGHEST_INT64 = 2**15 - 1, 2**31 - 1, 2**63 - 1


class UnencodableRecords(NamedTuple):
    """One such value, and the rule against it."""

    name: str
    path: str
    rule: str
    value: dict[str, Any]

    @property
    def group(self) -> str:
        """The group of edge values that it belongs to."""
        return "batches" if "records" in self.value["batches"][0] else "message-sets"


def unencodable_records() -> Iterator[UnencodableRecords]:
    """Yield every such value."""
    for name, value in _values():
        try:
            encode_records(value)
        except Unencodable as error:
            yield UnencodableRecords(name, error.path, error.rule, value)


def _values() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, one in _batches():
        yield name, {"batches": [one], "partial": b""}
    yield "incomplete-batch", {"batches": [batch()], "partial": b"\0" * 11}


def _batches() -> Iterator[tuple[str, dict[str, Any]]]:
    yield "header-key-null", batch(record(headers=[(None, b"v")]))
    yield "headers-null", batch(record(headers=None))
    yield "offsets-descending", batch(record(1), record(0), lastOffsetDelta=1)
    yield "offsets-equal", batch(record(0), record(0))
    yield "offset-negative", batch(record(-1), lastOffsetDelta=0)
    yield "offset-beyond-the-last", batch(record(0), record(5), lastOffsetDelta=4)
    yield "codec-unknown", batch(compression="brotli")
    yield "magic-3", batch(magic=3)
    yield "records-null", batch() | {"records": None}
    yield "zstd-in-a-message", wrapper(message(), codec="zstd")
    yield "wrapper-in-a-wrapper", wrapper(wrapper(message()))
    yield "wrapper-without-messages", wrapper(message()) | {"messages": []}
    for field, highest in {
        "partitionLeaderEpoch": HIGHEST_INT32,
        "lastOffsetDelta": HIGHEST_INT32,
        "baseOffset": HIGHEST_INT64,
        "baseTimestamp": HIGHEST_INT64,
        "producerId": HIGHEST_INT64,
        "producerEpoch": HIGHEST_INT16,
        "baseSequence": HIGHEST_INT32,
    }.items():
        yield f"{field}-too-large", batch(**{field: highest + 1})
        yield f"{field}-null", batch(**{field: None})
