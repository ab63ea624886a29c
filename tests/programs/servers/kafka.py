"""Apache Kafka with broker and controller in one JVM, from the jars of a release.

Two steps of the build save seconds at each start: its data are formatted, for copying, and the JVM writes an archive of
its classes, which halves the time of a start.
"""

from __future__ import annotations

import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from conformance.adapters.harnesses.java_programs import class_archive
from conformance.adapters.harnesses.toolchains import run_tool, tool
from conformance.system.terminal import echo
from tests.programs import java_program
from tests.programs.servers.server import PASSWORD, USER, Launch, Server, ServerProgram, free_ports

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.programs.servers.server import Settings

JVM = ("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
LOGGING = ("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn", "-Dorg.slf4j.simpleLogger.showDateTime=true")
TETHER = "kafkawire.live.Tethered"
CLUSTER = "conformanceconformance"
"""The id of the cluster: 22 characters of base64."""

NODE = 1
MECHANISMS = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
SCRAM = tuple(f"{mechanism}=[name={USER},password={PASSWORD}]" for mechanism in MECHANISMS[1:])
HOST = "127.0.0.1"
ARCHIVE = "classes.jsa"
SECONDS_TO_END = 60.0

COMMON = {
    "process.roles": "broker,controller",
    "node.id": str(NODE),
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "CLIENTS:PLAINTEXT,BROKERS:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "inter.broker.listener.name": "BROKERS",
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "share.coordinator.state.topic.num.partitions": "1",
    "group.initial.rebalance.delay.ms": "0",
    "num.network.threads": "1",
    "log.cleaner.enable": "false",
}


def server_program(release: str, profile: str = "kafka") -> ServerProgram:
    """Return Apache Kafka of a release, with the jars of a profile of the project in `java/`."""
    options = frozenset({"port", "advertise", "sasl", "properties"})
    return ServerProgram(
        name=f"kafka-{release}",
        version=release,
        needs=("java", "mvn"),
        options=options,
        prepare=lambda: build(release, profile),
        launch=lambda settings, folder: launch(release, settings, folder, profile),
    )


def build(release: str, profile: str = "kafka") -> Path:
    """Return the folder of a release, with jars in `libs`, formatted data in `data`, and an archive of its classes."""
    product = _jars_and_data(release, profile)
    _archive_option(release, product)
    return product


def _jars_and_data(release: str, profile: str) -> Path:

    def format_data(product: Path) -> None:
        configuration = product.parent / "server.properties"
        _write(configuration, COMMON | _listeners([1, 2, 3]) | {"log.dirs": str(product / "data")})
        command = [tool("java"), *JVM, "-cp", f"{product}/libs/*", "kafka.tools.StorageTool", "format"]
        scram = [word for credential in SCRAM for word in ("--add-scram", credential)]
        command += ["-t", CLUSTER, "-c", str(configuration), *scram]
        run_tool(command, product, f"Apache Kafka {release} could not format its storage")

    words = [f"{key}={value}" for key, value in COMMON.items()]
    return java_program(f"{profile}-{release}", profile, CLUSTER, *SCRAM, *words, finish=format_data, kafka=release)


def _archive_option(release: str, product: Path) -> tuple[str, ...]:
    """Return the option for an archive of the classes, made by one run of the server."""

    def make(archive: Path) -> None:
        echo(f"starting kafka-{release} once, for an archive of its classes", err=True)

        def launch_to_archive(settings: Settings, folder: Path) -> Launch:
            return _launch(product, settings, folder, f"-XX:ArchiveClassesAtExit={archive}")

        with Server(replace(server_program(release), prepare=lambda: None, launch=launch_to_archive)) as server:
            server.end_orderly(SECONDS_TO_END)

    return class_archive(product / ARCHIVE, make)


def launch(release: str, settings: Settings, folder: Path, profile: str = "kafka") -> Launch:
    """Return how to start a release."""
    product = _jars_and_data(release, profile)
    return _launch(product, settings, folder, *_archive_option(release, product))


def _launch(product: Path, settings: Settings, folder: Path, *options: str) -> Launch:
    shutil.copytree(product / "data", folder / "data")
    ports = free_ports(3)
    if settings.port:
        ports[0] = settings.port
    configuration = COMMON | _listeners(ports, settings.advertise) | {"log.dirs": str(folder / "data")}
    if settings.sasl:
        configuration |= _sasl()
    _write(folder / "server.properties", configuration | dict(settings.properties))
    jvm = (tool("java"), *JVM, *options, *LOGGING, "-cp", f"{product}/libs/*", TETHER)
    return Launch((*jvm, "kafka.Kafka", str(folder / "server.properties")), f"{HOST}:{ports[0]}")


def _listeners(ports: list[int], advertise: str | None = None) -> dict[str, str]:
    clients, brokers, controller = (f"{HOST}:{port}" for port in ports)
    return {
        "listeners": f"CLIENTS://{clients},BROKERS://{brokers},CONTROLLER://{controller}",
        "advertised.listeners": f"CLIENTS://{advertise or clients},BROKERS://{brokers}",
        "controller.quorum.voters": f"{NODE}@{controller}",
    }


def _sasl() -> dict[str, str]:
    login = "org.apache.kafka.common.security"
    return {
        "listener.security.protocol.map": "CLIENTS:SASL_PLAINTEXT,BROKERS:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "listener.name.clients.sasl.enabled.mechanisms": ",".join(MECHANISMS),
        "listener.name.clients.plain.sasl.jaas.config": (
            f'{login}.plain.PlainLoginModule required user_{USER}="{PASSWORD}";'
        ),
        **{
            f"listener.name.clients.{mechanism.lower()}.sasl.jaas.config": f"{login}.scram.ScramLoginModule required;"
            for mechanism in MECHANISMS[1:]
        },
    }


def _write(path: Path, configuration: Mapping[str, str]) -> None:
    path.write_text("".join(f"{key}={value}\n" for key, value in configuration.items()), encoding="utf-8")
