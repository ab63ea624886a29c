"""Headers and frames, read and written by chapter 5 of the book."""

from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from conformance.adapter import Decoded, FrameContent
from reference import FrameDirection, MessageSchema, Release, api_schema
from tests.second_codec import bodies
from tests.second_codec.bodies import TAGS, Value, read_body
from tests.second_codec.codec import Codec
from tests.second_codec.forms import TEXT
from tests.second_codec.steps import Input, Output
from tests.second_codec.ways import CONTENT, LeftOpen, Misstep, NotTaken


class HeaderAsked(NamedTuple):
    """A message, and the version of the header before it."""

    schema: MessageSchema
    header: int


CLIENT_ID = replace(TEXT, nullable=True)
SIZE = 4
SHORT = 12
"""The bytes of a request's size, numbers and correlation id."""
NUMBERS = ("api-key", "api-version")
API_VERSIONS, CONTROLLED_SHUTDOWN = 18, 7
HEADERS = {"RequestHeader": (0, 1, 2), "ResponseHeader": (0, 1)}


def header_version(release: Release, schema: MessageSchema) -> int:
    """Return the version of the header before a message, by statements 5.1 and 5.2."""
    if schema.kind == "response":
        return int(schema.flexible and schema.api_key != API_VERSIONS)
    has_oldest = 0 in release.definition("RequestHeader").valid_versions
    if has_oldest and (schema.api_key, schema.version) == (CONTROLLED_SHUTDOWN, 0):
        return 0
    return 1 + schema.flexible


def read_header(source: Input, name: str, version: int) -> Value:
    """Read a header, by statements 5.5 and 5.6."""
    header: Value = {}
    if name == "RequestHeader":
        header["RequestApiKey"] = source.fixed("api-key", 2)
        header["RequestApiVersion"] = source.fixed("api-version", 2)
    header["CorrelationId"] = source.fixed("correlation-id", 4)
    if name == "RequestHeader" and version > 0 and not source.misstep.has("client-id-left-out"):
        form = replace(CLIENT_ID, compact=source.misstep.has("client-id-compact"))
        header["ClientId"] = source.text("client-id", form)
    if version == HEADERS[name][-1] and source.misstep.has("section-behind"):
        if source.data[-1:] != b"\0" or not source.left:
            raise NotTaken
        source.data = source.data[:-1]
    elif version == HEADERS[name][-1] and not source.misstep.has("section-left-out"):
        tags = source.section()
        header |= {TAGS: tags} if tags else {}
    return header


def write_header(target: Output, name: str, version: int, header: Value) -> None:
    """Write a header, by statements 5.5 and 5.6."""
    names = ["RequestApiKey", "RequestApiVersion"]
    if name == "RequestHeader":
        for place, field in zip(NUMBERS, target.misstep.at("numbers", CONTENT).value(names), strict=True):
            target.fixed(place, header[field], 2)
    target.fixed("correlation-id", header["CorrelationId"], 4)
    if name == "RequestHeader" and version > 0 and not target.misstep.has("client-id-left-out"):
        form = replace(CLIENT_ID, compact=target.misstep.has("client-id-compact"))
        target.text("client-id", form, header["ClientId"])
    elif name == "ResponseHeader" and header.get("ClientId") is not None:
        raise NotTaken
    if version == HEADERS[name][-1]:
        if not (target.misstep.has("section-behind") or target.misstep.has("section-left-out")):
            target.section(header.get(TAGS, []))
    elif header.get(TAGS):
        raise NotTaken


