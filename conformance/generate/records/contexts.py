"""The fields of a batch in every kind of batch, and in a second one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.records.building import TIME, batch, record
from conformance.generate.records.control_edges import ABORT, COMMIT, MARKER
from conformance.generate.records.edge import CODECS, PRODUCER, RULES_OF_CODECS, RecordsEdge, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.generate.records.edge import Value

HEADERS = [("h", b"v"), ("i", None), ("j", b"")]
KINDS: dict[str, Value] = {
    "plain": {},
    "log-append": {"timestampType": "log-append", "maxTimestamp": TIME + 5},
    "transactional": {"transactional": True, **PRODUCER},
    "producer": PRODUCER,
    "delete-horizon": {"deleteHorizon": True},
    "no-base-timestamp": {"baseTimestamp": -1, "maxTimestamp": 2_999_999},
    "control": {"control": True, "transactional": True, **PRODUCER, "baseSequence": -1},
    **{f"in-{codec}": {"compression": codec} for codec in CODECS},
}
"""Kinds of batches by name, with the fields of each."""
RULES = {
    "log-append": "batch.attributes",
    "transactional": "batch.attributes",
    "producer": "batch.producer",
    "delete-horizon": "batch.delete-horizon",
    "no-base-timestamp": "record.timestamp-delta",
    "control": "batch.attributes",
}
"""The rule of each kind of batch without a codec."""
NEEDS = {"plain": (), "in-gzip": ("gzip",), "in-snappy": ("snappy",), "in-lz4": ("lz4",), "in-zstd": ("zstd",)}
"""The needed edges of a kind of batch without an edge of its name."""
OF_EVERYTHING = ("two-records", "header-value-null", "header-value-empty", "key-null", "value-null", "key-empty")
PLAIN = "everything-plain"


def batch_of_everything(kind: str) -> Value:
    """Return a batch of one kind, with nulls, empty values, and deltas of several bytes in its records."""
    is_control, earlier = kind == "control", 300 if kind == "no-base-timestamp" else -300
    # The keys of control records have a fixed form, so none of them is null or empty.
    keys = (COMMIT, b"\0\0\x7f\xff", ABORT) if is_control else (b"k", None, b"")
    values = (MARKER, None, MARKER) if is_control else (b"v", None, b"")
    held = (
        record(0, key=keys[0], value=values[0], headers=HEADERS),
        record(20_000, timestampDelta=earlier, key=keys[1], value=values[1]),
        record(70_000, timestampDelta=3_000_000, key=keys[2], value=values[2], headers=HEADERS[1:]),
    )
    return batch(*held, **KINDS[kind])


def contexts() -> Iterator[RecordsEdge]:
    """Yield batches of each kind with everything in their records, and one after another batch."""
    for kind in KINDS:
        needs = OF_EVERYTHING if kind == "plain" else (PLAIN, *NEEDS.get(kind, (kind,)))
        group = kind.removeprefix("in-") if kind in NEEDS and kind != "plain" else "batches"
        rule = RULES.get(kind, RULES_OF_CODECS.get(kind.removeprefix("in-"), "record.layout"))
        yield RecordsEdge(f"everything-{kind}", rule, field(batch_of_everything(kind)), group, needs)
    second = field(batch(), batch_of_everything("plain") | {"baseOffset": 1})
    yield RecordsEdge("everything-in-a-second-batch", "field.batches", second, needs=(PLAIN, "two-batches"))
