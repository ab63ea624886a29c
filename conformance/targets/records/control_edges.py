"""Control batches.

They hold markers of transactions, records of the metadata log, and possible additions of later versions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate.record_building import TIME, batch, record
from conformance.targets.records.edge import CODECS, PRODUCER, RecordsEdge, field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.targets.records.edge import Value

ABORT, COMMIT = b"\0\0\0\0", b"\0\0\0\1"
MARKER = b"\0\0\0\0\0\1"
"""The value of a marker: version 0, epoch 1 of the coordinator."""
OF_THE_METADATA_LOG = {
    2: bytes.fromhex("0000 00000001 02 00000001 00 02 00000001 00 00"),
    3: bytes.fromhex("0000 0000018bcfe56800 00"),
    4: bytes.fromhex("0000 00"),
    5: bytes.fromhex("0000 0001 00"),
    6: bytes.fromhex("0000 01 00"),
}
"""Values of the smallest messages, by the number of the record's type: a new leader, head and end of a snapshot, ..."""
CONTROL = ("control",)
NEEDS = {
    "of-two-records": ("two-records",),
    "log-append": ("log-append",),
    "delete-horizon": ("delete-horizon",),
    "with-headers": ("header-value-null",),
    "empty": ("empty-transactional",),
}
"""The further needed edges of a control batch."""


def markers(*records: Value, **changes: Any) -> Value:
    """Return a control batch of these records, or of a COMMIT without records."""
    held = records or (record(key=COMMIT, value=MARKER),)
    numbers = {"producerId": PRODUCER["producerId"], "producerEpoch": PRODUCER["producerEpoch"]}
    return batch(*held, **{"control": True, "transactional": True, **numbers} | changes)


def control() -> Iterator[RecordsEdge]:
    """Yield control batches."""
    yield RecordsEdge("control", "batch.attributes", field(markers()), needs=("transactional",))
    yield from _types()
    yield from _later_versions()
    second = record(1, key=ABORT, value=MARKER, timestampDelta=-300)
    held = record(key=COMMIT, value=MARKER)
    cases: dict[str, tuple[str, Value]] = {
        "of-two-records": ("batch.attributes", markers(held, second)),
        "without-transaction": ("batch.attributes", markers(transactional=False)),
        "without-producer": ("batch.producer", markers(transactional=False, producerId=-1, producerEpoch=-1)),
        "with-sequence": ("batch.producer", markers(baseSequence=7)),
        "log-append": ("batch.attributes", markers(timestampType="log-append", maxTimestamp=TIME + 5)),
        "delete-horizon": ("batch.attributes", markers(deleteHorizon=True)),
        "with-headers": ("record.layout", markers(held | {"headers": [("h", b"v"), ("i", None)]})),
        "empty": ("batch.empty", markers() | {"records": []}),
    }
    for name, (rule, value) in cases.items():
        needs = (*CONTROL, *NEEDS.get(name, ()))
        yield RecordsEdge(f"control-{name}", rule, field(value), needs=needs)


def _types() -> Iterator[RecordsEdge]:
    yield RecordsEdge(
        "control-abort", "batch.attributes", field(markers(record(key=ABORT, value=MARKER))), needs=CONTROL
    )
    for number, value in OF_THE_METADATA_LOG.items():
        key = b"\0\0\0" + bytes([number])
        of_log = markers(record(key=key, value=value), transactional=False, producerId=-1, producerEpoch=-1)
        yield RecordsEdge(f"control-of-type-{number}", "batch.attributes", field(of_log), needs=CONTROL)
    for name, part in {"": MARKER, "-without-value": None}.items():
        of_unknown = markers(record(key=b"\0\0\x7f\xff", value=part))
        yield RecordsEdge(f"control-of-unknown-type{name}", "control.unknown-type", field(of_unknown), needs=CONTROL)


def _later_versions() -> Iterator[RecordsEdge]:
    keys = {"control-of-later-version": b"\0\1\0\1\0\0", "control-with-longer-key": b"\0\0\0\1\0"}
    for name, key in keys.items():
        value = field(markers(record(key=key, value=MARKER)))
        yield RecordsEdge(name, "control.key-later-version", value, needs=CONTROL)
    values = {"control-with-later-value": b"\0\1\0\0\0\1", "control-with-longer-value": MARKER + b"\0"}
    for name, part in values.items():
        value = field(markers(record(key=COMMIT, value=part)))
        yield RecordsEdge(name, "record.layout", value, needs=CONTROL)


def compressed_control() -> Iterator[RecordsEdge]:
    """Yield a control batch in each codec."""
    for codec in CODECS:
        value = field(markers(compression=codec))
        yield RecordsEdge(f"{codec}-control", "batch.attributes", value, codec, (codec, "control"))
