"""The findings of a campaign, one smallest case for each, in files that the suite tries again."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conformance.campaign.distil import FOUND, finding_rows, findings_of
from conformance.campaign.folder import FINDINGS, NotThisCampaign, batches_of, prepare
from conformance.campaign.part_rows import example_text
from conformance.campaign.pipeline.batches import Batches
from conformance.campaign.pipeline.engines import Engine, Row
from conformance.campaign.pipeline.spark import SparkEngine
from conformance.campaign.pipeline.storage import Storage
from conformance.codec.bridge.opening import open_session
from conformance.judge.case import Violation
from conformance.judge.clusters import MAXIMUM_CLUSTERS
from conformance.judge.findings.finding import Finding, ordered
from conformance.report.files.found_cases import check_found, load_found_cases, read_found_case
from reference import load_release
from tests.campaign.conftest import LIARS, RELEASE, campaign_of, rows_of, run_all
from tests.campaign.pipeline.conftest import has_spark, spark
from tests.fakes.lies import lie
from tests.helpers.engines import HERE

__all__ = ["has_spark", "spark"]

WORDS = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"),
    *("lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon"),
)


def _refuse(_schema: object, data: bytes) -> Any:
    place = sum(data) % len(WORDS)
    raise (LookupError, ValueError)[place % 2](f"{WORDS[place]} {'is' if len(data) % 2 else 'was'} no value")


RefusesInManyWords = lie(decode=_refuse)
"""Has a cluster for each of many texts."""


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Batches, list[Row]]:
    """Return two batches of a campaign with more clusters than a report shows, and their sums."""
    folder = Storage(str(tmp_path_factory.mktemp("campaign")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("conformance.campaign.plan.PART_COST", 300)
        patch.setattr("conformance.campaign.pipeline.batches.MOST", 3)
        campaign = campaign_of(f"{__name__}:RefusesInManyWords", f"{LIARS}:WrongSize", cases=300)
        assert len(campaign.parts) == 4
        prepare(folder, campaign.parameters)
        found = batches_of(folder, campaign, "run")
        return found, found.write_missing(HERE, lambda _: None).sums


def facts_of(findings: Iterable[tuple[str, Finding]]) -> dict[tuple[str, ...], tuple[Any, ...]]:
    return {
        (label, *finding.key): (finding.count, dict(finding.fields), example_text(finding.example))
        for label, finding in findings
    }


def reduced(rows: Iterable[Row]) -> Iterator[tuple[str, Finding]]:
    """Yield the findings of raw rows, merged as a report does."""
    by_label: dict[str, list[Finding]] = {}
    for label, finding in findings_of(rows, load_release(RELEASE)):
        by_label.setdefault(label, []).append(finding)
    for label, findings in by_label.items():
        yield from ((label, finding) for finding in ordered(findings))


@pytest.mark.parametrize("few", [0, 10_000], ids=["many", "few"])
@pytest.mark.parametrize("name", ["processes", pytest.param("Spark", marks=pytest.mark.spark)])
def test_findings_of_batches_are_those_of_a_report(
    name: str, few: int, written: tuple[Batches, list[Row]], request: pytest.FixtureRequest
) -> None:
    """Queries reduce many rows, and merge rare clusters by their exceptions."""
    engine: Engine = HERE if name == "processes" else SparkEngine(request.getfixturevalue("spark"))
    batches, sums = written
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("conformance.campaign.distil.FEW", few)
        found = facts_of(findings_of(finding_rows(engine, batches.dataset, sums), load_release(RELEASE)))
    raw = HERE.query("select * from {batches} where kind = 'finding'", batches=batches.dataset)
    assert found == facts_of(reduced(raw))
    broken = HERE.query("select 1 from {batches} where kind = 'outcome' and rule is not null", batches=batches.dataset)
    assert sum(count for count, *_ in found.values()) == len(broken)
    assert len({row["error"] for row in raw}) > 2 * MAXIMUM_CLUSTERS
    merged = {key[-1] for key in found if key[1:3] == ("message.accepted", "rejected-unclassified")}
    assert len(merged) == MAXIMUM_CLUSTERS + 1
    assert {"LookupError: *", "ValueError: *"} < merged


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (None, "missing"),
        ("", "missing"),
        ("no tab", "damaged"),
        ("smallest\t{}", "damaged"),
        ("smallest\t[" + "[" * 9999, "damaged"),
    ],
)
def test_damaged_example_is_reported(written: tuple[Batches, list[Row]], damage: str | None, problem: str) -> None:
    rows = finding_rows(HERE, written[0].dataset, written[1])
    with pytest.raises(NotThisCampaign, match=rf"is {problem}: .*\. Delete its batch"):
        list(findings_of([{**row, "example": damage} for row in rows], load_release(RELEASE)))


def test_each_finding_has_one_small_failing_case(tmp_path: Path) -> None:
    """The bytes belong to a few fields, and break the same rule when tried alone."""
    liars = [f"{LIARS}:{name}" for name in ("RefusesUnknownTags", "ReadsZero")]
    run_all(campaign_of(*liars, cases=60), tmp_path)
    document = json.loads((tmp_path / FINDINGS).read_text())
    found = {(row["implementation"], row["rule"], row["outcome"]) for row in rows_of(tmp_path) if row["rule"]}
    assert {(each["implementation"], each["rule"], each["outcome"]) for each in document} == found
    assert list(dict.fromkeys(each["implementation"] for each in document)) == liars
    release, tried = load_release(RELEASE), 0
    for case in load_found_cases(tmp_path / FOUND, release):
        entry = json.loads(case.file.read_text())
        with open_session(entry["run"]["impl"], release) as session:
            found_again = [event for event in check_found(session, case) if isinstance(event, Violation)]
        assert (entry["rule"], entry["outcome"]) in {(each.rule, each.outcome) for each in found_again}
        assert len(entry["wire"]) < 80
        tried += 1
    assert tried == len(document)


def test_writer_ending_its_process_does_not_end_this_one(tmp_path: Path) -> None:
    """Its finding has a small case, too."""
    impl, release = "tests.fakes.crashing_codecs:EndsWriting", load_release(RELEASE)
    run_all(campaign_of(impl, cases=12), tmp_path)
    [entry] = json.loads((tmp_path / FINDINGS).read_text())
    assert (entry["rule"], entry["outcome"]) == ("value.writable", "crashed")
    [file] = (tmp_path / FOUND).iterdir()
    with open_session(impl, release, isolate_all=True) as session:
        events = check_found(session, read_found_case(file, release))
        assert [each.outcome for each in events if isinstance(each, Violation)] == ["crashed"]
