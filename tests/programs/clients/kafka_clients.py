"""Apache Kafka's own clients, in a JVM with an archive of its classes, which saves seconds at each start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.adapters.harnesses.java_programs import class_archive
from conformance.adapters.harnesses.toolchains import run_tool, tool
from conformance.definitions.defining_releases import Definitions
from conformance.live.scripted.scripted_broker import ScriptedBroker
from conformance.live.scripted.sockets import ScriptedServer
from conformance.system.terminal import echo
from reference import load_release, newest_release
from tests.programs import java_program
from tests.programs.clients.client import BOOTSTRAP

if TYPE_CHECKING:
    from pathlib import Path

VERSION = newest_release()
MAIN = "kafkawire.live.client.Client"
LOGGING = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"
JVM = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", LOGGING)
ARCHIVE = "classes.jsa"


def command() -> tuple[str, ...]:
    """Fetch and build the client if need be, and return the words of its command.

    Raises:
        HarnessStartError: java or mvn is missing, or the build failed.
    """
    product = java_program("kafka-clients", "client", kafka=VERSION)
    return _java(product, *class_archive(product / ARCHIVE, lambda archive: _run_once(product, archive)))


def _java(product: Path, *options: str) -> tuple[str, ...]:
    return (tool("java"), *JVM, *options, "-cp", f"{product}/libs/*", MAIN)


def _run_once(product: Path, archive: Path) -> None:
    """Run the client once, with the option for writing an archive."""
    echo("running kafka-clients once, for an archive of its classes", err=True)
    server: ScriptedServer
    broker = ScriptedBroker(Definitions.beginning_with(load_release(VERSION)), lambda: server.address)
    with ScriptedServer(lambda: broker) as server:
        address = {BOOTSTRAP: str(server.address)}
        words = _java(product, f"-XX:ArchiveClassesAtExit={archive}")
        run_tool(words, product, "Apache Kafka's clients failed before the scripted broker", **address)
