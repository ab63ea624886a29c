"""A server as a child process, from its start to its end.

    with Server(SERVERS["kfake"]) as server:
        server.address   # "127.0.0.1:40123"
        server.pid

A child ends when its standard input does, or by force, and none outlives this process, however it ends.
"""

from __future__ import annotations

import shutil
import signal
import socket
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import TYPE_CHECKING, Any, Self

from conformance.codec.bridge.harness_errors import Ending, HarnessStartError
from conformance.live.address import Address
from conformance.live.server.connection import connect, request, sized
from conformance.live.server.server import OLDEST
from conformance.system.programs import start
from reference import CodecError, decode_frame, load_release, newest_release
from reference.definitions.header_versions import API_VERSIONS
from tests.programs.logs import new_log, tail

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from conformance.system.programs import Program

DEADLINE = 60.0
"""Seconds in which a server must answer; a JVM on a busy machine takes many."""

SECONDS_TO_END = 5.0
SECONDS_TO_ANSWER = 2.0
PAUSE = 0.05
ADDRESS_FILE = "address"

USER = "conformance"
PASSWORD = "conformance-secret"  # noqa: S105  # of servers that listen on 127.0.0.1 alone, and hold nothing
"""What a server started with SASL takes, by every mechanism that it has."""


@dataclass(frozen=True)
class Settings:
    """The settings for the start of a server.

    Attributes:
        port: its port, or 0 for a free one.
        advertise: host and port for its clients, as those of a proxy before it, or None for its own.
        sasl: ask clients for USER and PASSWORD.
        upstream: the server after a proxy, or None to start one.
        properties: further settings, in the server's own words.
    """

    port: int = 0
    advertise: str | None = None
    sasl: bool = False
    upstream: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Launch:
    """A command, and the address for listening, or None if the server writes it to `address` in its folder."""

    command: tuple[str, ...]
    address: str | None = None


@dataclass(frozen=True)
class ServerProgram:
    """A server program.

    Attributes:
        name: its name on the command line.
        version: of the program.
        needs: the programs required on the PATH.
        options: the names of the supported `Settings`.
        prepare: fetches and builds it.
        launch: returns its command, with its files in a folder for one run.
        upstream: the server to start after it.
    """

    name: str
    version: str
    needs: tuple[str, ...]
    options: frozenset[str]
    prepare: Callable[[], Any]
    launch: Callable[[Settings, Path], Launch]
    upstream: ServerProgram | None = None

    @property
    def missing(self) -> list[str]:
        """The required programs missing here."""
        return [tool for tool in self.needs if shutil.which(tool) is None]


