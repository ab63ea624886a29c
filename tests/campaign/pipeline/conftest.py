from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from conformance.campaign.pipeline import corpus_plan
from conformance.campaign.pipeline.session import spark_session
from tests.helpers import requirements


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
