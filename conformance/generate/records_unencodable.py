"""Values of `records` fields that no writer may write; the reference says by which rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.generate.records_building import batch, message, record
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
    for name, path, value in _values():
        try:
            encode_records(value)
        except Unencodable as error:
            yield UnencodableRecords(name, path, error.rule, value)


def _values() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for name, path, one in _batches():
        yield name, f"batches[0].{path}", {"batches": [one], "partial": b""}
    part = {"batches": [batch()], "partial": b"\0" * 11}
    yield "incomplete-batch", "partial", part


def _batches() -> Iterator[tuple[str, str, dict[str, Any]]]:
    yield "header-key-null", "records[0].headers[0][0]", batch(record(headers=[(None, b"v")]))
    yield "headers-null", "records[0].headers", batch(record(headers=None))
    yield "offsets-descending", "records[1].offsetDelta", batch(record(1), record(0), lastOffsetDelta=1)
    yield "offsets-equal", "records[1].offsetDelta", batch(record(0), record(0))
    yield "offset-negative", "records[0].offsetDelta", batch(record(-1), lastOffsetDelta=0)
    yield "offset-beyond-the-last", "records[1].offsetDelta", batch(record(0), record(5), lastOffsetDelta=4)
    yield "codec-unknown", "compression", batch(compression="brotli")
    yield "magic-3", "magic", batch(magic=3)
    yield "record-null", "records[0]", batch() | {"records": [None]}
    yield "records-null", "records", batch() | {"records": None}
    yield "key-a-number", "records[0].key", batch(record(key=1))
    yield "zstd-in-a-message", "compression", message(compression="zstd")
    for field, highest in {
        "partitionLeaderEpoch": HIGHEST_INT32,
        "lastOffsetDelta": HIGHEST_INT32,
        "baseOffset": HIGHEST_INT64,
        "baseTimestamp": HIGHEST_INT64,
        "producerId": HIGHEST_INT64,
        "producerEpoch": HIGHEST_INT16,
        "baseSequence": HIGHEST_INT32,
    }.items():
        yield f"{field}-too-large", field, batch(**{field: highest + 1})
        yield f"{field}-null", field, batch(**{field: None})
