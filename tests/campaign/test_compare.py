"""Behaviour of implementations on bytes left open by the protocol."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession
from syrupy.assertion import SnapshotAssertion

from conformance.campaign.compare import ANOTHER, ENDS, REJECTS, Open, answers_in, compared
from conformance.campaign.folder import MANIFEST, NotThisCampaign, outcomes_of
from conformance.campaign.kernel import AS_APACHE_KAFKA as SAME
from conformance.campaign.pipeline.engines import PART, Row, Work
from conformance.campaign.pipeline.spark import SparkEngine
from conformance.campaign.pipeline.storage import Storage
from conformance.targets.outcome import ABSENT
from tests.campaign.conftest import LIARS, campaign_of, rows_of, run_all
from tests.campaign.pipeline.conftest import has_spark, spark
from tests.helpers.engines import HERE

__all__ = ["has_spark", "spark"]

RULE = "varint.overlong"
OUTCOMES = {REJECTS: "rejected", ENDS: "crashed"}


def of(folder: Path, *answers: dict[str, str]) -> Open:
    """Return the behaviour of implementations, by bytes and implementation."""

    def kernel(_: object) -> Iterator[Row]:
        for number, each in enumerate(answers):
            for name, answer in each.items():
                outcome = OUTCOMES.get(answer, "value")
                reading = None if answer in OUTCOMES else answer
                row = {"implementation": name, "id": str(number), "direction": "decode", "outcome": outcome}
                yield {**row, "open": RULE, "reading": reading}

    outcomes = outcomes_of(Storage(str(folder)))
    HERE.write([{PART: 0}], Work(kernel, outcomes.columns, "answers"), outcomes)
    [found] = answers_in(HERE, outcomes)
    return found


@pytest.mark.parametrize(
    ("answers", "classes"),
    [
        ([dict.fromkeys("abc", REJECTS), {"a": SAME, "b": REJECTS, "c": SAME}], [["a", "c"], ["b"]]),
        ([{"a": "0123", "b": "4567", "c": "0123"}], [["a", "c"], ["b"]]),
        ([{"a": REJECTS}, {"b": REJECTS}], [["a"], ["b"]]),
        ([{"a": REJECTS, "b": REJECTS}, {"a": ENDS}, {"b": SAME}], [["a", "b"]]),
    ],
    ids=["another answer", "another misreading", "no common bytes", "other answers to bytes of one alone"],
)
def test_implementations_of_equal_behaviour_on_common_bytes_are_a_class(
    tmp_path: Path, answers: list[dict[str, str]], classes: list[list[str]]
) -> None:
    assert of(tmp_path, *answers).classes() == classes


def test_answers_of_an_implementation_are_counted(tmp_path: Path) -> None:
    found = of(tmp_path, {"a": REJECTS, "b": ENDS}, {"a": REJECTS, "b": "0123"}, {"a": "0123"}, {"a": "4567"})
    assert found.counts == {"a": {REJECTS: 2, ANOTHER: 2}, "b": {ENDS: 1, ANOTHER: 1}}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of three implementations with different behaviour on open bytes."""
    folder = tmp_path_factory.mktemp("campaign") / "it [1]"
    run_all(campaign_of(*(f"{LIARS}:{name}" for name in ("Honest", "Aborts", "ReadsAnything")), cases=400), folder)
    return folder


def test_every_answer_to_open_bytes_is_counted(campaign: Path) -> None:
    rows = [row for row in rows_of(campaign) if row["open"] and row["direction"] == "decode"]
    given = Counter((row["open"], row["implementation"]) for row in rows if row["outcome"] not in ABSENT)
    found = compared(HERE, Storage(str(campaign)))
    assert {(each.rule, name): each.counts[name].total() for each in found for name in each.implementations} == given
    assert given


@pytest.mark.parametrize("name", ["night [1]", "a*b?", "it's {here}"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    """Queries are over patterns of paths."""
    assert of(tmp_path / name, {"a": REJECTS}).counts == {"a": {REJECTS: 1}}


@pytest.mark.spark
def test_spark_and_processes_find_the_same(spark: SparkSession, campaign: Path) -> None:
    on_spark, here = (compared(engine, Storage(str(campaign))) for engine in (SparkEngine(spark), HERE))
    assert on_spark == here != []


def test_a_night_has_nothing_to_compare(campaign: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    manifest = json.loads((campaign / MANIFEST).read_text())
    manifest["parameters"]["keeps_rows"] = False
    (tmp_path / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(NotThisCampaign) as caught:
        compared(HERE, Storage(str(tmp_path)))
    assert str(caught.value).replace(str(tmp_path), "…") == snapshot
