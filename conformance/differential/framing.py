"""The proof of headers and frames: which header stands where, and whole requests and responses.

As `conformance.differential.pairs` does for bodies: Apache Kafka's own code makes the same frames, takes them apart
into the same values, and refuses what the reference refuses.
"""

from __future__ import annotations

import struct
from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.differential.primitives import primitive_questions
from conformance.differential.questions import Question, ask, read, rejected, written
from conformance.differential.stored import stored_questions
from conformance.generate.values import sample
from reference import (
    TAGS,
    Malformed,
    MessageSchema,
    Unencodable,
    UnsupportedApi,
    decode_frame,
    difference,
    encode_frame,
    from_json,
    header_schema,
    minimal,
    request_header_version,
    response_header_version,
    to_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.differential.pairs import Proof
    from conformance.harnesses.apache_kafka import ApacheKafka
    from reference import FrameDirection, Release

BEYOND = 3
"""How far beyond the highest key and the highest version the header versions are asked for."""
VALUES = 2
"""Generated values for each frame, beside the smallest."""
CLIENT_IDS = (None, "", "cl", "日本", "a" * 127, "a" * 128, "a" * 32_767, "a" * 32_768)
CORRELATION_IDS = (0, 7, -1, 2**31 - 1, -(2**31))
HEADER_TAGS: tuple[list[tuple[int, bytes]], ...] = ([], [(0, b"")], [(5, b"\xca\xfe"), (16_384, b"\1")])
_DIRECTIONS: tuple[FrameDirection, ...] = ("request", "response")
_VERSION_OF = {"request": request_header_version, "response": response_header_version}


def prove_framing(kafka: ApacheKafka, release: Release, schemas: Sequence[MessageSchema], proof: Proof) -> None:
    """Compare everything that stands around messages, and every wire type alone; `proof` gets what is found.

    Args:
        kafka: a running harness of the release.
        release: whose headers to compare: all of them.
        schemas: the messages to be framed.
        proof: what was compared so far.
    """
    questions = chain(
        header_version_questions(release),
        frame_questions(release, schemas),
        stored_questions(release, schemas),
        primitive_questions(),
    )
    ask(kafka, questions, proof)


def header_version_questions(release: Release) -> Iterator[Question]:
    """Every key and every version, and some beyond both ends; what the reference refuses must be refused."""
    definitions = [release.definition(name) for name in release.messages]
    apis = [each for each in definitions if each.kind in _DIRECTIONS and each.api_key is not None]
    highest_key = max(each.api_key or 0 for each in apis)
    for key in range(-1, highest_key + BEYOND + 1):
        highest = max((each.valid_versions.highest for each in apis if each.api_key == key), default=0)
        for version in range(-1, highest + BEYOND + 1):
            for direction in _DIRECTIONS:
                yield _header_version_question(release, direction, key, version)


def _header_version_question(release: Release, direction: FrameDirection, key: int, version: int) -> Question:
    request = {"op": "header-version", "direction": direction, "apiKey": key, "version": version}
    name = f"header version of {direction} {key} version {version}"
    try:
        expected = _VERSION_OF[direction](key, version, release)
    except UnsupportedApi as error:
        return Question("header versions", name, request, rejected(str(error)))
    return Question("header versions", name, request, read(lambda reply: _other(expected, reply["value"])))


def frame_questions(release: Release, schemas: Sequence[MessageSchema]) -> Iterator[Question]:
    """Each request and response with a few values; the first with each header with all that headers may hold."""
    seen = set()
    for schema in schemas:
        if schema.kind not in _DIRECTIONS or schema.api_key is None:
            continue
        direction = schema.direction
        header = header_schema(release, direction, schema.api_key, schema.version)
        frame = _Framer(release, direction, schema, header)
        if header not in seen:
            seen.add(header)
            yield from frame.header_questions()
        for index in range(VALUES + 1):
            value = sample(schema, f"prove-frame/{index}") if index else minimal(schema)
            yield from frame.questions(f"value/{index}", value, correlation_id=CORRELATION_IDS[index])
        yield from frame.broken_questions()


class _Framer:
    """The frames of one message in one version."""

    def __init__(
        self, release: Release, direction: FrameDirection, schema: MessageSchema, header: MessageSchema
    ) -> None:
        self.release = release
        self.direction = direction
        self.schema = schema
        self.header = header
        self.kind = {"direction": direction, "apiKey": schema.api_key, "version": schema.version}

    def header_questions(self) -> Iterator[Question]:
        value = minimal(self.schema)
        for client_id in CLIENT_IDS if self.direction == "request" else (None,):
            shown = client_id if client_id is None else f"{client_id[:8]}-{len(client_id)}"
            for index, tags in enumerate(HEADER_TAGS):
                yield from self.questions(f"client-id/{shown}/tags/{index}", value, client_id=client_id, tags=tags)
        for correlation_id in CORRELATION_IDS:
            yield from self.questions(f"correlation-id/{correlation_id}", value, correlation_id=correlation_id)

    def questions(
        self,
        name: str,
        value: dict[str, Any],
        *,
        correlation_id: int = 7,
        client_id: str | None = None,
        tags: Sequence[tuple[int, bytes]] = (),
    ) -> Iterator[Question]:
        """One frame, written by both, and read by Apache Kafka."""
        header: dict[str, Any] = {"CorrelationId": correlation_id}
        if self.direction == "request":
            header |= {"RequestApiKey": self.schema.api_key, "RequestApiVersion": self.schema.version}
            header["ClientId"] = client_id
        header |= {TAGS: [[tag, body.hex()] for tag, body in tags]} if tags else {}
        request = {"op": "encode-frame", **self.kind, "header": header, "value": to_json(self.schema, value)}
        name = f"frame of {self.schema} {name}"
        try:
            wire = self.encode(value, correlation_id, client_id, tags)
        except Unencodable as error:
            yield Question("frames not writable", name, request, rejected(str(error)))
            return
        yield Question("frames written", name, request, written(lambda: wire))
        yield self.read_question(name, wire)

    def encode(
        self, value: dict[str, Any], correlation_id: int, client_id: str | None, tags: Sequence[tuple[int, bytes]]
    ) -> bytes:
        key = self.schema.api_key or 0
        return encode_frame(
            self.release, self.direction, key, self.schema.version, correlation_id, client_id, value, header_tags=tags
        )

    def read_question(self, name: str, wire: bytes) -> Question:
        """Apache Kafka and the reference read the same frame from these bytes, and from no more than these."""
        keys = (
            {} if self.direction == "request" else {"api_key": self.schema.api_key, "api_version": self.schema.version}
        )
        frame = decode_frame(self.release, self.direction, wire + b"\xff", **keys)

        def compare(reply: Any) -> object:
            return (
                _other((frame.api_key, frame.api_version), (reply["apiKey"], reply["version"]))
                or difference(self.header, frame.header, from_json(self.header, reply["header"]), absent=True)
                or difference(self.schema, frame.value, from_json(self.schema, reply["value"]), absent=True)
                or _other(frame.consumed, reply["consumed"])
                or _other(wire.hex(), reply["canonical"])
            )

        request = {"op": "decode-frame", **self.kind, "wire": wire.hex() + "ff"}
        return Question("frames read", name, request, read(compare))

    def broken_questions(self) -> Iterator[Question]:
        """Sizes that are negative, cut or too large, and a body that is cut although the size agrees."""
        wire = self.encode(minimal(self.schema), 7, None, ())
        broken = {
            "size/-1": b"\xff\xff\xff\xff" + wire[4:],
            "size/lowest": b"\x80\0\0\0" + wire[4:],
            "size/one-more": struct.pack(">i", len(wire) - 3) + wire[4:],
            "size/highest": b"\x7f\xff\xff\xff" + wire[4:],
            "size/0": b"\0\0\0\0" + wire[4:],
            "cut/1": wire[:-1],
            "cut/header": wire[:5],
            **{f"cut/size-{length}": wire[:length] for length in range(4)},
            "short": struct.pack(">i", len(wire) - 5) + wire[4:-1],
        }
        for name, data in broken.items():
            request = {"op": "decode-frame", **self.kind, "wire": data.hex()}
            full_name = f"broken frame of {self.schema} {name}"
            yield Question("frames not readable", full_name, request, rejected(self.refusal(data)))

    def refusal(self, wire: bytes) -> str:
        """Why the reference refuses these bytes.

        Raises:
            AssertionError: it does not, or calls them a matter of taste.
        """
        keys = (
            {} if self.direction == "request" else {"api_key": self.schema.api_key, "api_version": self.schema.version}
        )
        try:
            decode_frame(self.release, self.direction, wire, **keys)
        except Malformed as error:
            if error.reason is not None:
                return str(error)
        raise AssertionError(f"{wire.hex()} is broken, but the reference does not call it invalid")


def _other(expected: object, actual: object) -> str | None:
    return None if expected == actual else f"{actual} instead of {expected}"