class FrameCodec(Codec):
    """A reader and a writer of frames by the schema of a request or response."""

    def write(self, subject: MessageSchema, content: FrameContent) -> bytes:
        """Write the frame of a message."""
        numbers = {"RequestApiKey": subject.api_key, "RequestApiVersion": subject.version}
        header = numbers | {"CorrelationId": content.correlation_id, "ClientId": content.client_id}
        around, (name, version) = Output(self.writes), self._header(subject, self.writes)
        write_header(around, name, version, header | {TAGS: list(content.header_tags or ())})
        behind = b"\0" if self.writes.has("section-behind") and version == HEADERS[name][-1] else b""
        return framed(
            self.writes, bytes(around.data), bodies.write(subject.struct, content.value, self.writes) + behind
        )

    def read(self, subject: MessageSchema, source: Input) -> FrameContent:
        """Read the frame of a message."""
        total, end = len(source.data), _end_of(source)
        if source.misstep.has("short-frame-filled-with-zeros") and total < SHORT:
            source.data += bytes(SHORT)
        header = read_header(source, *self._header(subject, source.misstep))
        numbers = header.get("RequestApiKey"), header.get("RequestApiVersion")
        if subject.kind == "request" and numbers != (subject.api_key, subject.version):
            raise LeftOpen  # it is the frame of another message
        value, behind = read_body(subject, source)
        source.is_open |= behind > 0
        if source.misstep.has("bytes-behind-the-body-refused") and behind:
            raise NotTaken
        counts = {"consumed-all": total, "consumed-without-size": end - SIZE, "size-not-checked": None}
        consumed = counts.get(source.misstep.place, end)
        return FrameContent(
            header["CorrelationId"], header.get("ClientId"), value, tuple(header.get(TAGS, ())), consumed
        )

    def _header(self, schema: MessageSchema, misstep: Misstep) -> tuple[str, int]:
        around = HeaderAsked(schema, header_version(self.release, schema))
        name = "RequestHeader" if schema.kind == "request" else "ResponseHeader"
        return name, misstep.at("header-version", CONTENT).value(around).header

    def functions(self) -> dict[str, Any]:
        headers = {message: frozenset(versions) for message, versions in HEADERS.items()}
        answers = any(misstep.touches("header-answer") for misstep in (self.reads, self.writes))
        return {
            "supported": {"encode": headers, "decode": headers},
            "encode": self._encode_header,
            "decode": self._decode_header,
            "encode_frame": self._encode_frame,
            "decode_frame": self._decode_frame,
            "header_version": self._header_version if answers else None,
        }

    def _encode_header(self, schema: MessageSchema, value: Value) -> bytes:
        target = Output(self.writes)
        write_header(target, schema.message, schema.version, value)
        return bytes(target.data)

    def _decode_header(self, schema: MessageSchema, wire: bytes) -> Decoded:
        source = Input(wire, self.reads)
        return Decoded(read_header(source, schema.message, schema.version), source.at)

    def _encode_frame(  # noqa: PLR0913, PLR0917  # what a frame consists of
        self,
        release: Release,
        direction: FrameDirection,
        api_key: int,
        api_version: int,
        correlation_id: int,
        client_id: str | None,
        value: Value,
        *,
        header_tags: Any = (),
    ) -> bytes:
        content = FrameContent(correlation_id, client_id, value, header_tags)
        return replace(self, release=release).write(api_schema(release, direction, api_key, api_version), content)

    def _decode_frame(
        self, release: Release, direction: FrameDirection, api_key: int, api_version: int, wire: bytes
    ) -> FrameContent:
        schema = api_schema(release, direction, api_key, api_version)
        return self.taken(partial(replace(self, release=release).read, schema), wire)

    def _header_version(self, api_key: int, api_version: int, direction: FrameDirection) -> int:
        schema = api_schema(self.release, direction, api_key, api_version)
        around: HeaderAsked = self.reads.at("header-answer", CONTENT).value(
            HeaderAsked(schema, header_version(self.release, schema))
        )
        return around.header


def _end_of(source: Input) -> int:
    """Read the size, and limit the input to the frame."""
    size, place = source.fixed("size", SIZE), source.misstep.place
    if place == "size-not-checked" or (place == "size-negative-as-all" and size < 0):
        size = source.left
    if place == "size-beyond-the-input-cut":
        size = min(size, source.left)
    if not 0 <= size <= source.left or (place == "second-frame-refused" and size < source.left):
        raise NotTaken
    end = SIZE + size
    if place != "body-beyond-the-size":
        source.data = source.data[:end]
    return end


def framed(misstep: Misstep, header: bytes, body: bytes) -> bytes:
    """Return header and body after their size."""
    payload = body + header if misstep.has("body-first") else header + body
    if misstep.has("padded-to-four-bytes"):
        payload += bytes(-len(payload) % 4)
    target = Output(misstep)
    target.fixed("size", len(payload), SIZE)
    return bytes(target.data) + payload
