"""Mock clusters of one broker, namely franz-go's kfake, and librdkafka's, out of its Python package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.adapters.harnesses.toolchains import go_product, python_environment
from tests.programs import SOURCES
from tests.programs.servers.server import ADDRESS_FILE, PASSWORD, USER, Launch, ServerProgram

if TYPE_CHECKING:
    from pathlib import Path

    from tests.programs.servers.server import Settings

KFAKE = "01f206a7e32c"
"""The commit of the pseudo-version that `go/go.mod` pins: it has no versions."""

ENVIRONMENT = "confluent-kafka"
"""The environment of the client of that name, which has librdkafka's mock cluster as well."""

PROGRAM = "mock_cluster.py"


def kfake() -> ServerProgram:
    """Return kfake."""
    options = frozenset({"port", "advertise", "sasl"})
    return ServerProgram("kfake", KFAKE, ("go",), options, prepare=_build_kfake, launch=_launch_kfake)


def librdkafka() -> ServerProgram:
    """Return librdkafka's mock cluster."""
    return ServerProgram(
        "librdkafka-mock", "2.16.0", (), frozenset(), prepare=_build_librdkafka, launch=_launch_librdkafka
    )


def _build_kfake() -> Path:
    return go_product("kfake", SOURCES / "servers" / "go") / "kfake"


def _launch_kfake(settings: Settings, _folder: Path) -> Launch:
    command = [str(_build_kfake()), "-port", str(settings.port)]
    if settings.advertise:
        command += ["-advertise", settings.advertise]
    if settings.sasl:
        command += ["-user", USER, "-password", PASSWORD]
    return Launch(tuple(command))


def _build_librdkafka() -> Path:
    return python_environment(ENVIRONMENT, SOURCES / "clients" / "python")


def _launch_librdkafka(_settings: Settings, folder: Path) -> Launch:
    """The system chooses its port."""
    (folder / PROGRAM).write_bytes((SOURCES / "servers" / "python" / PROGRAM).read_bytes())
    return Launch((str(_build_librdkafka()), str(folder / PROGRAM), ADDRESS_FILE))