class Server:
    """One run of a server. It is not thread-safe."""

    def __init__(
        self,
        program: ServerProgram,
        settings: Settings | None = None,
        *,
        log: Path | None = None,
        deadline: float = DEADLINE,
    ) -> None:
        self.program = program
        self.settings = settings or Settings()
        self.deadline = deadline
        self.log = log or new_log(program.name)
        """What it wrote; it is kept."""
        self.address = ""
        self.seconds = 0.0
        """How long it took until it answered."""
        self._behind: Server | None = None
        self._folder: Path | None = None
        self._child: Program | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._running().pid

    @property
    def status(self) -> int | None:
        """Its exit status, or minus the number of the signal that ended it, or None while it runs."""
        return self._running().status

    def start(self) -> str:
        """Start it, wait until it answers ApiVersions, and return its address, as `127.0.0.1:9092`.

        Raises:
            HarnessStartError: it cannot be built, it ended, or it does not answer in time; with the end of its log.
        """
        self._check_options()
        self.program.prepare()
        try:
            self._start_behind()
            self._launch()
        except BaseException:
            self.stop()
            raise
        return self.address

    def stop(self) -> None:
        """End it, and the servers started for it, and keep its log."""
        try:
            if self._child is not None:
                _end(self._child)
        finally:
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
            if self._behind is not None:
                self._behind.stop()

    def end_orderly(self, seconds: float) -> None:
        """End it by SIGTERM, slower than `stop`, which comes after it nevertheless."""
        child = self._running()
        child.signal(signal.SIGTERM)
        child.wait(seconds)

    @property
    def data(self) -> Path:
        """The folder with its files, deleted at its end."""
        if self._folder is None:
            raise RuntimeError(f"{self.program.name} has not been started")
        return self._folder

    def obituary(self) -> str:
        """Return the ending of a server, with the end of its log."""
        return f"{self.program.name} ended: {self._ending()}"

    def _check_options(self) -> None:
        default = Settings()
        for option in vars(default):
            if getattr(self.settings, option) != getattr(default, option) and option not in self.program.options:
                raise HarnessStartError(f"{self.program.name} does not take {option}={getattr(self.settings, option)}")

    def _start_behind(self) -> None:
        if self.program.upstream is not None and self.settings.upstream is None:
            self._behind = Server(self.program.upstream, deadline=self.deadline)
            self.settings = replace(self.settings, upstream=self._behind.start())

    def _launch(self) -> None:
        began = time.monotonic()
        self._folder = Path(tempfile.mkdtemp(prefix="kafka-conformance-"))
        launch = self.program.launch(self.settings, self._folder)
        with self.log.open("wb") as log:
            self._child = start(launch.command, stdin=PIPE, stdout=log.fileno(), stderr=STDOUT, folder=self._folder)
        self.address = self._wait_for_answer(launch.address, self._folder / ADDRESS_FILE, began + self.deadline)
        self.seconds = time.monotonic() - began

    def _wait_for_answer(self, address: str | None, file: Path, end: float) -> str:
        while True:
            address = address or _content(file)
            if address and _answers(address):
                return address
            if self.status is not None:
                raise HarnessStartError(self.obituary())
            if time.monotonic() > end:
                text = f"{self.program.name} does not answer within {self.deadline:g} s"
                raise HarnessStartError(f"{text}; {self._told()}")
            time.sleep(PAUSE)

    def _ending(self) -> str:
        return f"{Ending(self._running().kill(), '').cause}; {self._told()}"

    def _told(self) -> str:
        return f"the end of {self.log}:\n{tail(self.log) or 'nothing'}"

    def _running(self) -> Program:
        if self._child is None:
            raise RuntimeError(f"{self.program.name} has not been started")
        return self._child


def _content(file: Path) -> str | None:
    """Return the content of a server's file, or None before it is written."""
    return file.read_text(encoding="ascii").strip() if file.exists() else None


def _answers(address: str) -> bool:
    with suppress(OSError, CodecError):
        return bool(announced_apis(address, SECONDS_TO_ANSWER))
    return False


def _end(child: Program) -> None:
    """End a process by closing its input, or by force after a time."""
    with child:
        if child.stdin is not None:
            child.stdin.close()
        child.wait(SECONDS_TO_END)


def announced_apis(address: str, timeout: float) -> dict[int, tuple[int, int]]:
    """Return the lowest and highest announced version of each API key, by ApiVersions v0.

    Raises:
        OSError: nobody listens there, or the answer does not come in time.
        CodecError: the answer is none.
    """
    release = load_release(newest_release())
    asked = request(release, API_VERSIONS, OLDEST, 1, {})
    with connect(Address.parse(address), timeout) as connection:
        connection.send(asked.wire)
        reply = connection.receive()
    if not reply.is_frame:
        raise ConnectionError(f"{address}: {reply}")
    wire = sized(reply.payload)
    frame = decode_frame(release, "response", wire, api_key=API_VERSIONS, api_version=OLDEST)
    return {api["ApiKey"]: (api["MinVersion"], api["MaxVersion"]) for api in frame.value["ApiKeys"]}


def free_ports(count: int) -> list[int]:
    """Return free ports of 127.0.0.1."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports
