"""What an implementation owes around a message: the right version of the header, and whole requests and responses."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from conformance.blame.frame_layouts import CLIENT_ID, SIZE, frame_layout
from conformance.blame.frames import FrameSubject, blame_read_frame, blame_written_frame
from conformance.findings.violations import Violation
from conformance.generate.frames import broken_frames, broken_sections, frame_contents
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from reference import (
    Frame,
    Malformed,
    MessageSchema,
    Release,
    decode_frame,
    encode,
    request_header_version,
    response_header_version,
    to_json,
)
from reference.definitions.model import RELEASED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import FrameContent
    from conformance.blame.bodies import Blame
    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.findings.tally import Tally
    from conformance.implementation.driver import Implementation


def is_framed(schema: MessageSchema) -> bool:
    """Whether a message travels in frames: it is a request or a response, and not of a proposal."""
    is_message = schema.kind in {"request", "response"} and schema.api_key is not None
    return is_message and schema.dialect == RELEASED


def check_framing(
    implementation: Implementation,
    decoder: IsolatedDecoder | None,
    release: Release,
    schema: MessageSchema,
    tally: Tally,
) -> Iterator[Violation]:
    """Everything around one request or response: see `is_framed`."""
    yield from check_header_version(implementation, release, schema, tally)
    subject = FrameSubject(implementation, decoder, release, schema)
    if implementation.adapter.encode_frame is not None or implementation.adapter.decode_frame is not None:
        for content in frame_contents(schema, frame_layout(release, schema).header):
            tally.case("frames")
            yield from check_frame(subject, replace(content, value=implementation.judged(content.value)))
    if implementation.adapter.decode_frame is not None:
        wires = dict(_broken(subject))
        tally.case("broken frames", len(wires))
        yield from check_broken_frames(subject, wires)


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
    yield Violation(
        rule=rule,
        message=schema.message,
        version=schema.version,
        path="",
        outcome=kind,
        direction="header",
        case="header",
        expected=f"header version {expected}",
        actual=f"{actual}",
        wire="",
    )


def check_frame(subject: FrameSubject, content: FrameContent) -> Iterator[Violation]:
    """One whole request or response, written and read."""
    wire = subject.wire(content)
    yield from _check_written(subject, replace(content, value=subject.implementation.judged(content.value)))
    read = subject.decode(wire)
    if subject.is_read_wrong(content, read):
        blame = blame_read_frame(subject, content, read)
        texts = ("the frame as written", _difference(subject, content, read))
        yield _violation(subject.schema, blame, content, str(read.kind), texts, wire)


def _check_written(subject: FrameSubject, content: FrameContent) -> Iterator[Violation]:
    wire, outcome = subject.wire(content), subject.encode(content)
    if subject.is_written_wrong(content, outcome):
        blame = blame_written_frame(subject, content, outcome)
        yield _violation(subject.schema, blame, content, str(outcome.kind), (wire.hex(), str(outcome)), wire)


def _difference(subject: FrameSubject, content: FrameContent, outcome: Outcome) -> str:
    """What is wrong with a frame that was read."""
    if outcome.kind is not Kind.VALUE:
        return str(outcome)
    expected = subject.expected(content)
    part = subject.first_difference(expected, outcome.value) or ""
    return f"{part} {getattr(outcome.value, part, None)!r} instead of {getattr(expected, part)!r}"


def check_broken_frames(subject: FrameSubject, wires: dict[str, bytes]) -> Iterator[Violation]:
    """What the reference calls invalid is refused; what the protocol leaves open goes either way, but does no harm.

    A reader that misreads the plainest sound frame accepts and refuses for reasons of its own: it must do no harm.

    Args:
        subject: an implementation and the message whose frames these should be.
        wires: by the name of the case.
    """
    plain = subject.plain()
    reads_frames = not subject.is_read_wrong(plain, subject.decode(subject.wire(plain)))
    outcomes = subject.decode_many(list(wires.values()))
    for (name, wire), outcome in zip(wires.items(), outcomes, strict=True):
        error = refusal_of_frame(subject.release, subject.schema, wire)
        if error is None or outcome.kind in REFUSALS | ABSENT:
            continue
        if (error.reason is not None and reads_frames) or outcome.kind in FATAL:
            yield _not_refused(subject.schema, name, wire, error, outcome)


def refusal_of_frame(release: Release, schema: MessageSchema, wire: bytes) -> Malformed | None:
    """Why the reference does not read these bytes as a frame of this message; None: it does."""
    try:
        read_by_reference(release, schema, wire)
    except Malformed as error:
        return error
    return None


def read_by_reference(release: Release, schema: MessageSchema, wire: bytes) -> Frame:
    """The frame as the reference reads it.

    Raises:
        CodecError: it does not.
    """
    if schema.kind == "request":
        return decode_frame(release, "request", wire)
    return decode_frame(release, "response", wire, api_key=schema.api_key, api_version=schema.version)


def _broken(subject: FrameSubject) -> Iterator[tuple[str, bytes]]:
    layout, content = frame_layout(subject.release, subject.schema), subject.plain()
    header, body = encode(layout.header, layout.header_value(content)), encode(subject.schema, content.value)
    has_client_id = any(field.name == CLIENT_ID for field in layout.header.fields)
    yield from broken_frames(header, body, has_client_id=has_client_id)
    if layout.header.flexible:
        yield from broken_sections(header, body)


def _not_refused(schema: MessageSchema, name: str, wire: bytes, error: Malformed, outcome: Outcome) -> Violation:
    """Bytes behind which more or less stands than their size says are about the size, whatever is missing inside."""
    is_size = len(wire) != SIZE + int.from_bytes(wire[:SIZE], signed=True)
    return Violation(
        rule="frame.size" if is_size else error.rule,
        message=schema.message,
        version=schema.version,
        path=error.path,
        outcome=str(outcome.kind),
        direction="frame",
        case=name,
        expected="rejected" if error.reason is not None else "no crash",
        actual=str(outcome),
        wire=wire.hex(),
    )


def _violation(  # noqa: PLR0913, PLR0917  # what a violation is about
    schema: MessageSchema, blame: Blame, content: FrameContent, kind: str, texts: Sequence[str], wire: bytes
) -> Violation:
    tags = f", header tags {[tag for tag, _ in content.header_tags]}" if content.header_tags else ""
    return Violation(
        rule=blame.rule,
        message=schema.message,
        version=schema.version,
        path=blame.path,
        outcome=kind,
        direction="frame",
        case=f"client id {content.client_id!r:.20}, correlation id {content.correlation_id}{tags}",
        expected=texts[0],
        actual=texts[1],
        wire=wire.hex(),
        value=json.dumps(to_json(schema, content.value)),
    )
