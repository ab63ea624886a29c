"""Edge values of `records` fields.

Each is about one rule, and differs in one thing from an earlier value. If a reader refuses the earlier value, the edge
proves nothing.
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
    """Return every edge value, each after its base value."""
    of_batches = (*batches(), *fields(), *headers(), *records(), *unused(), *control())
    return (*of_batches, *compressed(), *compressed_control(), *contexts(), *message_sets())
