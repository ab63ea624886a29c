"""Conduct of implementations on bytes left open by the protocol, side by side."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conformance.campaign.attempts import NotThisCampaign
from conformance.campaign.kernel import AS_APACHE_KAFKA
from conformance.campaign.side_by_side import (
    ANOTHER,
    ENDS,
    REJECTS,
    Open,
    compared,
    files_of,
    pattern_of,
    patterns_on_spark,
)
from conformance.campaign.spark.spark_errors import JobFailed
from conformance.campaign.spark.storage import Storage
from conformance.codec.outcome import ABSENT
from tests.campaign.conftest import LIARS, campaign_of, rows_of, run_all
from tests.campaign.spark.conftest import has_spark, spark
from tests.helpers.runs import invoke

__all__ = ["has_spark", "spark"]

RULE = "varint.overlong"


def of(*answers: dict[str, str]) -> Open:
    """Return the conduct of implementations, by bytes and implementation."""
    return Open(RULE, Counter(pattern_of(each.items()) for each in answers))


def test_implementations_of_equal_conduct_are_a_class() -> None:
    found = of({"a": REJECTS, "b": REJECTS, "c": REJECTS}, {"a": AS_APACHE_KAFKA, "b": REJECTS, "c": AS_APACHE_KAFKA})
    assert found.classes() == [["a", "c"], ["b"]]


def test_other_values_are_distinguished_by_content() -> None:
    """Two implementations with different misreadings are no class."""
    found = of({"a": "0123", "b": "4567", "c": "0123"})
    assert found.classes() == [["a", "c"], ["b"]]
    assert found.counts("a") == {ANOTHER: 1}


def test_implementations_without_common_bytes_are_no_class() -> None:
    assert of({"a": REJECTS}, {"b": REJECTS}).classes() == [["a"], ["b"]]


def test_implementations_are_compared_by_their_common_bytes() -> None:
    found = of({"a": REJECTS, "b": REJECTS}, {"a": ENDS}, {"b": AS_APACHE_KAFKA})
    assert found.classes() == [["a", "b"]]


def test_an_implementation_is_counted_in_all_patterns() -> None:
    found = of({"a": REJECTS, "b": REJECTS}, {"a": REJECTS, "b": "0123"}, {"a": "0123"}, {"a": "4567"})
    assert found.counts("a") == {REJECTS: 2, ANOTHER: 2}
    assert found.counts("b") == {REJECTS: 1, ANOTHER: 1}


def test_patterns_do_not_depend_on_the_read_values() -> None:
    """This keeps them few."""
    first, second = {"a": "0123", "b": "4567", "c": "0123"}, {"a": "89ab", "b": "cdef", "c": "89ab"}
    assert pattern_of(first.items()) == pattern_of(second.items())
    assert pattern_of(first.items()) != pattern_of({**first, "c": "4567"}.items())


def test_patterns_do_not_depend_on_the_order_of_the_answers() -> None:
    answers = [("a", "0123"), ("b", "4567"), ("c", REJECTS)]
    assert pattern_of(reversed(answers)) == pattern_of(answers)


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign of three implementations with different conduct on open bytes."""
    folder = tmp_path_factory.mktemp("campaign")
    run_all(campaign_of(*(f"{LIARS}:{name}" for name in ("Honest", "Aborts", "ReadsAnything")), cases=400), folder)
    return folder


def test_every_answer_to_open_bytes_is_counted(campaign: Path) -> None:
    rows = [row for row in rows_of(campaign) if row["open"] and row["direction"] == "decode"]
    given = Counter((row["open"], row["implementation"]) for row in rows if row["outcome"] not in ABSENT)
    found = compared(Storage(str(campaign)))
    assert {(each.rule, name): each.counts(name).total() for each in found for name in each.implementations} == given
    assert given


@pytest.mark.spark
@pytest.mark.usefixtures("spark")
def test_spark_and_one_process_print_the_same_comparison(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    words = ("campaign", "compare", str(campaign))
    with monkeypatch.context() as patch:
        patch.setattr("conformance.campaign.side_by_side.patterns_here", None)
        on_spark = invoke(*words).output
    monkeypatch.setattr("conformance.commands.campaign.wants_spark", lambda *_: False)
    assert on_spark == invoke(*words).output
    assert "classes: " in on_spark


@pytest.mark.spark
def test_changed_file_is_reported_on_spark(spark: SparkSession, campaign: Path) -> None:
    folder = Storage(str(campaign))
    changed = [file._replace(sha256="0" * 64) for file in files_of(folder)]
    with pytest.raises(JobFailed, match=r"NotThisCampaign: .* is missing, or not as"):
        patterns_on_spark(spark, folder, changed)


def test_a_night_has_nothing_to_compare(tmp_path: Path) -> None:
    campaign = campaign_of(f"{LIARS}:Honest")
    run_all(campaign._replace(parameters=replace(campaign.parameters, keeps_rows=False)), tmp_path)
    with pytest.raises(NotThisCampaign, match="is a night: it keeps findings"):
        compared(Storage(str(tmp_path)))
