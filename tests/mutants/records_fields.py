"""Fields of several batches, of none and of parts of one, written or read wrong."""

from reference import Malformed, encode_records
from tests.mutants.records_forms import RecordsMutant, Value, parts, read_leniently, refuse, refusing_values


def up_to_a_bad_batch(wire: bytes) -> Value:
    """A bad batch behind good ones ends the field."""
    found = parts(wire)
    value = read_leniently(found[0]) if found else read_leniently(wire)
    for count in range(2, len(found) + 1):
        try:
            value = read_leniently(b"".join(found[:count]))
        except Malformed:
            break
    return value


def first_batch_only(value: Value) -> Value:
    return value | {"batches": value["batches"][:1]}


def any_empty(batch: Value) -> bool:
    return batch.get("records") == []


def nothing_refused(wire: bytes) -> Value:
    if not wire:
        raise refuse("field.empty")
    return read_leniently(wire)


def partial_refused(wire: bytes) -> Value:
    value = read_leniently(wire)
    if value["partial"]:
        raise refuse("field.partial-tail")
    return value


def one_magic_only(wire: bytes) -> Value:
    value = read_leniently(wire)
    if len({batch["magic"] for batch in value["batches"]}) > 1:
        raise refuse("field.mixed-magic")
    return value


def with_tail(value: Value) -> bytes:
    return encode_records(value | {"partial": b""}) + (value.get("partial") or b"")


def _without_empty(value: Value) -> Value:
    return value | {"batches": [batch for batch in value["batches"] if batch.get("records") != []]}


MUTANTS = (
    RecordsMutant("empty-batch-refused", "batch.empty", reads=refusing_values(any_empty, "record.count")),
    RecordsMutant("empty-batch-dropped", "batch.empty", reads=lambda wire: _without_empty(read_leniently(wire))),
    RecordsMutant("second-batch-not-read", "field.batches", reads=lambda wire: first_batch_only(read_leniently(wire))),
    RecordsMutant(
        "second-batch-not-written",
        "field.batches",
        lambda value: encode_records(first_batch_only(value) if encode_records(value) else value),
    ),
    RecordsMutant("empty-field-refused", "field.empty", reads=nothing_refused),
    RecordsMutant("mixed-magics-refused", "field.mixed-magic", reads=one_magic_only),
    RecordsMutant("partial-tail-refused", "field.partial-tail", reads=partial_refused),
    RecordsMutant(
        "partial-tail-lost", "field.partial-tail", reads=lambda wire: read_leniently(wire) | {"partial": b""}
    ),
    RecordsMutant("bad-later-batch-ignored", "field.bad-batch-later", reads=up_to_a_bad_batch),
    RecordsMutant("partial-tail-written", "produce.no-tail", with_tail),
)
