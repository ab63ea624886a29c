"""Kroxylicious, a proxy, before a server: the newest release of Apache Kafka unless another is named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conformance.harnesses.building import tool
from conformance.live.programs.asking import free_ports
from conformance.live.programs.products import java_product
from conformance.live.programs.servers.kafka import HOST, JVM, LOGGING, NODE, TETHER, kafka
from conformance.live.programs.servers.server import Launch, ServerProgram
from reference import newest_release

if TYPE_CHECKING:
    from pathlib import Path

    from conformance.live.programs.servers.server import Settings

VERSION = "0.12.0"
MAIN = "kafkawire.live.Proxy"


def kroxylicious() -> ServerProgram:
    """Return the proxy."""
    return ServerProgram(
        name="kroxylicious",
        version=VERSION,
        needs=("java", "mvn"),
        options=frozenset({"port", "upstream"}),
        prepare=build,
        launch=launch,
        upstream=kafka(newest_release()),
    )


def build() -> Path:
    """Return the folder of its jars, in `libs`."""
    return java_product("kroxylicious", "kroxylicious", kroxylicious=VERSION)


def launch(settings: Settings, folder: Path) -> Launch:
    """Return how to start it: one port for the bootstrap, one for the broker behind it."""
    bootstrap, node = free_ports(2)
    address = f"{HOST}:{settings.port or bootstrap}"
    configuration = folder / "proxy.yaml"
    # JSON is YAML
    configuration.write_text(json.dumps(_configuration(address, node, settings.upstream or "")), encoding="utf-8")
    command = (tool("java"), *JVM, *LOGGING, "-cp", f"{build()}/libs/*", TETHER, MAIN, str(configuration))
    return Launch(command, address)


def _configuration(address: str, node_port: int, upstream: str) -> dict[str, object]:
    ports = {
        "bootstrapAddress": address,
        "advertisedBrokerAddressPattern": HOST,
        "nodeStartPort": node_port,
        "nodeIdRanges": [{"name": "node", "start": NODE, "end": NODE}],
    }
    gateway = {"name": "default", "portIdentifiesNode": ports}
    cluster = {"name": "conformance", "targetCluster": {"bootstrapServers": upstream}, "gateways": [gateway]}
    return {"virtualClusters": [cluster]}
