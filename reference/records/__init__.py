"""Record batches, the contents of a `records` field.

This package has batches of magic 2, their records and control records, message sets of magic 0 and 1, and the
compression codecs. It reads by the readers and policies of `reference.wire`.
"""

from reference.records.codec import decode_records, encode_records, records_layers, records_spans
from reference.records.control import decode_control, encode_control
from reference.records.json_form import records_from_json, records_to_json
from reference.records.reading import BoundReached, Layer, MalformedRecords
from reference.records.verdict import Observed, RecordsVerdict, judge_records

__all__ = [
    "BoundReached",
    "Layer",
    "MalformedRecords",
    "Observed",
    "RecordsVerdict",
    "decode_control",
    "decode_records",
    "encode_control",
    "encode_records",
    "judge_records",
    "records_from_json",
    "records_layers",
    "records_spans",
    "records_to_json",
]
