"""Edge values of `records` fields.

Each is about one rule, and differs in one thing from an earlier value. If a reader refuses the earlier value, the edge
proves nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from conformance.generate.record_building import batch, holding, is_valid, record, records_of
from conformance.targets.records.batch_edges import batches, fields, headers, records, unused
from conformance.targets.records.control_edges import compressed_control, control
from conformance.targets.records.edge import CODECS, ONE, RULES_OF_CODECS, RecordsEdge, field
from conformance.targets.records.message_set_edges import message_sets
from conformance.targets.records.record_bases import contexts
from conformance.targets.records.streams import stream_forms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.targets.records.edge import Value

COMPRESSIBLE = b"a" * 70_000
"""More than one block of lz4 and two of snappy."""
SHORT, LONG = record(key=b"k", value=b"v" * 40), record(key=b"k", value=b"v" * 300)
"""Records of streams. The second is for the few forms too long for the first."""
MIXED = bytes(at * at % 251 for at in range(300)) + b"a" * 600
"""Long literals and long matches."""
RULES = {"snappy-raw": "snappy.raw", "zstd-no-content-size": "zstd.no-content-size"}
"""Rules of single forms; other forms have the rule of their codec."""


@cache
def records_edges() -> tuple[RecordsEdge, ...]:
    """Return every edge value, each after its base value."""
    of_batches = (*batches(), *fields(), *headers(), *records(), *unused(), *control())
    return (*of_batches, *_compressed(), *compressed_control(), *contexts(), *message_sets())


def _compressed() -> Iterator[RecordsEdge]:
    """Yield batches of each codec."""
    held = SHORT
    several = [held, record(1, value=bytes(range(256))), record(2, headers=[("h", b"v"), ("h", None)])]
    for codec in CODECS:
        rule, value = RULES_OF_CODECS[codec], field(batch(held, compression=codec))
        yield from _first_of_codec(codec, value, list(_streams(codec)))
        large = field(batch(record(value=COMPRESSIBLE), record(1, value=b"v"), compression=codec))
        yield RecordsEdge(f"{codec}-large", rule, large, codec, (codec, "two-records"))
        mixed = field(batch(record(value=MIXED), compression=codec))
        yield RecordsEdge(f"{codec}-literals-and-matches", rule, mixed, codec, (codec,))
        needs = (codec, "two-records", "header", "value-null")
        yield RecordsEdge(f"{codec}-records", rule, field(batch(*several, compression=codec)), codec, needs)
        both = field(batch(held, compression=codec), batch(baseOffset=3))
        yield RecordsEdge(f"{codec}-and-plain", "field.batches", both, codec, (codec, "two-batches"))


def _streams(codec: str) -> Iterator[RecordsEdge]:
    names: set[str] = set()
    for held in (SHORT, LONG):
        value = field(batch(held, compression=codec))
        for name, stream in stream_forms(codec, records_of(held)):
            edge, wire = f"{codec}-{name}", holding(stream, codec=codec)
            if edge not in names and is_valid(wire):
                names.add(edge)
                rule = RULES.get(edge, RULES_OF_CODECS[codec])
                yield RecordsEdge(edge, rule, value, codec, (codec,), wire, edge in RULES)


def _first_of_codec(codec: str, value: Value, streams: list[RecordsEdge]) -> Iterator[RecordsEdge]:
    """Yield the smallest value of a codec and other streams of it.

    For zstd, the stream with a content size comes first. Canonical streams of zstd lack it, by a rule of their own.
    """
    if codec != "zstd":
        yield RecordsEdge(codec, RULES_OF_CODECS[codec], value, codec, ONE)
        yield from streams
        return
    with_size = next(edge for edge in streams if edge.name == "zstd-content-size")
    yield with_size._replace(needs=ONE)
    yield RecordsEdge(codec, "zstd.no-content-size", value, codec, (*ONE, with_size.name))
    yield from (edge for edge in streams if edge is not with_size)
