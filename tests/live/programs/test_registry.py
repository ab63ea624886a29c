"""The lists of servers and clients: complete, with the versions that their builds pin, and without any host."""

import json
import re
from pathlib import Path

import pytest

import conformance.live.programs
from conformance.live.programs.clients import CLIENTS
from conformance.live.programs.servers import SERVERS
from reference import releases

PROGRAMS = Path(conformance.live.programs.__file__).parent


def test_every_release_can_be_started_and_three_other_servers() -> None:
    kafka = {f"kafka-{release}" for release in releases()}
    assert set(SERVERS) == {*kafka, "kfake", "librdkafka-mock", "kroxylicious"}


def test_nine_clients_can_be_run() -> None:
    assert len(CLIENTS) == 9


@pytest.mark.parametrize("name", ["kafka-python", "aiokafka", "confluent-kafka"])
def test_a_client_in_python_has_the_pinned_version(name: str) -> None:
    pins = (PROGRAMS / f"clients/python/{name}.txt").read_text(encoding="utf-8").split()
    assert f"{name}=={CLIENTS[name].version}" in pins


@pytest.mark.parametrize(
    ("name", "module"),
    [("franz-go", "twmb/franz-go"), ("sarama", "IBM/sarama"), ("kafka-go", "segmentio/kafka-go")],
)
def test_a_client_in_go_has_the_pinned_version(name: str, module: str) -> None:
    pins = (PROGRAMS / "clients/go/go.mod").read_text(encoding="utf-8")
    assert f"\tgithub.com/{module} {CLIENTS[name].version}\n" in pins


@pytest.mark.parametrize(("name", "package"), [("kafkajs", "kafkajs"), ("platformatic", "@platformatic/kafka")])
def test_a_client_in_javascript_has_the_pinned_version(name: str, package: str) -> None:
    pins = json.loads((PROGRAMS / "clients/javascript/package.json").read_text(encoding="utf-8"))
    assert pins["dependencies"][package] == CLIENTS[name].version


def test_kfake_has_the_pinned_commit() -> None:
    pins = (PROGRAMS / "servers/go/go.mod").read_text(encoding="utf-8")
    assert re.search(rf"/kfake v0\.0\.0-\d+-{SERVERS['kfake'].version}\n", pins)


def test_no_pin_names_a_host_or_a_range() -> None:
    for file in PROGRAMS.rglob("*.txt"):
        assert all(re.fullmatch(r"[\w-]+==[\w.]+", line) for line in file.read_text(encoding="utf-8").splitlines())


def test_there_are_no_lock_files_and_no_jars() -> None:
    assert not [file for kind in ("*.jar", "*lock*") for file in PROGRAMS.rglob(kind)]
