"""What other rooms need to know of the fixed contents of targets, apart from targets: no child process needs it."""

from __future__ import annotations

from conformance.targets.body.body_contents import holds_records, real_records_cases
from conformance.targets.frame.frame_contents import LARGE, WHOLE
from conformance.targets.frame.frame_damages import CLIENT_ID_AT
from conformance.targets.records.claimed_records import BATCHES, MESSAGE_SETS, as_chosen, outside, result_for
from conformance.targets.records.drawn_streams import other_stream
from conformance.targets.records.edge import RecordsEdge
from conformance.targets.records.hostile_records import damaged_records, hostile_message_set, hostile_records
from conformance.targets.records.misread_batches import RULES_OF_MEMBERS, SURE_RULES, MisreadValue, blame_records_value
from conformance.targets.records.miswritten_batches import blame_records_bytes, expected_instead, miswritten_records
from conformance.targets.records.record_bases import RecordsBase, record_bases
from conformance.targets.records.record_tampering import TamperedRecords, tampered_records
from conformance.targets.records.records_edges import records_edges
from conformance.targets.records.streams import declaring_forms
from conformance.targets.records.unencodable_records import UnencodableRecords, unencodable_records
from conformance.targets.wire_type.wire_type_contents import (
    SECTIONS,
    VARINTS,
    around_powers,
    further_values,
    mistakable_bytes,
)

__all__ = [
    "BATCHES", "CLIENT_ID_AT", "LARGE", "MESSAGE_SETS", "RULES_OF_MEMBERS", "SECTIONS", "SURE_RULES", "VARINTS",
    "WHOLE", "MisreadValue", "RecordsBase", "RecordsEdge", "TamperedRecords", "UnencodableRecords", "around_powers",
    "as_chosen", "blame_records_bytes", "blame_records_value", "damaged_records", "declaring_forms",
    "expected_instead", "further_values", "holds_records", "hostile_message_set", "hostile_records",
    "mistakable_bytes", "miswritten_records", "other_stream", "outside", "real_records_cases", "record_bases",
    "records_edges", "result_for", "tampered_records", "unencodable_records",
]  # fmt: skip
