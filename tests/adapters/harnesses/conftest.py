from collections.abc import Iterator

import pytest

from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
from conformance.adapters.harnesses.kafka_generator import KafkaGenerator
from tests.helpers import requirements


@pytest.fixture(scope="session")
def kafka() -> Iterator[ApacheKafkaJvm]:
    """Apache Kafka 4.3.0, the release of these tests, except for tests with a release in their name."""
    requirements.java_and_maven()
    with ApacheKafkaJvm("4.3.0") as kafka:
        yield kafka


@pytest.fixture(scope="session")
def generator() -> Iterator[KafkaGenerator]:
    requirements.java_and_maven()
    with KafkaGenerator() as generator:
        yield generator
