import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result
from syrupy.assertion import SnapshotAssertion

from conformance.commands.main import main
from tests.helpers.releases import NEWEST
from tests.helpers.runs import error_of
from tests.report.lines import FINDING, KNOWN, text_of

ENTRY = """
[[failure]]
rule = "null.not-written"
messages = ["FetchRequest"]
outcome = "bytes"
reason = "another"

[[failure]]
rule = "int.width-and-order"
messages = ["HeartbeatResponse"]
outcome = "bytes"
reason = "writes the low byte first"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an adapter, its known failures, and a report with a new and a known finding."""
    package = tmp_path / "myproj"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "adapter.py").write_text('raise RuntimeError("nobody runs it")\n')
    (package / "known_failures.toml").write_text(ENTRY)
    (tmp_path / "run.jsonl").write_text("\n".join(text_of(FINDING, KNOWN)) + "\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def report(*words: str) -> Result:
    return CliRunner().invoke(main, ["report", *words])


@pytest.mark.usefixtures("project")
def test_markdown_goes_to_standard_output() -> None:
    done = report("run.jsonl", "--format", "markdown")
    assert done.exit_code == 0
    assert done.stdout.startswith("# Conformance ")


def test_junit_goes_to_a_file(project: Path, snapshot: SnapshotAssertion) -> None:
    done = report("run.jsonl", "--format", "junit", "--output", "junit.xml")
    assert done.stdout == snapshot
    assert ET.parse(project / "junit.xml").getroot().tag == "testsuites"  # noqa: S314  # our own


@pytest.mark.usefixtures("project")
def test_sarif_shows_findings_at_the_adapter_and_at_the_entries_of_its_known_failures() -> None:
    """Names are relative to the current folder, and the adapter is not imported."""
    run = json.loads(report("run.jsonl", "--format", "sarif").stdout)["runs"][0]
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert [(place["artifactLocation"]["uri"], place["region"]["startLine"]) for place in places] == [
        ("myproj/adapter.py", 1),
        ("myproj/known_failures.toml", 8),
    ]


@pytest.mark.usefixtures("project")
def test_sarif_shows_new_findings_at_the_named_file() -> None:
    run = json.loads(report("run.jsonl", "--format", "sarif", "--source", "src/codec.go").stdout)["runs"][0]
    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": "src/codec.go"}


def test_sarif_asks_for_a_file_where_none_stands_for_the_implementation(
    project: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    elsewhere = project / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    assert error_of(report("../run.jsonl", "--format", "sarif"), 2).replace(str(project), "…") == snapshot


def test_badges_go_to_a_folder(project: Path) -> None:
    done = report("run.jsonl", "--format", "badge", "--output", "badges")
    assert done.exit_code == 0
    assert sorted(file.name for file in (project / "badges").iterdir()) == [
        f"honest-{NEWEST}.json",
        f"honest-{NEWEST}.svg",
    ]


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("form", ["site", "badge"])
def test_report_in_a_folder_needs_a_name(form: str) -> None:
    done = report("run.jsonl", "--format", form)
    assert done.exit_code == 2
    assert "--output is missing" in done.stderr


@pytest.mark.usefixtures("project")
def test_a_baseline_is_for_the_site_alone(snapshot: SnapshotAssertion) -> None:
    assert error_of(report("run.jsonl", "--format", "junit", "--baseline", "run.jsonl"), 2) == snapshot


def test_broken_report_leaves_the_earlier_file(project: Path, snapshot: SnapshotAssertion) -> None:
    report("run.jsonl", "--format", "junit", "--output", "junit.xml")
    before = (project / "junit.xml").read_text()
    (project / "cut.jsonl").write_text("\n".join(text_of(FINDING)[:-1]))
    done = report("cut.jsonl", "--format", "junit", "--output", "junit.xml")
    assert error_of(done, 1) == snapshot
    assert (project / "junit.xml").read_text() == before


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("form", ["markdown", "junit", "sarif", "badge"])
def test_an_output_is_replaced_by_the_next_one_of_its_format(form: str) -> None:
    for _ in range(2):
        done = report("run.jsonl", "--format", form, "--output", "output")
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize("form", ["markdown", "junit", "sarif"])
def test_a_file_of_another_format_is_refused(project: Path, form: str, snapshot: SnapshotAssertion) -> None:
    before = (project / "run.jsonl").read_bytes()
    done = report("run.jsonl", "--format", form, "--output", "run.jsonl")
    assert error_of(done, 2) == snapshot
    assert (project / "run.jsonl").read_bytes() == before


def test_a_picture_with_the_name_of_a_badge_is_left(project: Path) -> None:
    picture = project / "badges" / f"honest-{NEWEST}.svg"
    picture.parent.mkdir()
    picture.write_text("<svg/>")
    done = report("run.jsonl", "--format", "badge", "--output", "badges")
    assert (done.exit_code, picture.read_text()) == (4, "<svg/>")
