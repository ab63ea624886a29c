"""The explanation of a whole request or response, or of a header alone.

A reader stops at an impossible size. The explanation does not, and names the bytes after it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from reference.answers import version_of_body, version_of_response
from reference.codec import trace
from reference.errors import ConformanceError, Malformed, Reason, Unencodable
from reference.explained.bodies import explain_message, with_embedded
from reference.explained.explanation import TRAILING, Explanation, WirePart, not_judged
from reference.explained.placing import TRAILING_BYTES, body_parts, conclusion_of, stopped
from reference.explained.shown_values import Caption, describer
from reference.headers import REQUEST_HEADER, RESPONSE_HEADER, UnsupportedApi, api_schema, header_schema
from reference.layouts import FRAME
from reference.oracle import Result
from reference.paths import field_at
from reference.protocols import wire_type_of
from reference.release import load_release, newest_release
from reference.wire.lengths import HIGHEST_INT32

if TYPE_CHECKING:
    from reference.release import Release
    from reference.schema import FieldSchema, FrameDirection, MessageSchema
    from reference.wire.stream import LenientReader, Span

SIZE = 4
"""The number of bytes of the size of a frame."""

KEY_AND_VERSION = 4
"""The number of bytes of the API key and the version, the first fields of every request header."""

SIZE_RULE = "frame.size"
HEADER, BODY = "header", "body"

HEADER = "header"
SIMPLEST = {"request": (REQUEST_HEADER, 1), "response": (RESPONSE_HEADER, 0)}
"""The fields at the beginning of every header, by direction."""


class NoFrame(ConformanceError):
    """A frame too short for an API key and a version."""


@dataclass
class _FrameParts:
    """The schemas of a frame, and the values of header and body, as far as they were read by them.

    The frame begins with its size if `sized`.
    """

    release: Release
    header: MessageSchema
    body: MessageSchema
    sized: bool
    values: list[dict[str, Any]] = field(default_factory=list)

    def read(self, reader: LenientReader) -> None:
        if self.sized:
            FRAME.read(reader)
        for name, schema in ((HEADER, self.header), (BODY, self.body)):
            self.values.append(wire_type_of(schema).read(reader, ("", name)))

    def field_at(self, path: str) -> FieldSchema | None:
        part, _, below = path.partition(".")
        schema = {HEADER: self.header, BODY: self.body}.get(part)
        return field_at(schema.body, below) if schema else None

    def canonical(self) -> bytes | None:
        try:
            written = zip((self.header, self.body), self.values, strict=True)
            payload = b"".join(wire_type_of(schema).write(value) for schema, value in written)
        except (Unencodable, ValueError):
            return None
        return FRAME.write({"size": len(payload)}) + payload if self.sized else payload


def explain_frame(release: Release, frame: bytes, *, sized: bool = True) -> Explanation:
    """Return the explanation of a request, whose header has the API key and the version of its body.

    Args:
        release: the release of the definitions.
        frame: the bytes. Bytes after the frame belong to the next one and are not explained.
        sized: whether they begin with the size.

    Raises:
        NoFrame: the frame is too short for an API key and a version.
        UnsupportedApi: the release has no such API, or no such version of it.
    """
    return _explained(release, "request", request_of(frame, sized=sized), frame, sized=sized)


def request_of(frame: bytes, *, sized: bool = True) -> tuple[int, int]:
    """Return the API key and the version of a request, or raise NoFrame if the frame is too short for them."""
    start = SIZE if sized else 0
    if len(frame) < start + KEY_AND_VERSION:
        first = "an int32 with its size, the int16 of its API key" if sized else "the int16 of its API key"
        raise NoFrame(f"{len(frame)} bytes are no request: one begins with {first}, and the int16 of its version")
    api_key, version = (int.from_bytes(frame[at : at + 2], "big", signed=True) for at in (start, start + 2))
    return api_key, version


def explain_response(release: Release, api_key: int, version: int, frame: bytes, *, sized: bool = True) -> Explanation:
    """Return the explanation of a response, that to ApiVersions in the version in which a client reads it.

    Args:
        release: the release of the definitions.
        api_key: the API key of the request.
        version: the version of the request.
        frame: the bytes. Bytes after the frame belong to the next one and are not explained.
        sized: whether they begin with the size.

    Raises:
        UnsupportedApi: the release has no such API, or no such version of it.
    """
    read = version
    if not sized or _size_fault(frame) is None:
        payload = frame[SIZE : _end(frame)] if sized else frame
        read = version_of_response(release, api_key, version, payload)
    explanation = _explained(release, "response", (api_key, read), frame, sized=sized)
    return explanation if read == version else _noted(explanation, read)


def explain_answer(release: Release, schema: MessageSchema, body: bytes) -> Explanation:
    """Return the explanation of the body of a response, for a client with a request in the version of the schema."""
    read = version_of_body(release, schema.api_key or 0, schema.version, body)
    explanation = explain_message(release.schema(schema.message, read), body)
    return explanation if read == schema.version else _noted(explanation, read)


def read_as(version: int) -> str:
    """Return the words for a response in another version than its request."""
    return f"read as version {version}, as Apache Kafka does"


def _noted(explanation: Explanation, version: int) -> Explanation:
    return replace(explanation, verdict=replace(explanation.verdict, detail=read_as(version)))


def _explained(
    release: Release, direction: FrameDirection, api: tuple[int, int], wire: bytes, *, sized: bool
) -> Explanation:
    frame = _FrameParts(release, header_schema(release, direction, *api), api_schema(release, direction, *api), sized)
    size_fault = _size_fault(wire) if sized else None
    # With an impossible size nobody knows the end of the frame: all bytes are read as its header and body.
    end = _end(wire) if sized and size_fault is None else len(wire)
    read = trace(wire[:end], frame.read, frame.body.limits)
    parts = body_parts(frame.field_at, wire[:end], read, partial(_describe, frame))
    conclusion = conclusion_of(read, frame.canonical() if read.fault is None else None, frame.body.dialect)
    if size_fault is not None:
        parts = (replace(parts[0], deviation=stopped(size_fault)), *parts[1:])
        conclusion = replace(
            conclusion,
            result=str(Result.INVALID),
            rules=(SIZE_RULE,),
            reason=str(size_fault.reason),
            offset=size_fault.offset,
            path=size_fault.path,
            detail=size_fault.detail,
            readers=dict.fromkeys(conclusion.readers, "rejects"),
        )
    if end < len(wire):
        parts = (*parts, WirePart(end, len(wire), "", "", TRAILING, "not of this frame"))
    title = f"{frame.body.message} v{frame.body.version}, a whole frame"
    return with_embedded(Explanation(title, wire, parts, conclusion), frame.body, f"{BODY}.")


def _end(wire: bytes) -> int:
    return SIZE + int.from_bytes(wire[:SIZE], "big")


def _size_fault(wire: bytes) -> Malformed | None:
    size = int.from_bytes(wire[:SIZE], "big", signed=True)
    if len(wire) < SIZE:
        return Malformed(SIZE_RULE, Reason.TRUNCATED, len(wire), "size")
    if size < 0:
        return Malformed(SIZE_RULE, Reason.NEGATIVE_LENGTH, 0, "size", f"the size is {size}")
    if size > min(len(wire) - SIZE, HIGHEST_INT32):
        detail = f"{size} bytes, there are {len(wire) - SIZE}"
        return Malformed(SIZE_RULE, Reason.LENGTH_EXCEEDS_INPUT, 0, "size", detail)
    return None


def _describe(frame: _FrameParts, span: Span, piece: bytes) -> Caption:
    if span.path == "size":
        return Caption("int32", str(int.from_bytes(piece, "big", signed=True)))
    return describer(frame.field_at, frame.release)(span, piece)


def explain_header(
    release: Release, direction: FrameDirection, api: tuple[int, int], wire: bytes, why: str
) -> Explanation:
    """Return the explanation of the header of a frame without its size. Bytes after the header have no meaning here.

    For an API unknown to the release, the fields of every header are used. `why` is the reason for the missing verdict.
    """
    header = _header(release, direction, api)
    read = trace(wire, lambda reader: wire_type_of(header).read(reader, ("", HEADER)))
    # Bytes after the header are a body that cannot be read, and no fault of the frame.
    kept = tuple(each for each in read.deviations if each.rule != TRAILING_BYTES)
    fields = partial(_field_at, header)
    parts = body_parts(fields, wire, replace(read, deviations=kept), describer(fields, release))
    return Explanation(f"the header of a {direction}", wire, parts, not_judged(why))


def _header(release: Release, direction: FrameDirection, api: tuple[int, int]) -> MessageSchema:
    try:
        return header_schema(release, direction, *api)
    except UnsupportedApi:
        name, version = SIMPLEST[direction]
        return load_release(newest_release()).schema(name, version)


def _field_at(header: MessageSchema, path: str) -> FieldSchema | None:
    return field_at(header.body, path.partition(".")[2])
