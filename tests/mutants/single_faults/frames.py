"""Single faults of headers and frames, read and written by chapter 5; the reference reads and writes bodies alone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from conformance.adapter import FrameContent
from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.checks.frame_cases import frame_checks
from conformance.judge.engine import violations
from conformance.vectors.tree.vector_paths import VectorFile
from reference import (
    MessageSchema,
    Release,
    load_release,
    minimal,
)
from tests.mutants.mutant import selected
from tests.mutants.single_faults import inputs
from tests.mutants.single_faults.family import CodecFaults
from tests.mutants.single_faults.fault import Seen
from tests.mutants.single_faults.frame_ways import wrongs
from tests.mutants.single_faults.judging import seen_by
from tests.mutants.single_faults.wrong import Wrong
from tests.second_codec.frames import CONTROLLED_SHUTDOWN, HEADERS, FrameCodec
from tests.second_codec.steps import Input


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
