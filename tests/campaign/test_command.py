"""Refusals and output of the commands of campaigns, without Spark."""

import json
import os
import shutil
from pathlib import Path

import pytest
from click.testing import Result
from syrupy.assertion import SnapshotAssertion

from conformance.campaign.folder import MANIFEST
from conformance.system.folders import alone
from tests.campaign.conftest import HONEST, LIARS, campaign_of, run_all
from tests.helpers.runs import error_of, invoke
from tests.report.lines import CASE, FINDING, text_of


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["--generate", "1", "--corpus", "x"], "either --corpus or --generate"),
        ([], "--corpus, --generate or --fixed"),
        (["--moves", "--fixed"], "give --generate, too"),
        (["--generate", "1", "--messages", "Nope"], "'Nope' matches nothing"),
        (["--corpus", "no/such/folder"], "holds no finished corpus"),
        (["--fixed", "--messages", "FetchRequest"], "no implementation has any of these messages"),
        (["--fixed", "--impl", HONEST], "name each once"),
        (["--fixed", "--format", "delta"], "--format delta needs Spark"),
    ],
)
def test_impossible_campaign_is_reported(tmp_path: Path, words: list[str], printed: str) -> None:
    done = invoke("campaign", "run", "--impl", HONEST, "--output", str(tmp_path / "out"), "--in-process", *words)
    assert done.exit_code != 0
    assert printed in done.output


def test_a_campaign_in_use_is_refused(tmp_path: Path) -> None:
    """Two writers into one folder would each take the other's parts for its own."""
    with alone(tmp_path, "campaign"):
        done = invoke("campaign", "run", "--impl", HONEST, "--output", str(tmp_path), "--fixed", "--in-process")
    assert done.exit_code == 1
    assert f"another campaign, process {os.getpid()}" in done.output


def test_the_report_tells_in_five_lines_and_by_its_status(tmp_path: Path) -> None:
    """A finding is known in a later campaign, even one of equal outcomes. A second report changes no history."""
    campaign = campaign_of(f"{LIARS}:RefusesUnknownTags", cases=60)
    run_all(campaign, tmp_path / "campaign")
    text = (tmp_path / "campaign" / MANIFEST).read_text()
    later = shutil.copytree(tmp_path / "campaign", tmp_path / "later") / MANIFEST
    later.write_text(text.replace(json.loads(text)["finished"], "2999-01-01T00:00:00+00:00"))

    def report(name: str) -> Result:
        return invoke("campaign", "report", str(tmp_path / name), "--history", str(tmp_path / "history"))

    first = report("campaign")
    assert first.exit_code == 1
    assert len(first.output.splitlines()) == 5
    assert "new: 1 (" in first.output
    rule = "tag.unknown-accepted"
    assert f"{rule} (rejected)" in first.output
    for _ in range(2):
        second = report("later")
        assert second.exit_code == 0
        assert "known: 1, the oldest " in second.output
        assert "campaign to campaign: 1, 1\n" in second.output
    assert len(list((tmp_path / "history").iterdir())) == 2


def test_a_campaign_runs_in_processes(tmp_path: Path) -> None:
    words = ("--messages", "HeartbeatResponse-v0", "--generate", "4", "--in-process", "-n", "1")
    done = invoke("campaign", "run", "--impl", HONEST, "--output", str(tmp_path / "it"), *words)
    assert done.exit_code == 0, done.output
    assert done.output.startswith("in 1 processes ")
    assert "honest: 4 cases" in done.output
    assert json.loads((tmp_path / "it" / MANIFEST).read_text())["hash"] in done.output


def test_without_any_engine_both_extras_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setattr("conformance.campaign.pipeline.choice.active_session", lambda: None)
    names = {"duckdb", "pyspark"}
    monkeypatch.setattr(
        "conformance.campaign.pipeline.requirements.find_spec", lambda name: None if name in names else name
    )
    done = invoke("campaign", "run", "--impl", HONEST, "--generate", "4", "--output", str(tmp_path / "it"))
    assert error_of(done, 1) == snapshot


def test_an_adapter_of_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command finds it, so it need not be installed."""
    (tmp_path / "own_adapter.py").write_text("from tests.fakes.faulty_codecs import Honest as adapter\n")
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as path:
        path.syspath_prepend(str(tmp_path))
        campaign = campaign_of("own_adapter")
    assert run_all(campaign, tmp_path / "out")["rows"] > 0


def test_a_campaign_is_compared_with_the_reports_of_runs(tmp_path: Path) -> None:
    """The status tells whether the campaign lacks a rule."""
    campaign = campaign_of(f"{LIARS}:RefusesUnknownTags", cases=60)
    run_all(campaign, tmp_path / "campaign")
    name = campaign.parameters.subjects[0].label
    for rule, status, printed in (
        ("tag.unknown-accepted", 0, "1 rules in both, 0 missing"),
        ("int.width-and-order", 1, "int.width-and-order: 3 cases in the run, 0 in the campaign  missing"),
    ):
        finding = {**FINDING, "rule": rule, "example": {**CASE, "rule": rule}}
        report = tmp_path / f"{rule}.jsonl"
        report.write_text("\n".join(text_of(finding)).replace('"honest"', f'"{name}"'), encoding="utf-8")
        done = invoke("campaign", "covers", str(tmp_path / "campaign"), str(report))
        assert (done.exit_code, printed in done.output) == (status, True), done.output
