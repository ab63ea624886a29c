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


def test_figures_are_printed() -> None:
    result = invoke("specs", "prove-evolution", "--count", "40", "--workers", "1")
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    assert lines[0].startswith("40 changes in ")
    assert lines[1].startswith("versions called compatible: ")
    assert lines[1].endswith(", misread: 0")
    assert lines[2].startswith("versions called incompatible: ")
