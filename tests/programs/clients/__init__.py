"""The clients run here, each of which creates a topic, writes, reads in a group, asks, and removes everything again."""

from conformance.adapters.harnesses.toolchains import go_product, node_product, python_environment, tool
from tests.programs import SOURCES
from tests.programs.clients import kafka_clients
from tests.programs.clients.client import BOOTSTRAP, SECONDS, ClientProgram


def _python(name: str, version: str) -> ClientProgram:
    folder = SOURCES / "clients" / "python"
    program = folder / f"drive_{name.replace('-', '_')}.py"
    return ClientProgram(name, version, (), lambda: (str(python_environment(name, folder)), "-P", str(program)))


def _go(name: str, version: str) -> ClientProgram:
    folder = SOURCES / "clients" / "go"
    return ClientProgram(name, version, ("go",), lambda: (str(go_product("clients-go", folder) / name),))


def _node(name: str, version: str) -> ClientProgram:
    def command() -> tuple[str, ...]:
        folder = node_product("clients-javascript", SOURCES / "clients" / "javascript")
        return tool("node"), str(folder / f"{name}.mjs")

    return ClientProgram(name, version, ("node", "npm"), command)


CLIENTS: dict[str, ClientProgram] = {
    program.name: program
    for program in (
        _python("kafka-python", "3.0.12"),
        _python("aiokafka", "0.14.0"),
        _python("confluent-kafka", "2.16.1"),
        _go("franz-go", "v1.22.2"),
        _go("sarama", "v1.61.0"),
        _go("kafka-go", "v0.4.51"),
        _node("kafkajs", "2.2.4"),
        _node("platformatic", "1.35.0"),
        ClientProgram("kafka-clients", kafka_clients.VERSION, ("java", "mvn"), kafka_clients.command),
    )
}
"""The clients by name; a test compares the versions with those that the builds pin."""

__all__ = ["BOOTSTRAP", "CLIENTS", "SECONDS", "ClientProgram"]
