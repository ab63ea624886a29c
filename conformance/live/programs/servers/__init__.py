"""The servers that run here."""

from conformance.live.programs.servers import kafka, kroxylicious, mocks
from conformance.live.programs.servers.server import PASSWORD, USER, Server, ServerProgram, Settings
from reference import releases

SERVERS: dict[str, ServerProgram] = {
    program.name: program
    for program in (
        *(kafka.server_program(release) for release in releases()),
        mocks.kfake(),
        mocks.librdkafka(),
        kroxylicious.server_program(),
    )
}
"""The servers by name: `kafka-4.4.0`, `kfake`, ..."""

__all__ = ["PASSWORD", "SERVERS", "USER", "Server", "ServerProgram", "Settings"]
