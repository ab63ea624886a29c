from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from conformance.campaign.pipeline import corpus_plan
from conformance.campaign.pipeline.corpus import corpus_facts
from conformance.campaign.pipeline.spark_session import spark_session
from conformance.campaign.pipeline.storage import Storage
from conformance.campaign.preparation import Campaign, CampaignRequest, prepared
from conformance.codec.bridge.isolation import DecodeLimits
from reference import load_release
from tests.campaign.conftest import HONEST
from tests.helpers import requirements

BEFORE = Path(__file__).with_name("before")
"""A corpus of the first format: two parts, each with two blocks of a message version."""


def campaign_of_before() -> Campaign:
    """Return a campaign of its rows."""
    release, place = load_release(corpus_facts(Storage(str(BEFORE))).release or ""), Storage(str(BEFORE))
    return prepared(CampaignRequest([HONEST], release, 0, "1", place, fixed=False, messages=(), limits=DecodeLimits()))


@pytest.fixture(scope="session")
def has_spark() -> None:
    """Skip where Spark cannot run, except in CI."""
    requirements.spark()


@pytest.fixture(scope="session")
def spark(has_spark: None) -> Iterator[SparkSession]:  # noqa: ARG001  # asked for its skip
    with spark_session("local[2]") as session:
        yield session


@pytest.fixture
def _seven_parts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the tiny corpus have seven parts."""
    monkeypatch.setattr(corpus_plan, "PART_COST", 1_000)
    corpus_plan.parts.cache_clear()
    yield
    corpus_plan.parts.cache_clear()
