"""The servers run here."""

from reference import releases
from tests.programs.servers import kafka, kroxylicious, mocks
from tests.programs.servers.server import PASSWORD, USER, Server, ServerProgram, Settings

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
