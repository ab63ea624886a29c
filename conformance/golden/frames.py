"""The vectors of frames: whole requests and responses, and which header stands before which message.

A frame is `size header body`. The bodies have vectors of their own: here they are the smallest ones, and what varies is
around them. Frames that the protocol leaves open have no vectors.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from conformance.checks.frames import is_framed
from conformance.generate.frames import broken_frames, broken_sections, frame_contents
from conformance.golden.flags import flags_of_rules
from conformance.golden.lines import with_unique_ids
from conformance.golden.slugs import slug
from reference import (
    FrameDirection,
    Malformed,
    MessageSchema,
    Result,
    decode_frame,
    encode,
    encode_frame,
    header_schema,
    load_release,
    minimal,
    request_header_version,
    response_header_version,
    to_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import FrameContent
    from reference import Frame, Release

Json = dict[str, Any]

VARIED_IN = frozenset((
    "ApiVersionsRequest", "ApiVersionsResponse", "ControlledShutdownRequest", "HeartbeatRequest", "HeartbeatResponse",
))  # fmt: skip
"""Messages with every kind of header, whose frames get everything; the others' only what `FEW` says."""

_SIZE = re.compile(r"size([+-])(\d)")
_NAMES = {"+": "more", "-": "less"}


def frame_group(release: str, message: str, version: int) -> Json | None:
    """The vectors of the frames of one pair; None if it does not travel in frames."""
    source = load_release(release)
    schema = source.schema(message, version)
    if not is_framed(schema):
        return None
    header = _header(source, schema)
    vectors = [*_sound(source, schema, header), *_broken(source, schema, header)]
    return {
        "version": version,
        "flexible": schema.flexible,
        "headerVersion": header.version,
        "vectors": with_unique_ids(f"{release} {schema} frames", vectors),
    }


def header_versions(release: str) -> list[Json]:
    """Which header stands before each version of each request and response of a release."""
    source = load_release(release)
    found: dict[tuple[int, int], Json] = {}
    for schema in source.schemas():
        if is_framed(schema):
            api = re.sub("(Request|Response)$", "", schema.message)
            key = schema.api_key or 0
            entry = found.setdefault((key, schema.version), {"apiKey": key, "api": api, "version": schema.version})
            of_direction = request_header_version if schema.kind == "request" else response_header_version
            entry[f"{schema.kind}Header"] = of_direction(key, schema.version, source)
    return [found[key] for key in sorted(found)]


def _header(release: Release, schema: MessageSchema) -> MessageSchema:
    return header_schema(release, _direction(schema), schema.api_key or 0, schema.version)


def _direction(schema: MessageSchema) -> FrameDirection:
    return schema.direction


def _sound(release: Release, schema: MessageSchema, header: MessageSchema) -> Iterator[Json]:
    plain, *others = frame_contents(schema, header)
    yield _vector(release, schema, "smallest", _bytes(release, schema, plain), "HeaderVersion")
    seen = {"smallest"}
    for content in others:
        name, flag = _varied(plain, content)
        if content.value == plain.value and name not in seen and (_is_varied(schema) or name in FEW):
            seen.add(name)
            yield _vector(release, schema, name, _bytes(release, schema, content), flag)


VARIED_PAIRS = frozenset((
    ("MetadataRequest", 8), ("MetadataRequest", 9), ("MetadataResponse", 8), ("MetadataResponse", 9),
))  # fmt: skip
"""The same for some versions only: the last before flexible headers and the first of them."""


def _is_varied(schema: MessageSchema) -> bool:
    return schema.message in VARIED_IN or (schema.message, schema.version) in VARIED_PAIRS


FEW = frozenset(("client-id-null", "header-tag-5"))
"""What is varied in every frame."""


def _varied(plain: FrameContent, content: FrameContent) -> tuple[str, str]:
    """What a frame has that the plain one has not, and the flag that says so."""
    if content.correlation_id != plain.correlation_id:
        return slug("correlation-id", f"={content.correlation_id}"), "CorrelationId"
    if content.header_tags:
        return slug("header-tag", *(str(tag) for tag, _ in content.header_tags)), "HeaderTag"
    if content.client_id == plain.client_id:
        return "smallest", "HeaderVersion"
    text = content.client_id
    what = "null" if text is None else "empty" if not text else "emoji" if len(text) == 1 else f"length-{len(text)}"
    return slug("client-id", what), "ClientId"


def _bytes(release: Release, schema: MessageSchema, content: FrameContent) -> bytes:
    return encode_frame(
        release,
        _direction(schema),
        schema.api_key or 0,
        schema.version,
        content.correlation_id,
        content.client_id,
        content.value,
        header_tags=content.header_tags,
    )


def _broken(release: Release, schema: MessageSchema, header: MessageSchema) -> Iterator[Json]:
    if not _is_varied(schema):
        return
    content = next(iter(frame_contents(schema, header)))
    body = encode(schema, minimal(schema))
    framed = _bytes(release, schema, content)
    sound = framed[4 : len(framed) - len(body)]
    has_client_id = any(field.name == "ClientId" for field in header.fields)
    cases = list(broken_frames(sound, body, has_client_id=has_client_id))
    if header.flexible:
        cases += broken_sections(sound, body)
    seen: set[bytes] = set()
    for case in cases:
        name = _SIZE.sub(lambda match: f"size-{match[2]}-{_NAMES[match[1]]}", case.name)
        vector = _vector(release, schema, slug(name), case.wire, "TamperedFrame")
        if vector["result"] == Result.INVALID and case.wire not in seen:
            seen.add(case.wire)
            yield vector


def frame_verdict(release: str, message: str, version: int, wire: bytes) -> Json:
    """What a vector of a frame says of its bytes: see `conformance.golden.lines.verdict_of`."""
    source = load_release(release)
    return _verdict(source, source.schema(message, version), wire)


def _vector(release: Release, schema: MessageSchema, name: str, wire: bytes, flag: str) -> Json:
    known = _verdict(release, schema, wire)
    flags = list(dict.fromkeys((flag, *known.pop("flags"))))
    return {"id": name, "result": known.pop("result"), "wire": wire.hex(), "flags": flags, **known}


def _verdict(release: Release, schema: MessageSchema, wire: bytes) -> Json:
    try:
        frame = _read(release, schema, wire)
    except Malformed as error:
        flags = list(flags_of_rules((error.rule,)))
        if error.reason is None:
            return {"result": str(Result.UNSPECIFIED), "flags": flags}
        parts = {"reason": str(error.reason), "offset": error.offset, "path": error.path}
        return {"result": str(Result.INVALID), "flags": flags, **parts}
    return {"result": str(Result.VALID), "flags": [], "value": _value(release, schema, frame)}


def _value(release: Release, schema: MessageSchema, frame: Frame) -> Json:
    return {"header": to_json(_header(release, schema), frame.header), "body": to_json(schema, frame.value)}


def _read(release: Release, schema: MessageSchema, wire: bytes) -> Frame:
    if schema.kind == "request":
        return decode_frame(release, "request", wire)
    return decode_frame(release, "response", wire, api_key=schema.api_key, api_version=schema.version)
