"""What an implementation owes around a message: the right version of the header, and whole requests and responses."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conformance.checks.outcomes import ABSENT, Kind, Outcome
from conformance.checks.violations import Violation
from conformance.generate.edges import UNKNOWN_TAGS
from conformance.generate.values import sample
from reference import (
    FrameDirection,
    MessageSchema,
    Release,
    decode_frame,
    difference,
    encode,
    encode_frame,
    header_schema,
    minimal,
    request_header_version,
    response_header_version,
    to_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.checks.implementation import Implementation
    from conformance.checks.tally import Tally

CLIENT_IDS = ("kafka", "", None, "\N{GRINNING FACE}", "c" * 127, "c" * 128)
"""Client ids: usual, empty, null, of more than one byte a character, around a compact length's first step."""

CORRELATION_IDS = (1, -1, 2**31 - 1, -(2**31))
"""The correlation id has a sign, and is not looked at."""


def is_framed(schema: MessageSchema) -> bool:
    """Whether a message travels in frames: it is a request or a response."""
    return schema.kind in {"request", "response"} and schema.api_key is not None


def check_framing(
    implementation: Implementation, release: Release, schema: MessageSchema, tally: Tally
) -> Iterator[Violation]:
    """Everything around one request or response: see `is_framed`."""
    yield from check_header_version(implementation, release, schema, tally)
    if implementation.adapter.encode_frame is None and implementation.adapter.decode_frame is None:
        return
    for correlation_id, client_id, value in _contents(schema):
        tally.case("frames")
        own_client_id = client_id if schema.kind == "request" else None
        yield from check_frame(implementation, release, schema, (correlation_id, own_client_id, value))
    yield from _check_header_tags(implementation, release, schema)


def _check_header_tags(implementation: Implementation, release: Release, schema: MessageSchema) -> Iterator[Violation]:
    """A flexible header may carry tagged fields that nobody knows: the frame is read all the same."""
    if not _header(release, schema).flexible:
        return
    direction: FrameDirection = "request" if schema.kind == "request" else "response"
    content = (7, "kafka" if direction == "request" else None, minimal(schema))
    for tag in UNKNOWN_TAGS:
        key, tags = schema.api_key or 0, [(tag, b"\xca\xfe")]
        wire = encode_frame(release, direction, key, schema.version, *content, header_tags=tags)
        outcome = implementation.decode_frame(release, schema.kind, key, schema.version, wire)
        problem = "" if outcome.kind in ABSENT else _difference(schema, content, outcome)
        if problem:
            texts = ("the frame as written", problem)
            yield _violation(schema, "tag.unknown-accepted", str(outcome.kind), "frame", texts, wire)


def check_header_version(
    implementation: Implementation, release: Release, schema: MessageSchema, tally: Tally
) -> Iterator[Violation]:
    """The header that goes before a message."""
    if implementation.adapter.header_version is None:
        return
    tally.case("header versions")
    is_request = schema.kind == "request"
    of_direction = request_header_version if is_request else response_header_version
    key = schema.api_key or 0
    expected = of_direction(key, schema.version, release)
    actual = implementation.header_version(key, schema.version, schema.kind)
    if actual == expected or (isinstance(actual, Outcome) and actual.kind in ABSENT):
        return
    rule = "header.request-version" if is_request else "header.response-version"
    kind = str(actual.kind) if isinstance(actual, Outcome) else "header-version"
    yield _violation(schema, rule, kind, "header", (f"header version {expected}", f"{actual}"))


def _contents(schema: MessageSchema) -> Iterator[tuple[int, str | None, dict[str, Any]]]:
    for client_id in CLIENT_IDS:
        yield 7, client_id, minimal(schema)
    for correlation_id in CORRELATION_IDS:
        yield correlation_id, "kafka", minimal(schema)
    yield 7, "kafka", sample(schema, "frame")


