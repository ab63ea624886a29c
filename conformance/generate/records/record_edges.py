"""The records of a batch, and their headers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.generate import edges
from conformance.generate.records.batch_edges import timestamps
from conformance.generate.records.building import TIME, batch, record
from conformance.generate.records.edge import HIGHEST_INT64, ONE, SIZES, SMALLEST, RecordsEdge, field, one
from reference import encode_records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.generate.records.edge import Value

OF_THREE_BYTES, OF_FOUR_BYTES = 1 << 20, 1 << 27
"""Lengths at which their varint gets its fourth byte, and its fifth."""
NULL_VALUE = "header-value-null"
COUNTS = (63, 64, 127, 128, 8191, 8192)
"""Counts of headers, and of records, at which a varint or a number of one byte grows."""
TEXTS = {
    "blanks": " h ",
    "cr-lf": "a\r\nb",
    "nul": "a\0b",
    "controls": "\x01\t\x7f",
    "upper-case": "HH",
    "byte-order-mark": "\ufeffh",
    "composed": "\xe9",
    "decomposed": "e\u0301",
    "three-bytes": "\u20ac",
    "four-bytes": "\N{GRINNING FACE}",
    **edges.CHANGED_TEXTS,
}
"""Keys of headers often changed by a reader."""


def headers() -> Iterator[RecordsEdge]:
    """Yield edges of the headers of a record."""
    several: dict[str, tuple[str, Sequence[tuple[str, Any]]]] = {
        "header": ("record.layout", [("h", b"v")]),
        NULL_VALUE: ("header.value-null", [("h", None)]),
        "header-value-empty": ("header.value-null", [("h", b"")]),
        "header-key-empty": ("record.layout", [("", b"v")]),
        **{f"header-key-of-{name}": ("record.layout", [(text, b"v")]) for name, text in TEXTS.items()},
        **{f"header-key-of-{size}": ("record.layout", [("h" * size, b"v")]) for size in SIZES},
        **{f"header-value-of-{size}": ("record.layout", [("h", b"v" * size)]) for size in SIZES},
        "headers-in-order": ("header.order", [("b", b"1"), ("a", b"2"), ("c", b"3")]),
        "headers-repeated": ("header.repeated", [("h", b"1"), ("h", b"2"), ("h", b"1")]),
        **{f"headers-{count}": ("record.layout", [(f"h{at}", b"") for at in range(count)]) for count in COUNTS},
    }
    for name, (rule, pairs) in several.items():
        needs = (SMALLEST,) if name == "header" else ("header",)
        value = field(batch(record(key=b"k", headers=list(pairs))))
        yield RecordsEdge(name, rule, value, needs=needs, is_rule_alone=name == NULL_VALUE)


def records() -> Iterator[RecordsEdge]:
    """Yield edges of the records of a batch."""
    yield from _keys_and_values()
    yield from _deltas()
    for count in (127, 128, 300, 16_384):
        value = field(batch(*map(record, range(count))))
        yield RecordsEdge(f"records-{count}", "record.layout", value, needs=("two-records",))
    nulls = field(batch(record(key=b"k"), record(1, key=b"", value=b"")))
    yield RecordsEdge("second-key-and-value-empty", "record.null", nulls, needs=("two-records",))


def _keys_and_values() -> Iterator[RecordsEdge]:
    for name in ("key", "value"):
        other: Value = {"key": b"k", "value": b"v"}
        for what, part in {"null": None, "empty": b""}.items():
            value = field(batch(record(**other | {name: part})))
            yield RecordsEdge(f"{name}-{what}", "record.null", value, needs=ONE)
        for size in (*SIZES, OF_THREE_BYTES):
            value = field(batch(record(**other | {name: bytes(size)})))
            yield RecordsEdge(f"{name}-of-{size}", "record.layout", value, needs=ONE)
    value = field(batch(record(key=b"", value=b"")))
    yield RecordsEdge("key-and-value-empty", "record.null", value, needs=("key-empty", "value-empty"))


def _deltas() -> Iterator[RecordsEdge]:
    rule, needs = "record.timestamp-delta", ("two-records",)
    for delta in (1, 63, 64, -1, -64, -65, 1 << 31, (1 << 31) - 1, -(1 << 35), HIGHEST_INT64 - TIME):
        yield RecordsEdge(f"timestamp-delta={delta}", rule, timestamps(0, delta), needs=needs)
    for bits in (13, 20, 27, 40, 47, 54):
        yield RecordsEdge(f"timestamp-delta={1 << bits}", rule, timestamps(0, 1 << bits), needs=needs)
    highest = timestamps(0, HIGHEST_INT64, baseTimestamp=0, maxTimestamp=HIGHEST_INT64)
    yield RecordsEdge("highest-timestamp-delta", rule, highest, needs=("two-records", "timestamp-zero"))
    for offsets in ((0, 2), (3, 4), (0, 63, 64), (0, 1 << 13), (0, 1 << 20), (0, OF_FOUR_BYTES), (0, (1 << 31) - 1)):
        value = field(batch(*map(record, offsets)))
        name = f"offsets={','.join(map(str, offsets))}"
        yield RecordsEdge(name, "record.offset-delta", value, needs=needs)


def unused() -> Iterator[RecordsEdge]:
    """Yield bits without a meaning, ignored by readers and not written by any writer."""
    for bits in (1, 0x100, 0x1FF):
        value = one(unusedAttributes=bits)
        name, wire = f"attributes-unused={bits:#x}", encode_records(value)
        yield RecordsEdge(name, "batch.attributes-unused", value, needs=ONE, other_wire=wire)
    for bits in (1, -1, -128):
        value = field(batch(record(attributes=bits, key=b"k")))
        name, wire = f"record-attributes={bits}", encode_records(value)
        yield RecordsEdge(name, "record.attributes-unused", value, other_wire=wire)
