"""The rows of parts, made of blocks of a plan."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from conformance.campaign.folder import batches_of
from conformance.campaign.part_rows import LIMIT, example_text, tried
from conformance.campaign.pipeline.batches import OF_PART, PLAN
from conformance.campaign.pipeline.engines import PART, Row
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.preparation import Campaign
from conformance.campaign.rows import FINDING
from conformance.codec.bridge.opening import open_session
from conformance.judge.case import Violation
from conformance.judge.checks.check_list import run_message
from reference import load_release
from tests.campaign.conftest import HONEST, LIARS, RELEASE, campaign_of

WRONG = f"{LIARS}:WrongSize"


def plan_of(campaign: Campaign) -> list[Row]:
    """Return the blocks of a campaign, as a batch gives them."""
    parts = batches_of(Storage("/nowhere"), campaign, "run").parts
    return [{PART: number, PLAN: part.hash, **block} for number, part in enumerate(parts) for block in part.blocks]


def rows_of(campaign: Campaign) -> list[Row]:
    return list(tried(campaign.parameters, "run", plan_of(campaign)))


def of_kind(kind: str, rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["kind"] == kind]


def test_parts_alone_and_together_have_the_same_rows(small_parts: Callable[[int], None]) -> None:
    """Budgets are those of a part."""
    small_parts(300)
    campaign = campaign_of("tests.fakes.crashing_codecs:EndsWriting", fixed=True)
    plan = plan_of(campaign)
    alone = [
        row
        for number in range(len(campaign.parts))
        for row in tried(campaign.parameters, "run", [block for block in plan if block[PART] == number])
    ]
    timed = {"milliseconds": 0, "seconds": 0}
    assert [row | timed for row in rows_of(campaign)] == [row | timed for row in alone]
    assert any(row.get("deaths") for row in alone)


def test_texts_of_examples_are_in_the_order_of_their_weights() -> None:
    """Queries sort texts."""
    release = load_release(RELEASE)
    schemas = [release.schema("ApiVersionsRequest", 3), release.schema("HeartbeatResponse", 0)]
    with open_session(f"{LIARS}:ReadsZero", release) as session:
        events = [event for schema in schemas for event in run_message(session, schema)]
    found = [event for event in events if isinstance(event, Violation)]
    by_text, by_weight = (sorted(found, key=key) for key in (example_text, lambda each: each.weight))
    assert [each.weight[:6] for each in by_text] == [each.weight[:6] for each in by_weight] != []


def test_part_of_a_night_has_no_outcomes_but_their_sums() -> None:
    campaign = campaign_of(WRONG)
    night = campaign._replace(parameters=replace(campaign.parameters, keeps_rows=False))
    kept, rows = rows_of(campaign), rows_of(night)
    assert {row["kind"] for row in rows} == {FINDING, OF_PART}
    [one], [other] = (of_kind(OF_PART, each) for each in (kept, rows))
    assert (one["rows"], one["hash"]) == (other["rows"], other["hash"])


def test_implementation_without_a_process_is_a_problem_of_its_parts() -> None:
    campaign = campaign_of(HONEST, WRONG)
    one, other = campaign.parameters.subjects
    broken = replace(campaign.parameters, subjects=(replace(one, spec="no_such_module"), other))
    first, *others = of_kind(OF_PART, rows_of(campaign._replace(parameters=broken)))
    assert first["problem"].startswith(f"{HONEST}: ")
    assert "'no_such_module'" in first["problem"]
    assert [row.get("problem") for row in others] == [None]


def test_memory_limit_of_spark_workers_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would end implementations."""
    monkeypatch.setenv(LIMIT, "1024")
    [row] = rows_of(campaign_of(HONEST))
    assert "spark.executor.pyspark.memory" in row["problem"]


def test_mistakes_of_an_adapter_are_faults_and_no_findings() -> None:
    rows = rows_of(campaign_of(f"{LIARS}:ReturnsNone", cases=400))
    assert of_kind(FINDING, rows) == []
    [part] = of_kind(OF_PART, rows)
    assert re.search("error: decode .*NoneType", json.loads(part["faults"])[0])
