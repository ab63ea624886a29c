"""Every server and every client is fetched, built and started, which takes minutes in the first run."""

import socket
from collections.abc import Iterator
from typing import Any, Self

import pytest

from reference import decode_frame, encode_frame, load_release, newest_release
from tests.helpers import requirements
from tests.programs.clients import CLIENTS
from tests.programs.clients.client import run_client
from tests.programs.servers import PASSWORD, SERVERS, USER, Server, Settings
from tests.programs.servers.server import announced_apis

pytestmark = pytest.mark.nightly  # `make servers-test` starts three of them at every change

NEWEST = f"kafka-{newest_release()}"
MARKS = {"go": pytest.mark.go, "java": pytest.mark.java, "node": pytest.mark.node}
SKIPS = {"go": requirements.go, "java": requirements.java_and_maven, "node": requirements.node}


def marked(programs: dict[str, tuple[str, ...]]) -> list[object]:
    """Return the names as parameters, each with the marks of its needs."""
    return [
        pytest.param(name, marks=[MARKS[tool] for tool in needs if tool in MARKS]) for name, needs in programs.items()
    ]


def skip_without(needs: tuple[str, ...]) -> None:
    """Skip a test without its required programs, or fail it in CI."""
    for tool in needs:
        if tool in SKIPS:
            SKIPS[tool]()


@pytest.fixture(scope="module")
def kafka() -> Iterator[str]:
    """Give the address of Apache Kafka's newest release."""
    requirements.java_and_maven()
    with Server(SERVERS[NEWEST]) as server:
        yield server.address


@pytest.mark.parametrize("name", marked({name: program.needs for name, program in SERVERS.items()}))
def test_a_server_announces_its_apis(name: str) -> None:
    skip_without(SERVERS[name].needs)
    with Server(SERVERS[name]) as server:
        apis = announced_apis(server.address, 5.0)
    assert server.status == 0
    assert {3, 18} <= set(apis)
    assert len(apis) > 20


@pytest.mark.parametrize("name", marked({name: ("java", *program.needs) for name, program in CLIENTS.items()}))
def test_client_succeeds_on_apache_kafka(name: str, kafka: str) -> None:
    skip_without(CLIENTS[name].needs)
    run = run_client(name, CLIENTS[name].command(), kafka)
    assert run.status == 0, run.problem


@pytest.mark.parametrize("name", marked({name: SERVERS[name].needs for name in ("kfake", NEWEST)}))
def test_server_asks_for_a_password_and_advertises_the_address_of_a_proxy(name: str) -> None:
    skip_without(SERVERS[name].needs)
    with Server(SERVERS[name], Settings(sasl=True, advertise="127.0.0.1:9")) as server:
        with Connection(server.address) as stranger, pytest.raises(ConnectionError):
            stranger.ask(3, 1, {"Topics": None})
        with Connection(server.address) as connection:
            connection.ask(17, 1, {"Mechanism": "PLAIN"})
            token = f"\0{USER}\0{PASSWORD}".encode()
            assert connection.ask(36, 2, {"AuthBytes": token})["ErrorCode"] == 0
            [broker] = connection.ask(3, 1, {"Topics": None})["Brokers"]
    assert (broker["Host"], broker["Port"]) == ("127.0.0.1", 9)


class Connection:
    """A connection to a program with an answer to each request, or an end."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._socket = socket.create_connection((host, int(port)), 5.0)
        self._file = self._socket.makefile("rb")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        self._socket.close()

    def ask(self, api_key: int, version: int, value: dict[str, Any]) -> dict[str, Any]:
        """Return the value of the response.

        Raises:
            ConnectionError: the connection was closed.
        """
        release = load_release(newest_release())
        self._socket.sendall(encode_frame(release, "request", api_key, version, 1, "test", value))
        size = self._file.read(4)
        if not size:
            raise ConnectionError("closed")
        response = size + self._file.read(int.from_bytes(size))
        return decode_frame(release, "response", response, api_key=api_key, api_version=version).value
