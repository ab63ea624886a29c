"""Client programs with one fault each, and the honest one they are made of.

`python tests/fakes/clients.py NAME` runs one against the broker in KAFKA_BOOTSTRAP: it asks for versions and metadata,
produces a record, and fetches it. Tests start them hundreds of times, so they import next to nothing: the bodies of
their requests are written here, and responses are read by a shape.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PRODUCE, FETCH, METADATA, API_VERSIONS, GROUP_HEARTBEAT = 0, 1, 3, 18, 68
VERSIONS = {PRODUCE: 9, FETCH: 12, METADATA: 9, API_VERSIONS: 3, GROUP_HEARTBEAT: 0}
MEBIBYTE = 2**20
BODIES = {
    GROUP_HEARTBEAT: "0566616b6501000000000000ffffffff00000000",
    API_VERSIONS: "0566616b65023100",
    METADATA: "020566616b650001000000",
    PRODUCE: "00ffff000003e8020566616b6502000000004d000000000000000000000040ffffffff02de08c33f0000000000000000018bcfe5"
    "68000000018bcfe56800ffffffffffffffffffffffffffff000000011c000000011061207265636f726400000000",
    FETCH: "ffffffff0000006400000000001000000000000000ffffffff020566616b650200000000ffffffff0000000000000000ffffffff"
    "ffffffffffffffff001000000000010100",
}
"""The body of the request of each API, in its version."""

TEXT, NULLABLE = "text", "nullable"
SHAPES: dict[int, list[Any]] = {
    API_VERSIONS: [2, [2, 2, 2], 4],
    METADATA: [4, [4, TEXT, 4, NULLABLE], NULLABLE, 4, [2, TEXT, 1, [2, 4, 4, 4, [4], [4], [4]], 4], 4],
    PRODUCE: [[TEXT, [4, 2, 8, 8, 8, [4, NULLABLE], NULLABLE]], 4],
    FETCH: [4, 2, 4, [TEXT, [4, 2, 8, 8, 8, [8, 8], 4, NULLABLE]]],
}
"""The fields of each response, as the bytes of a number, a text, or an array of structures or of numbers alone."""
CLUSTER_ID, RESPONSES, PARTITIONS, RECORDS = 2, 3, 1, 7
"""Fields of the responses to METADATA and FETCH."""


class Reader:
    """A reader of flexible versions; raises ValueError at unreadable bytes."""

    def __init__(self, payload: bytes) -> None:
        self.left = payload

    def take(self, size: int) -> bytes:
        if size > len(self.left):
            raise ValueError("truncated")
        taken, self.left = self.left[:size], self.left[size:]
        return taken

    def varint(self) -> int:
        [byte] = self.take(1)
        return byte if byte < 0x80 else byte - 0x80 + (self.varint() << 7)

    def value(self, shape: Any) -> Any:
        if isinstance(shape, int):
            return int.from_bytes(self.take(shape), signed=True)
        size = self.varint() - 1
        if isinstance(shape, list):
            return [self.value(shape[0]) if len(shape) == 1 else self.struct(shape) for _ in range(size)]
        if size < 0 and shape == TEXT:
            raise ValueError("null")
        return None if size < 0 else self.take(size)

    def struct(self, shape: list[Any]) -> list[Any]:
        """Return the fields, and last the tags."""
        return [*(self.value(part) for part in shape), self.tags()]

    def tags(self) -> list[int]:
        numbers = []
        for _ in range(self.varint()):
            numbers.append(self.varint())
            self.take(self.varint())
        return numbers


class Honest:
    """Asks, produces and fetches, and ends with an error at an unreadable answer."""

    def __init__(self) -> None:
        host, _, port = os.environ["KAFKA_BOOTSTRAP"].rpartition(":")
        self.connection = socket.create_connection((host, int(port)))
        self.number = 0

    def run(self) -> None:
        for api_key in (API_VERSIONS, METADATA, PRODUCE):
            self.ask(api_key)
        records = self.ask(FETCH)[RESPONSES][0][PARTITIONS][0][RECORDS]
        if b"a record" not in records:
            raise ValueError("another record")

    def ask(self, api_key: int) -> list[Any]:
        """Send a request, and return the value of the response."""
        self.number += 1
        self.send(self.header(api_key) + self.body(api_key))
        payload = self.receive(int.from_bytes(self.receive(4), signed=True))
        try:
            return self.read(api_key, payload)
        except ValueError as error:
            self.cannot_read(error)
            raise

    def header(self, api_key: int) -> bytes:
        return struct.pack(">hhih5s", api_key, VERSIONS[api_key], self.number, 4, b"fake\0")

    def body(self, api_key: int) -> bytes:
        return bytes.fromhex(BODIES[api_key])

    def read(self, api_key: int, payload: bytes) -> list[Any]:
        reader = Reader(payload)
        reader.take(4)
        if api_key != API_VERSIONS:
            reader.tags()
        return reader.struct(SHAPES[api_key])

    def send(self, payload: bytes) -> None:
        self.connection.sendall(len(payload).to_bytes(4) + payload)

    def receive(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            more = self.connection.recv(size - len(data))
            if not more:
                raise ConnectionError("closed by the broker")
            data += more
        return bytes(data)

    def cannot_read(self, error: ValueError) -> None:
        """React to an unreadable answer before the error is raised."""


def lie(**parts: Any) -> type[Honest]:
    """Return a client with these methods in place of its own."""
    return type("Lie", (Honest,), parts)


def writing(api: int, change: Callable[[bytes], bytes]) -> dict[str, Any]:
    """Return the part that writes another body to an API."""

    def body(self: Honest, api_key: int) -> bytes:
        honest = Honest.body(self, api_key)
        return change(honest) if api_key == api else honest

    return {"body": body}


def ending_at(error: type[Exception]) -> dict[str, Any]:
    """Return the part that ends with status 1 at an error."""

    def run(self: Honest) -> None:
        try:
            Honest.run(self)
        except error:
            sys.exit(1)

    return {"run": run}


def ends_behind(ends: Callable[[], object]) -> type[Honest]:
    def run(self: Honest) -> None:
        Honest.run(self)
        ends()

    return lie(run=run)


def refuses(is_refused: Callable[[list[Any]], bool], reason: str) -> type[Honest]:
    """Return a client that refuses some metadata."""

    def read(self: Honest, api_key: int, payload: bytes) -> list[Any]:
        value = Honest.read(self, api_key, payload)
        if api_key == METADATA and is_refused(value):
            sys.exit(reason)
        return value

    return lie(read=read)


def follow_snappy(self: Honest, api_key: int) -> list[Any]:
    answer = Honest.ask(self, api_key)
    records = answer[RESPONSES][0][PARTITIONS][0][RECORDS] if api_key == FETCH else b""
    if len(records) > 65 and records[22] & 7 == 2 and records[61:65] == b"\xff\xff\xff\xff":
        os.abort()
    return answer


def ask_for_more(self: Honest) -> None:
    try:
        self.ask(GROUP_HEARTBEAT)
    except ConnectionError:
        Honest.__init__(self)
    Honest.run(self)


def old_header(self: Honest, api_key: int) -> bytes:
    header = Honest.header(self, api_key)
    return header[:-1] if api_key == METADATA else header


def die_once() -> None:
    if not os.path.exists(os.environ["FAKE_PID_FILE"]):  # noqa: PTH110  # small program
        with open(os.environ["FAKE_PID_FILE"], "w", encoding="ascii"):  # noqa: PTH123
            os.abort()


def panic(*_: object) -> None:
    print("panic: runtime error: index out of range [5] with length 3\n\ngoroutine 7 [running]:")  # noqa: T201
    print("example.com/library.read(...)\n\t/go/pkg/mod/library/read.go:7 +0x1")  # noqa: T201
    sys.exit(2)


def take_memory(self: Honest, _error: ValueError) -> None:
    kept = b"x" * (400 * MEBIBYTE)
    time.sleep(1_000)
    del kept


def write_garbage(self: Honest) -> None:
    """Write it to the broker and to the output, and no requests."""
    sys.stdout.buffer.write(b"\xff\x00\x1b[31m garbage\n")
    self.connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
    self.connection.recv(1)


FollowsSnappy = lie(ask=follow_snappy)
"""Is ended by the system at a block of snappy with a length beyond the memory."""
Overlong = lie(**writing(METADATA, lambda body: bytes([body[0] | 0x80, 0]) + body[1:]))
"""Writes a count in more bytes than it needs."""
NotAnnounced = lie(run=ask_for_more)
"""Asks for an API missing from the announcement, and does without."""
OldHeader = lie(header=old_header, **ending_at(ConnectionError))
"""Writes the header of inflexible versions before a flexible one."""
UnnamedSoftware = lie(**writing(API_VERSIONS, lambda _: bytes.fromhex("01023100")))
BadBatch = lie(
    **writing(PRODUCE, lambda body: body.replace(b"a record", b"A record")),
    **ending_at(ValueError),
)
"""Writes a batch with a wrong checksum."""
Aborts = lie(cannot_read=lambda *_: os.abort())
Dies = ends_behind(os.abort)
DiesOnce = ends_behind(die_once)
"""Dies unless the file in FAKE_PID_FILE exists."""
Panics = lie(cannot_read=panic)
"""Ends like a Go program after a panic in its library."""
Hangs = lie(cannot_read=lambda *_: time.sleep(1_000))
TakesMemory = lie(cannot_read=take_memory)
RefusesTags = refuses(lambda value: bool(value[-1]), "an unknown tag")
RefusesNull = refuses(lambda value: value[CLUSTER_ID] is None, "no cluster id")
"""Needs the cluster's id, which may be null."""
Fails = ends_behind(lambda: sys.exit("it never works"))
EndsFirst = lie(__init__=lambda _: sys.exit("no broker is needed"))
NeverConnects = lie(__init__=lambda _: time.sleep(1_000))
Garbage = lie(run=write_garbage)


if __name__ == "__main__":
    globals()[sys.argv[1]]().run()
