"""Client programs that do one thing wrong each, and the honest one that they are made of.

`python -m tests.fakes.clients NAME` runs one against the broker that KAFKA_BOOTSTRAP names: it asks for versions and
metadata, produces a record, and fetches it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from typing import Any

from reference import (
    TAGS,
    ConformanceError,
    api_schema,
    completed,
    decode,
    decode_leniently,
    decode_records,
    encode,
    encode_records,
    header_schema,
    load_release,
    newest_release,
)

RELEASE = load_release(newest_release())
PRODUCE, FETCH, METADATA, API_VERSIONS, GROUP_HEARTBEAT = 0, 1, 3, 18, 68
TOPIC = "fake"
MEBIBYTE = 2**20
BATCH = encode_records({
    "batches": [{
        "magic": 2, "baseOffset": 0, "partitionLeaderEpoch": -1, "compression": "none", "timestampType": "create",
        "transactional": False, "control": False, "deleteHorizon": False, "unusedAttributes": 0, "lastOffsetDelta": 0,
        "baseTimestamp": 1_700_000_000_000, "maxTimestamp": 1_700_000_000_000, "producerId": -1, "producerEpoch": -1,
        "baseSequence": -1, "records": [{"attributes": 0, "timestampDelta": 0, "offsetDelta": 0, "key": None,
                                         "value": b"a record", "headers": []}],
    }],
    "partial": b"",
})  # fmt: skip


class Honest:
    """Asks, produces and fetches; an answer that it cannot read is an error, and its end."""

    def __init__(self) -> None:
        host, _, port = os.environ["KAFKA_BOOTSTRAP"].rpartition(":")
        self.connection = socket.create_connection((host, int(port)))
        self.number = 0

    def run(self) -> None:
        self.ask(API_VERSIONS, 3, {"ClientSoftwareName": "fake", "ClientSoftwareVersion": "1"})
        self.ask(METADATA, 9, {"Topics": [{"Name": TOPIC}]})
        produced = [{"Name": TOPIC, "PartitionData": [{"Index": 0, "Records": BATCH}]}]
        self.ask(PRODUCE, 9, {"Acks": -1, "TimeoutMs": 1_000, "TopicData": produced})
        wanted = [{"Topic": TOPIC, "Partitions": [{"Partition": 0, "PartitionMaxBytes": MEBIBYTE}]}]
        answer = self.ask(FETCH, 12, {"MaxWaitMs": 100, "MaxBytes": MEBIBYTE, "Topics": wanted})
        [batch] = decode_records(answer["Responses"][0]["Partitions"][0]["Records"])["batches"]
        assert batch["records"][0]["value"] == b"a record"

    def ask(self, api_key: int, version: int, fields: dict[str, Any]) -> dict[str, Any]:
        """Send a request, and return the value of the response."""
        self.number += 1
        self.send(self.header(api_key, version) + self.body(api_key, version, fields))
        payload = self.receive(int.from_bytes(self.receive(4), signed=True))
        try:
            return self.read(api_key, version, payload)
        except ConformanceError as error:
            self.cannot_read(error)
            raise

    def header(self, api_key: int, version: int) -> bytes:
        schema = header_schema(RELEASE, "request", api_key, version)
        numbers = {"RequestApiKey": api_key, "RequestApiVersion": version, "CorrelationId": self.number}
        return encode(schema, completed(schema, {**numbers, "ClientId": "fake"}))

    def body(self, api_key: int, version: int, fields: dict[str, Any]) -> bytes:
        schema = api_schema(RELEASE, "request", api_key, version)
        return encode(schema, completed(schema, fields))

    def read(self, api_key: int, version: int, payload: bytes) -> dict[str, Any]:
        _, end = decode_leniently(header_schema(RELEASE, "response", api_key, version), payload)
        return decode(api_schema(RELEASE, "response", api_key, version), payload[end:]).value

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

    def cannot_read(self, error: ConformanceError) -> None:
        """Do what it does at an answer that it cannot read, before it raises the error."""


class Overlong(Honest):
    """Writes a count in more bytes than it needs."""

    def body(self, api_key: int, version: int, fields: dict[str, Any]) -> bytes:
        body = super().body(api_key, version, fields)
        return bytes([body[0] | 0x80, 0]) + body[1:] if api_key == METADATA else body


class NotAnnounced(Honest):
    """Asks for an API that is not announced, and does without."""

    def run(self) -> None:
        try:
            self.ask(GROUP_HEARTBEAT, 0, {"GroupId": "fake"})
        except ConnectionError:
            super().__init__()
        super().run()


class OldHeader(Honest):
    """Writes the header of versions that are not flexible before one that is."""

    def header(self, api_key: int, version: int) -> bytes:
        header = super().header(api_key, version)
        return header[:-1] if api_key == METADATA else header

    def run(self) -> None:
        try:
            super().run()
        except ConnectionError:
            sys.exit(1)


class BadBatch(Honest):
    """Writes a batch whose checksum is wrong."""

    def body(self, api_key: int, version: int, fields: dict[str, Any]) -> bytes:
        return super().body(api_key, version, fields).replace(b"a record", b"A record")

    def run(self) -> None:
        try:
            super().run()
        except ValueError:
            sys.exit(1)


class Aborts(Honest):
    """Dies of an answer that it cannot read."""

    def cannot_read(self, error: ConformanceError) -> None:
        os.abort()


class Dies(Honest):
    """Dies of nothing."""

    def run(self) -> None:
        super().run()
        os.abort()


class DiesOnce(Honest):
    """Dies of nothing, unless the file that FAKE_PID_FILE names is there."""

    def run(self) -> None:
        super().run()
        if not os.path.exists(os.environ["FAKE_PID_FILE"]):  # noqa: PTH110  # small program
            with open(os.environ["FAKE_PID_FILE"], "w", encoding="ascii"):  # noqa: PTH123
                os.abort()


class Panics(Honest):
    """Ends as a Go program does whose library panics."""

    def cannot_read(self, error: ConformanceError) -> None:
        print("panic: runtime error: index out of range [5] with length 3\n\ngoroutine 7 [running]:")  # noqa: T201
        print("example.com/library.read(...)\n\t/go/pkg/mod/library/read.go:7 +0x1")  # noqa: T201
        sys.exit(2)


class Hangs(Honest):
    """Waits forever after an answer that it cannot read."""

    def cannot_read(self, error: ConformanceError) -> None:
        time.sleep(1_000)


class TakesMemory(Honest):
    """Takes memory for an answer that it cannot read."""

    def cannot_read(self, error: ConformanceError) -> None:
        self.kept = b"x" * (400 * MEBIBYTE)
        time.sleep(1_000)


class RefusesTags(Honest):
    """Cannot read tagged fields that it does not know."""

    def read(self, api_key: int, version: int, payload: bytes) -> dict[str, Any]:
        value = super().read(api_key, version, payload)
        if api_key == METADATA and value.get(TAGS):
            sys.exit("an unknown tag")
        return value


class RefusesNull(Honest):
    """Cannot do without the cluster's id, which may be null."""

    def read(self, api_key: int, version: int, payload: bytes) -> dict[str, Any]:
        value = super().read(api_key, version, payload)
        if api_key == METADATA and value["ClusterId"] is None:
            sys.exit("no cluster id")
        return value


class Fails(Honest):
    """Succeeds never."""

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
    """Writes no requests: to the broker, and to its output."""

    def run(self) -> None:
        sys.stdout.buffer.write(b"\xff\x00\x1b[31m garbage\n")
        self.connection.sendall(b"GET / HTTP/1.1\r\n\r\n")
        self.connection.recv(1)


class HasChild(Honest):
    """Leaves a process behind; its number is in the file that FAKE_PID_FILE names."""

    def run(self) -> None:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
        with open(os.environ["FAKE_PID_FILE"], "w", encoding="ascii") as file:  # noqa: PTH123  # small program
            file.write(str(child.pid))
        super().run()


if __name__ == "__main__":
    globals()[sys.argv[1]]().run()