def check_frame(
    implementation: Implementation, release: Release, schema: MessageSchema, content: tuple[Any, ...]
) -> Iterator[Violation]:
    """One whole request or response: `content` is its correlation id, client id and value."""
    key = schema.api_key or 0
    wire = encode_frame(release, schema.kind, key, schema.version, *content)  # type: ignore[arg-type]  # see check_framing
    outcome = implementation.encode_frame(release, schema.kind, key, schema.version, *content)
    if outcome.kind not in ABSENT and outcome.wire != wire:
        rule = _rule_of_difference(release, schema, wire, outcome)
        yield _violation(schema, rule, str(outcome.kind), "frame", (wire.hex(), str(outcome)), wire, content)
    read = implementation.decode_frame(release, schema.kind, key, schema.version, wire)
    if read.kind in ABSENT:
        return
    has_client_id = any(field.name == "ClientId" for field in _header(release, schema).fields)
    correlation_id, client_id, value = content
    problem = _difference(schema, (correlation_id, client_id if has_client_id else None, value), read)
    if problem:
        yield _violation(schema, "message.accepted", str(read.kind), "frame", ("the frame as written", problem), wire)


def _rule_of_difference(release: Release, schema: MessageSchema, wire: bytes, outcome: Outcome) -> str:
    """What the first different byte is about: the size, the header and its parts, or the body."""
    if outcome.wire is None:
        return "message.writable"
    if outcome.wire[SIZE:] == wire[SIZE:]:
        return "frame.size"
    at = _first_difference(wire[SIZE:], outcome.wire[SIZE:]) + SIZE
    header_end = len(wire) - _body_length(release, schema, wire)
    if at >= header_end:
        return "message.nothing-else"
    is_request = schema.kind == "request"
    if _header(release, schema).flexible and at == header_end - 1:
        return "tag.section"
    if is_request and at >= CLIENT_ID_AT:
        return "header.client-id"
    return "header.request-version" if is_request else "header.response-version"


SIZE = 4
CLIENT_ID_AT = SIZE + 8


def _first_difference(one: bytes, other: bytes) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (left, right) in pairs if left != right), min(len(one), len(other)))


def _header(release: Release, schema: MessageSchema) -> MessageSchema:
    """The header that goes before a message; header 0 of requests has no client id."""
    direction: FrameDirection = "request" if schema.kind == "request" else "response"
    return header_schema(release, direction, schema.api_key or 0, schema.version)


def _body_length(release: Release, schema: MessageSchema, wire: bytes) -> int:
    """How many of a frame's bytes are its body."""
    if schema.kind == "request":
        frame = decode_frame(release, "request", wire)
    else:
        frame = decode_frame(release, "response", wire, api_key=schema.api_key, api_version=schema.version)
    return len(encode(schema, frame.value))


def _difference(schema: MessageSchema, content: tuple[Any, ...], outcome: Outcome) -> str:
    """What is wrong with a frame that was read; empty if nothing is."""
    correlation_id, client_id, value = content
    if outcome.kind is not Kind.VALUE:
        return str(outcome)
    frame = outcome.value
    for name, expected in (("correlation_id", correlation_id), ("client_id", client_id)):
        actual = getattr(frame, name, None)
        if actual != expected:
            return f"{name} {actual!r} instead of {expected!r}"
    found = difference(schema, value, getattr(frame, "value", None))
    return "" if found is None else f"{found.path}: {found.actual!r} instead of {found.expected!r}"


def _violation(  # noqa: PLR0913, PLR0917  # what a violation is about
    schema: MessageSchema,
    rule: str,
    kind: str,
    direction: str,
    texts: tuple[str, str],
    wire: bytes = b"",
    content: tuple[Any, ...] | None = None,
) -> Violation:
    return Violation(
        rule=rule,
        message=schema.message,
        version=schema.version,
        path="",
        outcome=kind,
        direction=direction,
        case=f"client id {content[1]!r:.20}, correlation id {content[0]}" if content else direction,
        expected=texts[0],
        actual=texts[1],
        wire=wire.hex(),
        value=json.dumps(to_json(schema, content[2])) if content else "",
    )
