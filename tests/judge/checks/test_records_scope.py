from conformance.generate.record_building import batch, message, record, wire
from conformance.judge.checks.record_cases import records_value_cases
from conformance.judge.engine import violations
from conformance.targets.listed import outside, result_for
from conformance.targets.record_claims import RecordsClaims
from reference import Result, judge_records
from tests.helpers.records import Recorder, records_session

BROKER = RecordsClaims(reader="broker")
NO_SETS = RecordsClaims(legacy_message_sets="no")
PLAIN = RecordsClaims(codecs=("none",))
FIELD = {"batches": [batch(compression="zstd")], "partial": b""}


def test_a_value_with_a_missing_codec_is_outside() -> None:
    assert outside(PLAIN, "batches", FIELD) == "codec zstd"


def test_batches_refused_by_the_broker_of_apache_kafka_are_unspecified_for_brokers() -> None:
    """Apache Kafka's broker accepts one batch from offset 0 on, and no control batch."""
    for data in (wire(batch(), batch()), wire(batch(baseOffset=1)), wire(batch(record(key=bytes(4)), control=True))):
        assert result_for(BROKER, judge_records(data)) is Result.UNSPECIFIED


def test_batch_accepted_by_the_broker_of_apache_kafka_is_valid_for_brokers() -> None:
    assert result_for(BROKER, judge_records(wire(batch()))) is Result.VALID


def test_brokers_get_only_edge_values_accepted_by_the_broker_of_apache_kafka() -> None:
    reader = Recorder()
    session = records_session(decode=reader, reader="broker")
    assert list(violations(session, records_value_cases(session, "batches"))) == []
    assert reader.asked
    assert all(judge_records(data).broker == judge_records(wire(batch())).broker for data in reader.asked)


def test_invalid_batch_is_invalid_for_brokers() -> None:
    assert result_for(BROKER, judge_records(wire(batch())[:-1] + b"\1")) is Result.INVALID


def test_a_reader_without_a_codec_may_refuse_a_batch_of_it() -> None:
    assert result_for(PLAIN, judge_records(wire(batch(compression="gzip")))) is Result.UNSPECIFIED


def test_a_reader_without_message_sets_may_refuse_them() -> None:
    assert result_for(NO_SETS, judge_records(wire(message()))) is Result.UNSPECIFIED
