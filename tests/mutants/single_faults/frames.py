"""Single faults of headers and frames, read and written by chapter 5; the reference reads and writes bodies alone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from conformance.adapter import Decoded, FrameContent
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.checks.frame_cases import frame_checks
from conformance.judge.engine import violations
from conformance.vectors.tree.vector_paths import VectorFile
from reference import (
    TAGS,
    CodecError,
    FrameDirection,
    MessageSchema,
    Release,
    api_schema,
    encode,
    load_release,
    minimal,
)
from tests.mutants.mutant import selected
from tests.mutants.single_faults import inputs
from tests.mutants.single_faults.bodies import read_body
from tests.mutants.single_faults.family import CodecFaults
from tests.mutants.single_faults.fault import Seen
from tests.mutants.single_faults.frame_ways import HeaderAsked, wrongs
from tests.mutants.single_faults.judging import seen_by
from tests.mutants.single_faults.wrong import Wrong
from tests.second_codec.steps import SOUND, TEXT, ContentWay, Input, LeftOpen, Misstep, NotTaken, Output

CLIENT_ID = replace(TEXT, nullable=True)
SIZE = 4
NUMBERS = ("api-key", "api-version")
API_VERSIONS, CONTROLLED_SHUTDOWN = 18, 7
HEADERS = {"RequestHeader": (0, 1, 2), "ResponseHeader": (0, 1)}
Value = dict[str, Any]


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
    if name == "RequestHeader" and version > 0:
        form = replace(CLIENT_ID, compact=source.misstep.has("client-id-compact"))
        header["ClientId"] = source.text("client-id", form)
    if version == HEADERS[name][-1] and not source.misstep.has("section-not-read"):
        tags = source.section()
        header |= {TAGS: tags} if tags else {}
    return header


def write_header(target: Output, name: str, version: int, header: Value) -> None:
    """Write a header, by statements 5.5 and 5.6."""
    names = ["RequestApiKey", "RequestApiVersion"]
    if name == "RequestHeader":
        for place, field in zip(NUMBERS, target.misstep.at("numbers", ContentWay()).value(names), strict=True):
            target.fixed(place, header[field], 2)
    target.fixed("correlation-id", header["CorrelationId"], 4)
    if name == "RequestHeader" and version > 0:
        form = replace(CLIENT_ID, compact=target.misstep.has("client-id-compact"))
        target.text("client-id", form, header["ClientId"])
    elif name == "ResponseHeader" and header.get("ClientId") is not None:
        raise NotTaken
    if version == HEADERS[name][-1]:
        if not target.misstep.has("section-not-written"):
            target.section(header.get(TAGS, []))
    elif header.get(TAGS):
        raise NotTaken


@dataclass(frozen=True)
class FrameCodec:
    """A reader and a writer of frames, one of which may be wrong in one step."""

    release: Release
    reads: Misstep = SOUND
    writes: Misstep = SOUND

    def encode_frame(  # noqa: PLR0913, PLR0917  # what a frame consists of
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
        schema = api_schema(release, direction, api_key, api_version)
        numbers = {"RequestApiKey": api_key, "RequestApiVersion": api_version, "CorrelationId": correlation_id}
        header = numbers | {"ClientId": client_id, TAGS: list(header_tags)}
        around = Output(self.writes)
        write_header(around, *self._header(release, schema, self.writes), header)
        return framed(self.writes, bytes(around.data), encode(schema, value))

    def decode_frame(
        self, release: Release, direction: FrameDirection, api_key: int, api_version: int, wire: bytes
    ) -> FrameContent:
        return self.read(release, api_schema(release, direction, api_key, api_version), Input(wire, self.reads))

    def read(self, release: Release, schema: MessageSchema, source: Input) -> FrameContent:
        """Read the frame of a message."""
        total, end = len(source.data), _end_of(source)
        header = read_header(source, *self._header(release, schema, source.misstep))
        numbers = header.get("RequestApiKey"), header.get("RequestApiVersion")
        if schema.kind == "request" and numbers != (schema.api_key, schema.version):
            raise LeftOpen  # it is the frame of another message
        value, behind = read_body(schema, source)
        source.is_open |= behind > 0
        if source.misstep.has("bytes-behind-the-body-refused") and behind:
            raise NotTaken
        consumed = {"consumed-all": total, "consumed-without-size": end - SIZE}.get(source.misstep.place, end)
        return FrameContent(
            header["CorrelationId"], header.get("ClientId"), value, tuple(header.get(TAGS, ())), consumed
        )

    def _header(self, release: Release, schema: MessageSchema, misstep: Misstep) -> tuple[str, int]:
        around = HeaderAsked(schema, header_version(release, schema))
        name = "RequestHeader" if schema.kind == "request" else "ResponseHeader"
        return name, misstep.at("header-version", ContentWay()).value(around).header

    def encode(self, schema: MessageSchema, value: Value) -> bytes:
        target = Output(self.writes)
        write_header(target, schema.message, schema.version, value)
        return bytes(target.data)

    def decode(self, schema: MessageSchema, wire: bytes) -> Decoded:
        source = Input(wire, self.reads)
        return Decoded(read_header(source, schema.message, schema.version), source.at)

    def adapter(self, name: str) -> LoadedAdapter:
        headers = {message: frozenset(versions) for message, versions in HEADERS.items()}
        return LoadedAdapter(
            spec="",
            name=name,
            version="0",
            supported={"encode": headers, "decode": headers},
            encode=self.encode,
            decode=self.decode,
            encode_frame=self.encode_frame,
            decode_frame=self.decode_frame,
            rejections=(NotTaken, CodecError),
            capabilities=frozenset({"unknown-tags"}),
        )


def _end_of(source: Input) -> int:
    """Read the size, and leave of the input what is in the frame."""
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
    """Return header and body behind their size."""
    payload = body + header if misstep.has("body-first") else header + body
    if misstep.has("padded-to-four-bytes"):
        payload += bytes(-len(payload) % 4)
    target = Output(misstep)
    target.fixed("size", len(payload), SIZE)
    return bytes(target.data) + payload


def codec_of(wrong: Wrong) -> FrameCodec:
    """Return the codec that is wrong in one step."""
    release = load_release(wrong.release)
    return (
        FrameCodec(release, reads=wrong.misstep)
        if wrong.side == "decode"
        else FrameCodec(release, writes=wrong.misstep)
    )


def judged(codec: FrameCodec, wrong: Wrong) -> Seen:
    """Return what shows a codec of headers and frames."""
    schemas = selected(wrong.release, wrong.subject)

    def check(session: Session) -> Iterator[Violation]:
        for schema in schemas:
            yield from violations(session, frame_checks(session, schema))

    return seen_by(codec.adapter(wrong.name), codec.release, check, vector_files(wrong, schemas))


def vector_files(wrong: Wrong, schemas: Sequence[MessageSchema]) -> Iterator[VectorFile]:
    """Yield the files on which a fault can show."""
    for message in dict.fromkeys(schema.message for schema in schemas):
        yield VectorFile(wrong.release, "frames", message)
    for header in HEADERS:
        yield VectorFile(wrong.release, "headers", header)


@lru_cache(maxsize=2)
def sound(release: str, side: str, place: str, pairs: str) -> Sequence[tuple[tuple[MessageSchema, Any], inputs.Made]]:
    """Return contents, or sound and damaged bytes, of frames, each with what a sound codec makes of it."""
    codec = FrameCodec(load_release(release))
    return [
        ((schema, each), _TRIES[side](codec, schema, each))
        for schema in selected(release, pairs)
        for each in (contents(place, schema) if side == "encode" else wires(codec.release, place, schema))
    ]


def wires(release: Release, place: str, schema: MessageSchema) -> Iterator[bytes]:
    """Yield sound and damaged frames of a message."""
    places = (place,) if place in NUMBERED else NUMBERED
    yield from inputs.damaged(
        lambda misstep, content: write(FrameCodec(release, writes=misstep), schema, content),
        contents(place, schema),
        *places,
    )


NUMBERED = ("size", "correlation-id", "client-id", "section-count", "section-tag", "section-size")


def write(codec: FrameCodec, schema: MessageSchema, content: FrameContent) -> bytes:
    """Write the frame of a message."""
    numbers = schema.direction, schema.api_key or 0, schema.version, content.correlation_id
    return codec.encode_frame(
        codec.release, *numbers, content.client_id, content.value, header_tags=content.header_tags or ()
    )


def _written(codec: FrameCodec, schema: MessageSchema, content: FrameContent) -> inputs.Made:
    return inputs.outcome(lambda: write(codec, schema, content))


def _read(codec: FrameCodec, schema: MessageSchema, wire: bytes) -> inputs.Made:
    source = Input(wire, codec.reads)
    return inputs.outcome(lambda: codec.read(codec.release, schema, source), source)


def contents(place: str, schema: MessageSchema) -> Iterator[FrameContent]:
    """Yield frames that differ at a place, and a plain one first."""
    client_id = "kafka" if schema.kind == "request" and schema.api_key != CONTROLLED_SHUTDOWN else None
    plain = FrameContent(7, client_id, minimal(schema), ())
    yield plain
    yield replace(plain, correlation_id=0x01020304)
    if place == "correlation-id":
        yield from (replace(plain, correlation_id=number) for number in inputs.numbers(-(2**31), 2**31 - 1))
    if place == "client-id" and schema.kind == "request":
        yield from (replace(plain, client_id=each) for each in inputs.texts())
    if place.startswith("section"):
        yield from (replace(plain, header_tags=tuple(each)) for each in (*inputs.ENTRIES, *inputs.BAD_ENTRIES))
    if place == "frame":
        yield from (replace(plain, header_tags=tuple(each)) for each in (*inputs.ENTRIES[1:4], *inputs.BAD_ENTRIES))
    for field in schema.fields if place == "size" else ():
        if field.type == "bytes":
            yield from (replace(plain, value={field.name: bytes(length)}) for length in BODIES)


BODIES = (100, 127, 128, 256, 16_384, 32_768, 65_536, 2**21, 2**24)
"""The bytes of a body by which each byte of a size counts."""


_TRIES: dict[str, Callable[[FrameCodec, MessageSchema, Any], inputs.Made]] = {"encode": _written, "decode": _read}


FAMILY: CodecFaults[FrameCodec, tuple[MessageSchema, Any]] = CodecFaults(
    "frames",
    wrongs,
    codec_of,
    lambda wrong: sound(wrong.release, wrong.side, wrong.place, wrong.subject),
    lambda codec, wrong, given: _TRIES[wrong.side](codec, *given),
    judged,
)
