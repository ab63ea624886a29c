"""One JVM for all tests that ask Apache Kafka; they are marked `java` and skipped where there is no Java or Maven."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from conformance.harnesses.apache_kafka import ApacheKafka

if TYPE_CHECKING:
    from collections.abc import Iterator


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker."""
    config.addinivalue_line("markers", "java: needs Java and Maven on the PATH; the first run downloads Apache Kafka")


@pytest.fixture(scope="session")
def kafka() -> Iterator[ApacheKafka]:
    """Apache Kafka's message classes, in the newest release."""
    missing = [tool for tool in ("java", "mvn") if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"not on the PATH: {', '.join(missing)}")
    with ApacheKafka() as kafka:
        yield kafka
