"""The lists of servers and clients are complete, with pinned versions and known failures, without hosts."""

import re
from pathlib import Path

import pytest

import tests.programs
from conformance.judge.findings.known_failures import load_known_failures
from reference import releases
from tests.programs.clients import CLIENTS
from tests.programs.servers import SERVERS

PROGRAMS = Path(tests.programs.__file__).parent
OF_SERVERS, OF_CLIENTS = PROGRAMS / "servers/known_failures", PROGRAMS / "clients/known_failures"


def test_every_release_can_be_started_and_three_other_servers() -> None:
    kafka = {f"kafka-{release}" for release in releases()}
    assert set(SERVERS) == {*kafka, "kfake", "librdkafka-mock", "kroxylicious"}


PINS = {
    "kafka-python": ("clients/python/kafka-python.txt", "kafka-python=={}"),
    "aiokafka": ("clients/python/aiokafka.txt", "aiokafka=={}"),
    "confluent-kafka": ("clients/python/confluent-kafka.txt", "confluent-kafka=={}"),
    "franz-go": ("clients/go/go.mod", "github.com/twmb/franz-go {}"),
    "sarama": ("clients/go/go.mod", "github.com/IBM/sarama {}"),
    "kafka-go": ("clients/go/go.mod", "github.com/segmentio/kafka-go {}"),
    "kafkajs": ("clients/javascript/package.json", '"kafkajs": "{}"'),
    "platformatic": ("clients/javascript/package.json", '"@platformatic/kafka": "{}"'),
    "kfake": ("servers/go/go.mod", "require github.com/twmb/franz-go/pkg/kfake v0.0.0-{}"),
}
"""Where the version of a program is pinned, and how; of a commit, the time before it is left out."""


VERSIONS = {name: client.version for name, client in CLIENTS.items()}
VERSIONS |= {name: server.version for name, server in SERVERS.items()}


@pytest.mark.parametrize("name", PINS)
def test_a_program_has_the_pinned_version(name: str) -> None:
    file, pin = PINS[name]
    lines = re.sub(r"-\d{14}-", "-", (PROGRAMS / file).read_text(encoding="utf-8")).splitlines()
    assert pin.format(VERSIONS[name]) in {line.strip().rstrip(",") for line in lines}


def test_no_pin_names_a_host_or_a_range() -> None:
    for file in PROGRAMS.rglob("*.txt"):
        assert all(re.fullmatch(r"[\w-]+==[\w.]+", line) for line in file.read_text(encoding="utf-8").splitlines())


def test_no_jar_is_committed_and_no_lock_file_names_a_registry() -> None:
    assert not list(PROGRAMS.rglob("*.jar"))
    locks = list(PROGRAMS.rglob("*lock*"))
    assert {file.name for file in locks} == {"package-lock.json"}  # those of Rust have addresses
    assert [file for file in locks if '"resolved"' in file.read_text(encoding="utf-8")] == []


def file_of(server: str) -> Path:
    """Return the file of a server, one for all releases of Apache Kafka."""
    return OF_SERVERS / f"{'kafka' if server.startswith('kafka-') else server}.toml"


@pytest.mark.parametrize("server", SERVERS)
def test_known_failures_of_a_server_have_reasons(server: str) -> None:
    assert [str(entry) for entry in load_known_failures(file_of(server)) if not entry.is_explained] == []


@pytest.mark.parametrize("client", CLIENTS)
def test_known_failures_of_a_client_have_reasons(client: str) -> None:
    path = OF_CLIENTS / f"{client}.toml"
    assert [str(entry) for entry in load_known_failures(path) if not entry.is_explained] == []


def test_every_file_is_of_a_server_or_a_client() -> None:
    assert {file_of(server) for server in SERVERS} == set(OF_SERVERS.iterdir())
    assert {f"{client}.toml" for client in CLIENTS} == {path.name for path in OF_CLIENTS.iterdir()}
