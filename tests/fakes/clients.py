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
from typing import Any

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


class FollowsSnappy(Honest):
    """Is ended by the system at a block of snappy with a length beyond the memory."""

    def ask(self, api_key: int) -> list[Any]:
        answer = super().ask(api_key)
        records = answer[RESPONSES][0][PARTITIONS][0][RECORDS] if api_key == FETCH else b""
        if len(records) > 65 and records[22] & 7 == 2 and records[61:65] == b"\xff\xff\xff\xff":
            os.abort()
        return answer


class Overlong(Honest):
    """Writes a count in more bytes than it needs."""

    def body(self, api_key: int) -> bytes:
        body = super().body(api_key)
        return bytes([body[0] | 0x80, 0]) + body[1:] if api_key == METADATA else body


class NotAnnounced(Honest):
    """Asks for an API missing from the announcement, and does without."""

    def run(self) -> None:
        try:
            self.ask(GROUP_HEARTBEAT)
        except ConnectionError:
            super().__init__()
        super().run()


class OldHeader(Honest):
    """Writes the header of inflexible versions before a flexible one."""

    def header(self, api_key: int) -> bytes:
        header = super().header(api_key)
        return header[:-1] if api_key == METADATA else header

    def run(self) -> None:
        try:
            super().run()
        except ConnectionError:
            sys.exit(1)


class UnnamedSoftware(Honest):
    """Does not name its software."""

    def body(self, api_key: int) -> bytes:
        return bytes.fromhex("01023100") if api_key == API_VERSIONS else super().body(api_key)


class BadBatch(Honest):
    """Writes a batch with a wrong checksum."""

    def body(self, api_key: int) -> bytes:
        return super().body(api_key).replace(b"a record", b"A record")

    def run(self) -> None:
        try:
            super().run()
        except ValueError:
            sys.exit(1)


class Aborts(Honest):
    """Aborts at an unreadable answer."""

    def cannot_read(self, error: ValueError) -> None:
        os.abort()


class Dies(Honest):
    """Dies without a reason."""

    def run(self) -> None:
        super().run()
        os.abort()


class DiesOnce(Honest):
    """Dies without a reason, unless the file in FAKE_PID_FILE exists."""

    def run(self) -> None:
        super().run()
        if not os.path.exists(os.environ["FAKE_PID_FILE"]):  # noqa: PTH110  # small program
            with open(os.environ["FAKE_PID_FILE"], "w", encoding="ascii"):  # noqa: PTH123
                os.abort()


class Panics(Honest):
    """Ends like a Go program after a panic in its library."""

    def cannot_read(self, error: ValueError) -> None:
        print("panic: runtime error: index out of range [5] with length 3\n\ngoroutine 7 [running]:")  # noqa: T201
        print("example.com/library.read(...)\n\t/go/pkg/mod/library/read.go:7 +0x1")  # noqa: T201
        sys.exit(2)


class Hangs(Honest):
    """Waits forever after an unreadable answer."""

    def cannot_read(self, error: ValueError) -> None:
        time.sleep(1_000)


class TakesMemory(Honest):
    """Takes memory for an unreadable answer."""

    def cannot_read(self, error: ValueError) -> None:
        self.kept = b"x" * (400 * MEBIBYTE)
        time.sleep(1_000)


class RefusesTags(Honest):
    """Cannot read unknown tagged fields."""

    def read(self, api_key: int, payload: bytes) -> list[Any]:
        value = super().read(api_key, payload)
        if api_key == METADATA and value[-1]:
            sys.exit("an unknown tag")
        return value


class RefusesNull(Honest):
    """Needs the cluster's id, which may be null."""

    def read(self, api_key: int, payload: bytes) -> list[Any]:
        value = super().read(api_key, payload)
        if api_key == METADATA and value[CLUSTER_ID] is None:
            sys.exit("no cluster id")
        return value


class Fails(Honest):
    """Never succeeds."""

    def run(self) -> None:
        super().run()
        sys.exit("it never works")


class EndsFirst(Honest):
    """Ends before it connects."""

    def __init__(self) -> None:
        sys.exit("no broker is needed")


class NeverConnects(EndsFirst):
    """Sleeps instead of connecting."""

    def __init__(self) -> None:
        time.sleep(1_000)


class Garbage(Honest):
    """Writes garbage to the broker and to its output, and no requests."""

    def run(self) -> None:
        sys.stdout.buffer.write(b"\xff\x00\x1b[31m garbage\n")
        self.connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
        self.connection.recv(1)


if __name__ == "__main__":
    globals()[sys.argv[1]]().run()
