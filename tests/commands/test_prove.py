import pytest

from reference import MissingLibrary
from tests.helpers.runs import invoke


def test_a_library_of_records_that_is_missing_is_named_before_anything_is_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing() -> None:
        raise MissingLibrary("cramjam", "snappy")

    monkeypatch.setattr("conformance.commands.prove.check_libraries", missing)
    monkeypatch.setattr("conformance.commands.prove.ApacheKafka", None)
    result = invoke("prove", "--messages", "HeartbeatRequest")
    assert result.exit_code == 1
    assert "snappy needs cramjam, which is not installed" in result.output
