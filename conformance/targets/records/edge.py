"""An edge value of a `records` field, and the parts of edges."""

from __future__ import annotations

from typing import Any, NamedTuple

from conformance.generate.record_building import batch, record
from reference import encode_records

Value = dict[str, Any]

CODECS = ("gzip", "snappy", "lz4", "zstd")
OF_WRAPPERS = CODECS[:3]
"""The codecs of messages; zstd came after them."""
RULES_OF_CODECS = {"gzip": "codec.gzip", "snappy": "snappy.xerial", "lz4": "lz4.frame", "zstd": "zstd.frame"}
HIGHEST_INT16, HIGHEST_INT32, HIGHEST_INT64 = 2**15 - 1, 2**31 - 1, 2**63 - 1
SMALLEST = "smallest"
ONE = ("key-and-value",)
SIZES = (63, 64, 127, 128, 8191, 8192, 16_384, 32_767, 32_768, 65_536)
"""Sizes at which a varint, or a number of one or two bytes, grows."""
PRODUCER: Value = {"producerId": 4711, "producerEpoch": 3, "baseSequence": 12}


class RecordsEdge(NamedTuple):
    """One value of a field, and its rule."""

    name: str
    rule: str
    value: Value
    group: str = "batches"
    needs: tuple[str, ...] = (SMALLEST,)
    """The names of the edges from which this one differs in one thing; none for the first ones."""
    other_wire: bytes | None = None
    """Bytes of the value not required of writers, or None for the canonical ones."""
    is_rule_alone: bool = False
    """Whether it differs from its base in nothing but the subject of its rule."""

    @property
    def wire(self) -> bytes:
        """The bytes to read."""
        return encode_records(self.value) if self.other_wire is None else self.other_wire


def field(*batches: Value) -> Value:
    """Return the value of a field."""
    return {"batches": list(batches), "partial": b""}


def one(**changes: Any) -> Value:
    """Return a field of one batch with one record, with these changes of the batch."""
    return field(batch(record(key=b"k", value=b"v"), **changes))
