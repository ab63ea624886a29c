"""Each server has known failures that can be read, and each of them a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

import conformance.live.programs.servers
from conformance.findings.known_failures import load_known_failures
from conformance.live.programs.servers import SERVERS

FOLDER = Path(conformance.live.programs.servers.__file__).parent / "known_failures"


def file_of(server: str) -> Path:
    """Return the file of a server; the releases of Apache Kafka share one."""
    return FOLDER / f"{'kafka' if server.startswith('kafka-') else server}.toml"


@pytest.mark.parametrize("server", SERVERS)
def test_known_failures_of_a_server_have_reasons(server: str) -> None:
    assert [str(entry) for entry in load_known_failures(file_of(server)) if not entry.is_explained] == []


def test_every_file_is_of_a_server() -> None:
    assert {file_of(server) for server in SERVERS} == set(FOLDER.iterdir())
