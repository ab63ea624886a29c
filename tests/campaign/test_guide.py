"""Campaigns whose generated cases are those of a guided search."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from conformance.campaign.guide import BATCH, Guide
from conformance.campaign.recording import Call
from conformance.implementation.outcome import Kind, Outcome
from reference import load_release
from tests.campaign.conftest import HONEST, LIARS, RELEASE, campaign_of, rows_of, run_all

REFUSES = f"{LIARS}:RefusesUnknownTags"


def guide() -> Guide:
    return Guide(load_release(RELEASE).schema("ApiVersionsRequest", 3), "1/0", "guided-0")


def test_the_same_campaign_gives_the_same_rows_whatever_runs_beside_it(
    tmp_path: Path, small_parts: Callable[[int], None]
) -> None:
    """One part at a time, or four: each search has a seed of its own, and sees its own answers only."""
    small_parts(300)
    campaign = campaign_of(HONEST, REFUSES, f"{LIARS}:Aborts", cases=120, guided=True)
    assert len(campaign.parts) > 4
    hashes = {run_all(campaign, tmp_path / str(workers), workers)["sha256"] for workers in (1, 4)}
    assert len(hashes) == 1


def test_another_seed_gives_other_cases(tmp_path: Path) -> None:
    rows = []
    for seed in ("1", "2"):
        run_all(campaign_of(HONEST, cases=60, seed=seed, guided=True), tmp_path / seed)
        rows.append({row["id"] for row in rows_of(tmp_path / seed)})
    assert rows[0] != rows[1]


def test_a_search_finds_what_a_liar_lies_about(tmp_path: Path) -> None:
    run_all(campaign_of(HONEST, REFUSES, cases=120, guided=True), tmp_path)
    broken = {(row["implementation"], row["rule"]) for row in rows_of(tmp_path) if row["rule"]}
    assert {rule for _, rule in broken} == {"tag.unknown-accepted"}
    assert len(broken) == 1


def test_no_case_is_tried_twice(tmp_path: Path) -> None:
    """A row is one by its implementation, id, direction, rule and place."""
    run_all(campaign_of(HONEST, REFUSES, cases=200, guided=True), tmp_path)
    names = ("implementation", "id", "direction", "rule", "place")
    rows = Counter(tuple(row[name] for name in names) for row in rows_of(tmp_path))
    assert [row for row, count in rows.items() if count > 1] == []


@pytest.mark.parametrize("kind", [Kind.TIMED_OUT, Kind.NOT_RUN])
def test_what_depends_on_time_teaches_nothing(kind: Kind) -> None:
    """A busy machine would have another search."""
    search = guide()
    [first, *_] = search.cases(BATCH)
    assert not search.learn(first, [Call("decode", Outcome(kind), 1.0)])
    assert search.learn(first, [Call("decode", Outcome(Kind.VALUE, value={}), 1.0)])


def test_values_in_what_is_said_are_not_new() -> None:
    """Two refusals that differ in a number are of one class."""
    search = guide()
    [first, *_] = search.cases(BATCH)
    told = [Outcome(Kind.REJECTED, text=f"ValueError: {number} is too much") for number in (1, 2)]
    assert search.learn(first, [Call("decode", told[0], 1.0)])
    assert not search.learn(first, [Call("decode", told[1], 1.0)])


def test_a_line_that_no_input_has_reached_is_new() -> None:
    search = guide()
    [first, *_] = search.cases(BATCH)
    assert search.learn(first, [Call("decode", Outcome(Kind.VALUE, value={}, lines=frozenset({1})), 1.0)])
    assert search.learn(first, [Call("decode", Outcome(Kind.VALUE, value={}, lines=frozenset({1, 2})), 1.0)])
    assert not search.learn(first, [Call("decode", Outcome(Kind.VALUE, value={}, lines=frozenset({2})), 1.0)])
