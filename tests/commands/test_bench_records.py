from syrupy.assertion import SnapshotAssertion

from tests.helpers.runs import error_of, invoke


def test_both_codecs_are_measured_for_each_compression() -> None:
    result = invoke("bench", "records")
    rows = [line.split() for line in result.stdout.splitlines()[1:]]
    assert [row[:2] for row in rows] == [
        [name, compression] for compression in ("none", "lz4") for name in ("reference", "kafka-python")
    ]


def test_a_codec_without_record_batches_is_named(snapshot: SnapshotAssertion) -> None:
    assert error_of(invoke("bench", "records", "--impl", "conformance.adapters.kio"), 1) == snapshot
