"""The proxy Kroxylicious before a server, by default the newest release of Apache Kafka."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from conformance.adapters.harnesses.toolchains import tool
from reference import newest_release
from tests.programs import java_program
from tests.programs.servers import kafka
from tests.programs.servers.kafka import HOST, JVM, LOGGING, NODE, TETHER
from tests.programs.servers.server import Launch, ServerProgram, free_ports

if TYPE_CHECKING:
    from pathlib import Path

    from tests.programs.servers.server import Settings

VERSION = "0.12.0"
MAIN = "kafkawire.live.kroxylicious.Proxy"


def server_program() -> ServerProgram:
    """Return the proxy."""
    return ServerProgram(
        name="kroxylicious",
        version=VERSION,
        needs=("java", "mvn"),
        options=frozenset({"port", "upstream"}),
        prepare=build,
        launch=launch,
        upstream=kafka.server_program(newest_release()),
    )


def build() -> Path:
    """Return the folder of its jars, in `libs`."""
    return java_program("kroxylicious", "kroxylicious", kroxylicious=VERSION)


def launch(settings: Settings, folder: Path) -> Launch:
    """Return its command, with one port for the bootstrap and one for the broker."""
    bootstrap, node = free_ports(2)
    address = f"{HOST}:{settings.port or bootstrap}"
    configuration = folder / "proxy.yaml"
    # JSON is YAML
    configuration.write_text(json.dumps(_configuration(address, node, settings.upstream or "")), encoding="utf-8")
    command = (tool("java"), *JVM, *LOGGING, "-cp", f"{build()}/libs/*", TETHER, MAIN, str(configuration))
    return Launch(command, address)


def _configuration(address: str, node_port: int, upstream: str) -> dict[str, object]:
    """Return the proxy's configuration in an older form, so that `Proxy.java` can print its address."""
    ports = {
        "bootstrapAddress": address,
        "brokerAddressPattern": HOST,
        "brokerStartPort": node_port,
        "lowestTargetBrokerId": NODE,
        "numberOfBrokerPorts": 1,
    }
    provider = {"type": "PortPerBrokerClusterNetworkAddressConfigProvider", "config": ports}
    target = {"bootstrapServers": upstream}
    cluster = {"name": "conformance", "targetCluster": target, "clusterNetworkAddressConfigProvider": provider}
    return {"virtualClusters": [cluster]}
