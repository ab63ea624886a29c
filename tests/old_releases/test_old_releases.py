"""Reports on the old releases, beside the causes counted by hand, with one installation and one run of each."""

import tomllib
from pathlib import Path

import pytest

from tests.helpers import requirements
from tests.old_releases.comparison import CAUSES, differences, load_libraries, reported_causes
from tests.old_releases.libraries import run_suite

pytestmark = pytest.mark.nightly

LIBRARIES = (
    pytest.param("kafka-python", marks=pytest.mark.slow),
    pytest.param("kafka-protocol", marks=pytest.mark.slow),
    pytest.param("rskafka", marks=pytest.mark.rust),
    pytest.param("kafkajs", marks=pytest.mark.node),
    pytest.param("kafka-go", marks=pytest.mark.go),
)
NEEDS = {"rskafka": requirements.cargo, "kafkajs": requirements.node, "kafka-go": requirements.go}


@pytest.mark.parametrize("name", LIBRARIES)
def test_run_reports_the_counted_causes(name: str, tmp_path: Path) -> None:
    """More are allowed for kafka-go, where one place of the code shows by rules without anything in common."""
    NEEDS.get(name, lambda: None)()
    report = tmp_path / "report.jsonl"
    run_suite(name, report)
    lines = report.read_text(encoding="utf-8").splitlines()
    most = tomllib.loads(CAUSES.read_text(encoding="utf-8"))[name]["today"].get("at_most")
    if most is not None:
        assert reported_causes(lines) <= most
        return
    assert differences(load_libraries()[name], lines) == []
