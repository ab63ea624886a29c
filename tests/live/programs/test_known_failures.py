"""Each server and each client has known failures that can be read, and each of them a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

import conformance.live.programs
from conformance.findings.known_failures import load_known_failures
from conformance.live.programs.clients import CLIENTS
from conformance.live.programs.servers import SERVERS

PROGRAMS = Path(conformance.live.programs.__file__).parent
OF_SERVERS, OF_CLIENTS = PROGRAMS / "servers/known_failures", PROGRAMS / "clients/known_failures"


def file_of(server: str) -> Path:
    """Return the file of a server; the releases of Apache Kafka share one."""
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
