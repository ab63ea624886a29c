"""Which explanation the bytes of a case have: of a body, a frame, a stored message, a wire type, record batches.

An explainer raises an error of this project for bytes that nothing explains; pages show those without a meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from conformance.codec.outcome import Kind
from conformance.codec.targets import RECORD_BATCHES
from conformance.judge.findings.events import Answered
from conformance.report.explain.alone import explain_stored, explain_wire_type
from conformance.report.explain.explained_frames import (
    SIZE,
    SIZE_RULE,
    explain_answer,
    explain_frame,
    explain_header,
    explain_response,
    request_of,
)
from conformance.report.explain.explained_messages import CONSUMER, explain_group_message, explain_message
from conformance.report.explain.explained_records import explain_records
from conformance.report.explain.explanation import Explanation, Part
from reference import ConformanceError, Release, UnsupportedApi, load_release

if TYPE_CHECKING:
    from conformance.judge.findings.forms import Broken

Explain = Callable[[bytes], Explanation]

SERVER, SEEN, FRAME, STORED, ANSWER = "exchange", "seen", "frame", "stored", "answer"
"""Kinds of cases whose bytes are more than a body."""

WIRE_TYPES = frozenset(("primitive", "primitive-bytes"))
WITHOUT_MEANING = "header"
"""The kind of cases whose bytes are shown as they are."""


class Said(NamedTuple):
    """Bytes that an implementation wrote or answered, of which the case has no other side."""

    title: str
    wire: bytes
    explain: Explain


def explainer(case: Broken, release: str) -> Explain:
    """Return what explains the bytes that an implementation was given; of captures the bytes that were seen."""
    if case.kind.startswith("records-") or case.message == RECORD_BATCHES:
        return explain_records
    if case.kind in WIRE_TYPES:
        return partial(explain_wire_type, case.message)
    return lambda wire: _explained(load_release(case.release or release), case, wire)


def explainer_of_written(case: Broken, release: str) -> Explain:
    """Return what explains what a program wrote: of black boxes a body, if it is not about the header."""
    if case.kind not in {SERVER, SEEN} or case.message == RECORD_BATCHES:
        return explainer(case, release)
    return lambda wire: _body(case, release, wire)


def said_of(case: Broken, release: str) -> Said | None:
    """Return what was written although it should not have been, or what a server answered; None if nothing was."""
    if case.kind == SERVER:
        return _answer(case, release)
    if case.kind == SEEN or case.outcome != Kind.BYTES:
        return None
    held = case.observation.wire if isinstance(case.observation, Answered) else None
    if held is None or not held.length:
        return None
    wire = bytes.fromhex(held.start)
    if held.is_whole:
        return Said("The bytes that were written", wire, explainer(case, release))
    return Said(f"The first {len(wire):,} of {held.length // 2:,} bytes that were written", wire, _unexplained)


def _unexplained(_: bytes) -> Explanation:
    raise ConformanceError("nothing explains a part of a message")


def _answer(case: Broken, release: str) -> Said | None:
    """Return the answer of a server: a frame without its size, or what came of one; None if nothing came."""
    wire, is_whole = bytes.fromhex(case.answer or ""), bool(case.is_whole)
    if not wire:
        return None
    title = "The answer, without its size" if is_whole else "What came of an answer"
    return Said(title, wire, partial(_response, case, release, sized=not is_whole))


def _response(case: Broken, name: str, wire: bytes, *, sized: bool) -> Explanation:
    """Return the explanation of an answer to the request that the case is about."""
    release = load_release(case.release or name)
    api_key = release.schema(case.message, case.version).api_key
    if api_key is None:
        raise ConformanceError(f"{case.message} is no request and no response")
    return explain_response(release, api_key, case.version, wire, sized=sized)


def _body(case: Broken, name: str, wire: bytes) -> Explanation:
    if case.path.startswith("header"):
        raise ConformanceError("nothing explains the bytes of a header alone")
    return explain_message(load_release(case.release or name).schema(case.message, case.version), wire)


def _explained(release: Release, case: Broken, wire: bytes) -> Explanation:
    if case.kind == WITHOUT_MEANING:
        raise ConformanceError(f"nothing explains the bytes of {case.kind}")
    if case.kind == SERVER:
        return _request(release, wire)
    schema = release.schema(case.message, case.version)
    if case.kind == STORED:
        return explain_stored(release, schema, wire)
    if case.kind == FRAME or (case.kind == SEEN and not case.within):
        return _frame(release, case, wire, sized=case.kind == FRAME)
    if case.kind == ANSWER:
        return explain_answer(release, schema, wire)
    inner = explain_group_message(case.message, wire, CONSUMER) if case.kind == SEEN else None
    return inner or explain_message(schema, wire)


def _request(release: Release, frame: bytes) -> Explanation:
    """Return the explanation of a request; of one that the release has not, that of its size and its header."""
    try:
        return explain_frame(release, frame)
    except UnsupportedApi as error:
        header = explain_header(release, "request", request_of(frame), frame[SIZE:], str(error))
        size = Part(0, SIZE, "size", "int32", "number", str(int.from_bytes(frame[:SIZE], signed=True)), SIZE_RULE)
        behind = (replace(part, start=SIZE + part.start, end=SIZE + part.end) for part in header.parts)
        return replace(header, wire=frame, parts=(size, *behind))


def _frame(release: Release, case: Broken, wire: bytes, *, sized: bool) -> Explanation:
    schema = release.schema(case.message, case.version)
    if schema.kind == "response" and schema.api_key is not None:
        return explain_response(release, schema.api_key, case.version, wire, sized=sized)
    if schema.kind == "request":
        return explain_frame(release, wire, sized=sized)
    return explain_message(schema, wire)
