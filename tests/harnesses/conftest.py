"""One JVM for all tests that ask Apache Kafka; they are marked `java` and skipped where there is no Java or Maven."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

from conformance.harnesses.apache_kafka import ApacheKafka

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="session")
def kafka() -> Iterator[ApacheKafka]:
    """Apache Kafka's message classes, in the newest release."""
    missing = [tool for tool in ("java", "mvn") if shutil.which(tool) is None]
    if missing and os.environ.get("CI"):
        pytest.fail(f"CI needs {' and '.join(missing)} on the PATH")
    if missing:
        pytest.skip(f"not on the PATH: {', '.join(missing)}")
    with ApacheKafka() as kafka:
        yield kafka
