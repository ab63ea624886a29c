"""Refusals and output of the commands of campaigns, without Spark."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conformance.campaign.attempts import Watch
from conformance.campaign.folder import CAMPAIGN, prepare
from conformance.campaign.preparation import BadCampaign, CampaignRequest, prepared
from conformance.campaign.spark.storage import Storage
from conformance.campaign.workers import PYTHON_MEMORY, WorkersLack, _require_no_limit, needed_modules, problems
from conformance.codec.bridge.isolation import DecodeLimits
from conformance.system.folders import alone
from reference import load_release
from tests.campaign.conftest import HONEST, LIARS, campaign_of, distilled, run_all
from tests.helpers.releases import NEWEST
from tests.helpers.runs import invoke
from tests.report.lines import CASE, FINDING, text_of


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["--generate", "1", "--corpus", "x"], "either --corpus or --generate"),
        ([], "--corpus, --generate or --fixed"),
        (["--moves", "--fixed"], "give --generate, too"),
        (["--generate", "1", "--messages", "Nope"], "'Nope' matches nothing"),
        (["--corpus", "no/such/folder"], "holds no finished corpus"),
    ],
)
def test_impossible_campaign_is_reported(tmp_path: Path, words: list[str], printed: str) -> None:
    done = invoke("campaign", "run", "--impl", HONEST, "--output", str(tmp_path / "out"), *words)
    assert done.exit_code != 0
    assert printed in done.output


def test_a_campaign_in_use_is_refused(tmp_path: Path) -> None:
    """Two writers into one folder would each take the other's parts for its own."""
    with alone(tmp_path, "campaign"):
        done = invoke("campaign", "run", "--impl", HONEST, "--output", str(tmp_path), "--fixed")
    assert done.exit_code == 1
    assert "in use by another campaign" in done.output


def test_messages_of_no_implementation_are_no_campaign() -> None:
    wanted = CampaignRequest([HONEST], load_release(NEWEST), 5, "1", None, False, ("FetchRequest",), DecodeLimits())  # noqa: FBT003  # a tuple
    with pytest.raises(BadCampaign, match="no implementation has any of these messages"):
        prepared(wanted)


def test_one_implementation_twice_is_refused() -> None:
    with pytest.raises(BadCampaign, match="name each once"):
        campaign_of(HONEST, HONEST)


def test_the_report_tells_in_five_lines_and_by_its_status(tmp_path: Path) -> None:
    """A finding is new in the first report and known in the second. Reporting a campaign again changes no history."""
    campaign = campaign_of(f"{LIARS}:RefusesUnknownTags", cases=60)
    run_all(campaign, tmp_path / "campaign")
    distilled(campaign, tmp_path / "campaign")
    words = ("campaign", "report", str(tmp_path / "campaign"), "--history", str(tmp_path / "history"))
    first = invoke(*words)
    assert first.exit_code == 1
    assert len(first.output.splitlines()) == 5
    assert "new: 1 (" in first.output
    assert "tag.unknown-accepted (rejected)" in first.output
    invoke(*words)
    assert len(list((tmp_path / "history").iterdir())) == 1


def test_missing_needs_of_a_worker_are_reported(tmp_path: Path) -> None:
    """It may lack a module or a program, or have another folder of the same name."""
    campaign = campaign_of(HONEST)
    storage = Storage(str(tmp_path))
    prepare(storage, campaign.parameters)
    mark = sha256(storage.read(CAMPAIGN) or b"").hexdigest()
    assert list(problems(campaign.parameters, storage, mark)) == []
    [subject] = campaign.parameters.subjects
    for spec, printed in (
        ("no_such_module.adapter", "module no_such_module"),
        ("stdio:/no/such x", "program /no/such"),
    ):
        lacking = replace(campaign.parameters, subjects=(replace(subject, spec=spec),))
        assert printed in " ".join(problems(lacking, storage, mark))
    assert "another folder here" in " ".join(problems(campaign.parameters, Storage(str(tmp_path / "x")), mark))


def test_a_missing_module_is_named(tmp_path: Path) -> None:
    campaign = campaign_of(HONEST)
    storage = Storage(str(tmp_path))
    prepare(storage, campaign.parameters)
    mark = sha256(storage.read(CAMPAIGN) or b"").hexdigest()
    assert "no module no_such_one" in " ".join(problems(campaign.parameters, storage, mark, ("click", "no_such_one")))


@pytest.mark.parametrize("printed", [None, "0", "0m"])
def test_workers_without_a_limit_of_memory_are_taken(printed: str | None) -> None:
    _require_no_limit(with_memory(printed))


def test_workers_with_a_memory_limit_of_spark_are_refused() -> None:
    with pytest.raises(WorkersLack, match=r"spark\.executor\.pyspark\.memory is 600m, and limits codecs"):
        _require_no_limit(with_memory("600m"))


def with_memory(printed: str | None) -> Any:
    """Return a session of Spark with this setting of the memory of Python."""
    return SimpleNamespace(conf={} if printed is None else {PYTHON_MEMORY: printed})


def test_workers_need_the_requirements_of_the_package() -> None:
    """The modules of the core's requirements and of the extra `spark`, and of no other extra."""
    needed = set(needed_modules())
    assert {"click", "construct", "hypothesis", "msgspec", "pandas", "pyarrow", "xdist"} <= needed
    assert not {"kio", "dpkt"} & needed


def test_an_adapter_of_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command finds it, so it need not be installed."""
    (tmp_path / "own_adapter.py").write_text("from tests.fakes.faulty_codecs import Honest as adapter\n")
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as path:
        path.syspath_prepend(str(tmp_path))
        campaign = campaign_of("own_adapter")
    storage = Storage.named("out")
    assert run_all(campaign, storage.uri)["rows"] > 0
    assert list(problems(campaign.parameters, storage, sha256(storage.read(CAMPAIGN) or b"").hexdigest())) == []


def test_progress_counts_the_rows_in_the_folder(tmp_path: Path) -> None:
    campaign = campaign_of(HONEST, f"{LIARS}:RefusesUnknownTags", cases=60)
    watch = Watch(Storage(str(tmp_path)))
    assert (watch.finished(), str(watch)) == (0, ": 0 outcomes, 0 findings, 0 deaths")
    rows = run_all(campaign, tmp_path)["rows"]
    assert watch.finished() == watch.finished() == 2
    assert str(watch) == f": {rows:,} outcomes, 1 findings, 0 deaths"


def test_a_campaign_is_compared_with_the_reports_of_runs(tmp_path: Path) -> None:
    """The status tells whether the campaign lacks a rule."""
    campaign = campaign_of(f"{LIARS}:RefusesUnknownTags", cases=60)
    run_all(campaign, tmp_path / "campaign")
    distilled(campaign, tmp_path / "campaign")
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
