"""Edge values of `records` fields: each is about one rule, and departs in one thing from a value before it.

A reader that does not take the value that an edge departs from tells nothing by the edge itself.
"""

from __future__ import annotations

from functools import cache

from conformance.generate.records.batch_edges import batches, fields
from conformance.generate.records.compressed_edges import compressed
from conformance.generate.records.contexts import contexts
from conformance.generate.records.control_edges import compressed_control, control
from conformance.generate.records.edge import CODECS, GROUPS, SMALLEST, RecordsEdge
from conformance.generate.records.message_set_edges import message_sets
from conformance.generate.records.record_edges import headers, records, unused

__all__ = ["CODECS", "GROUPS", "SMALLEST", "RecordsEdge", "records_edges"]


@cache
def records_edges() -> tuple[RecordsEdge, ...]:
    """Return every edge value, each behind the one that it departs from."""
    of_batches = (*batches(), *fields(), *headers(), *records(), *unused(), *control())
    return (*of_batches, *compressed(), *compressed_control(), *contexts(), *message_sets())
