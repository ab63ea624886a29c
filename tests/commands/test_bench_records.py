import pytest

from tests.helpers.runs import invoke


def test_both_codecs_are_measured_for_each_compression() -> None:
    result = invoke("bench", "records")
    rows = [line.split() for line in result.stdout.splitlines()[1:]]
    assert [row[:2] for row in rows] == [
        [name, compression] for compression in ("none", "lz4") for name in ("reference", "kafka-python")
    ]


@pytest.mark.parametrize("impl", ["conformance.adapters.kio"])
def test_a_codec_without_record_batches_is_named(impl: str) -> None:
    result = invoke("bench", "records", "--impl", impl)
    assert result.exit_code == 1
    assert f"{impl} does not both write and read record batches" in result.output
