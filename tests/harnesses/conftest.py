from collections.abc import Iterator

import pytest

from conformance.harnesses.apache_kafka import ApacheKafka
from conformance.harnesses.kafka_generator import KafkaGenerator
from reference import newest_release
from tests.helpers import requirements


@pytest.fixture(scope="session")
def kafka() -> Iterator[ApacheKafka]:
    requirements.java_and_maven()
    with ApacheKafka(newest_release()) as kafka:
        yield kafka


@pytest.fixture(scope="session")
def generator() -> Iterator[KafkaGenerator]:
    requirements.java_and_maven()
    with KafkaGenerator() as generator:
        yield generator
