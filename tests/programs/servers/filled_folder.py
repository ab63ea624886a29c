"""A data folder of Apache Kafka with records of every kind, and the dump of a log in it by Kafka's own tool."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from conformance.adapters.harnesses.toolchains import run_tool, tool
from tests.programs.servers.kafka import JVM, LOGGING, build, server_program
from tests.programs.servers.server import Server, Settings

if TYPE_CHECKING:
    from pathlib import Path

FOLDER = "folder"
SECONDS_TO_END = 60.0

PROPERTIES = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "allow.everyone.if.no.acl.found": "true",
    "super.users": "User:ANONYMOUS",
    "log.cleaner.enable": "true",
    "log.cleaner.backoff.ms": "500",
    "log.cleaner.min.cleanable.ratio": "0.01",
    "metadata.log.max.record.bytes.between.snapshots": "2000",
    "metadata.max.idle.interval.ms": "500",
    "remote.log.storage.system.enable": "true",
    "remote.log.storage.manager.class.name": "kafkawire.live.folder.CopyingStorage",
    "remote.log.storage.manager.class.path": "",
    "remote.log.metadata.manager.listener.name": "BROKERS",
    "rlmm.config.remote.log.metadata.topic.replication.factor": "1",
    "rlmm.config.remote.log.metadata.topic.num.partitions": "1",
    "remote.log.manager.task.interval.ms": "500",
    "log.initial.task.delay.ms": "500",
    "log.retention.check.interval.ms": "1000",
}
"""Settings with which a broker uses all of its own logs."""

BEFORE_4 = {"group.coordinator.rebalance.protocols": "classic,consumer", "group.coordinator.new.enable": "true"}
"""Settings of releases before 4.0 for groups of the new protocol."""

DECODERS = {
    "__cluster_metadata": "--cluster-metadata-decoder",
    "__consumer_offsets": "--offsets-decoder",
    "__transaction_state": "--transaction-log-decoder",
    "__share_group_state": "--share-group-state-decoder",
    "__remote_log_metadata": "--remote-log-metadata-decoder",
}
"""The option of Kafka's tool for the records of a topic."""


def fill(release: str, into: Path) -> None:
    """Let a broker of a release write into all of its logs, and copy its data.

    Raises:
        HarnessStartError: Java or Maven is missing, or the program failed.
    """
    product = build(release, FOLDER)
    program = server_program(release, FOLDER)
    properties = PROPERTIES | (BEFORE_4 if release < "4" else {})
    with Server(program, Settings(properties=properties)) as server:
        command = [tool("java"), *JVM, *LOGGING, "-cp", f"{product}/libs/*", "kafkawire.live.folder.Fill"]
        words = [str(server.address), *(["share"] if release >= "4" else [])]
        run_tool([*command, *words], product, f"Apache Kafka {release} could not be filled")
        server.end_orderly(SECONDS_TO_END)
        shutil.copytree(server.data / "data", into)


def dump(release: str, log: Path, topic: str) -> str:
    """Return the batches and records of a log as printed by Kafka's own tool."""
    product = build(release, FOLDER)
    name = "kafka.tools.DumpLogSegments" if release < "4" else "org.apache.kafka.tools.DumpLogSegments"
    command = [tool("java"), *JVM, *LOGGING, "-cp", f"{product}/libs/*", name, "--print-data-log", "--deep-iteration"]
    words = [DECODERS[topic]] if topic in DECODERS else []
    return run_tool([*command, *words, "--files", str(log)], product, f"{log} could not be dumped")
