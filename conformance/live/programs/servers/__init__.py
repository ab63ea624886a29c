"""The servers that run here."""

from conformance.live.programs.servers.kafka import kafka
from conformance.live.programs.servers.kfake import kfake
from conformance.live.programs.servers.kroxylicious import kroxylicious
from conformance.live.programs.servers.librdkafka import librdkafka_mock
from conformance.live.programs.servers.server import PASSWORD, USER, Server, ServerProgram, Settings
from reference import releases

SERVERS: dict[str, ServerProgram] = {
    program.name: program for program in (*map(kafka, releases()), kfake(), librdkafka_mock(), kroxylicious())
}
"""The servers by name: `kafka-4.4.0`, `kfake`, ..."""

__all__ = ["PASSWORD", "SERVERS", "USER", "Server", "ServerProgram", "Settings"]
