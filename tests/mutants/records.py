"""Every mutant of record batches."""

from tests.mutants import (
    records_batches,
    records_fields,
    records_layout,
    records_message_sets,
    records_reading,
    records_streams,
)
from tests.mutants.records_forms import RecordsMutant

MUTANTS: tuple[RecordsMutant, ...] = (
    *records_batches.MUTANTS,
    *records_fields.MUTANTS,
    *records_layout.MUTANTS,
    *records_reading.MUTANTS,
    *records_streams.MUTANTS,
    *records_message_sets.MUTANTS,
)
