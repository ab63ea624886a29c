"""librdkafka's mock cluster, of one broker, out of the Python package that has it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.live.programs.products import python_environment, sources_in
from conformance.live.programs.servers.server import ADDRESS_FILE, Launch, ServerProgram

if TYPE_CHECKING:
    from pathlib import Path

    from conformance.live.programs.servers.server import Settings

ENVIRONMENT = "confluent-kafka"
"""The environment of the client of that name, which has the mock cluster as well."""

PROGRAM = "mock_cluster.py"


def server_program() -> ServerProgram:
    """Return the mock cluster."""
    return ServerProgram("librdkafka-mock", "2.16.0", (), frozenset(), prepare=build, launch=launch)


def build() -> Path:
    """Return the interpreter of its environment."""
    return python_environment(ENVIRONMENT, "clients/python")


def launch(_settings: Settings, folder: Path) -> Launch:
    """Return how to start it; the system chooses its port."""
    with sources_in("servers/python") as sources:
        (folder / PROGRAM).write_bytes((sources / PROGRAM).read_bytes())
    return Launch((str(build()), str(folder / PROGRAM), ADDRESS_FILE))
