"""Choices of a writer of record batches are taken from its bytes, and nothing else is."""

from typing import Any

from conformance.generate.record_building import batch, message, record
from conformance.targets.listed import as_chosen
from conformance.targets.record_claims import RecordsClaims
from reference import encode_records

OWN_EPOCH = RecordsClaims(leader_epoch="own")


def field(*batches: dict[str, Any]) -> dict[str, Any]:
    return {"batches": list(batches), "partial": b""}


def test_a_batch_may_be_left_uncompressed() -> None:
    value, plain = field(batch(compression="gzip")), field(batch())
    assert as_chosen(RecordsClaims(), value, encode_records(plain)) == plain


def test_a_batch_may_not_be_compressed_by_the_writers_choice() -> None:
    value = field(batch())
    assert as_chosen(RecordsClaims(), value, encode_records(field(batch(compression="gzip")))) == value


def test_a_writer_without_leader_epochs_writes_its_own() -> None:
    written = field(batch(partitionLeaderEpoch=0))
    assert as_chosen(OWN_EPOCH, field(batch()), encode_records(written)) == written


def test_leader_epoch_is_no_choice_of_a_writer() -> None:
    value = field(batch())
    assert as_chosen(RecordsClaims(), value, encode_records(field(batch(partitionLeaderEpoch=0)))) == value


def test_records_are_nothing_to_choose() -> None:
    value = field(batch(record(key=b"k")))
    assert as_chosen(OWN_EPOCH, value, encode_records(field(batch(record(key=b"l"))))) == value


def test_another_number_of_batches_leaves_no_choice() -> None:
    value = field(batch(compression="gzip"))
    assert as_chosen(OWN_EPOCH, value, encode_records(field(batch(), batch()))) == value


def test_messages_leave_no_choice() -> None:
    value = field(message())
    assert as_chosen(OWN_EPOCH, value, encode_records(value)) == value
