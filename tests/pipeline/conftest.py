import os
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from conformance.pipeline.session import SparkUnavailable, require_spark, spark_session


@pytest.fixture(scope="session")
def has_spark() -> None:
    """Skips where Spark cannot run; in CI it must."""
    try:
        require_spark()
    except SparkUnavailable as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI needs Spark: {error}")
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def spark(has_spark: None) -> Iterator[SparkSession]:  # noqa: ARG001  # asked for its skip
    with spark_session("local[2]") as session:
        yield session
