"""Frames without secrets, and without the contents of records on request.

A redacted frame keeps every departure: bytes are replaced in their places, and sizes and checksums follow. If the bytes
to replace cannot be found, a frame with possible secrets is cut after its correlation id.

The contents of records are keys, values and values of headers. Their lengths stay. Valid checksums become valid again,
wrong ones stay wrong. Compressed batches are compressed anew.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.live.capture.conversation import SASL_TOKEN, Conversation, SeenFrame
from conformance.live.capture.embedded import PLACES, RECORDS
from conformance.live.capture.frame_verdict import HEADER_RULES
from conformance.live.capture.pairing import CORRELATION_ID, HEAD, SIZE
from reference import CodecError, Result, encode_records, judge, judge_records, records_spans
from reference.codec import spans_up_to_fault
from reference.records.checksums import crc32c
from reference.records.layouts import COVERED_FROM, CRC, HEADER_SIZE, LENGTH, MAGIC_AT, OVERHEAD, UP_TO_MAGIC
from reference.wire.varints import UNSIGNED_VARINT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.capture.capture import CapturedFrame, Redaction
    from conformance.live.capture.frame_verdict import JudgedFrame
    from reference import Span

SECRETS = {
    "SaslAuthenticateRequest": {"AuthBytes"},
    "SaslAuthenticateResponse": {"AuthBytes"},
    "AlterUserScramCredentialsRequest": {"Salt", "SaltedPassword"},
    "CreateDelegationTokenResponse": {"Hmac"},
    "DescribeDelegationTokenResponse": {"Hmac"},
    "RenewDelegationTokenRequest": {"Hmac"},
    "ExpireDelegationTokenRequest": {"Hmac"},
    "EnvelopeRequest": {"RequestData"},
    "EnvelopeResponse": {"ResponseData"},
}
"""Fields emptied in every capture."""

SETTINGS = {
    "AlterConfigsRequest": {"Value"},
    "IncrementalAlterConfigsRequest": {"Value"},
    "CreateTopicsRequest": {"Value"},
    "DescribeConfigsResponse": {"Value"},
}
"""Fields emptied if the contents of records are redacted."""


RECORDED = frozenset(
    message for message, places in PLACES.items() if any(place.contents == RECORDS for place in places)
) | {"FetchSnapshotResponse"}

Blank = Callable[[bytes], bytes]
"""Returns as many bytes as it gets."""

BATCH, SMALLEST = 2, 14
ATTRIBUTES_AT = 21
CODEC_BITS, CONTROL_BIT = 0x07, 0x20
CONTENTS = re.compile(r"\.(records\[\d+\]\.(key|value)|headers\[\d+\]\.value)$")
"""The paths of blanked contents in a batch of magic 2."""


class Edit(NamedTuple):
    """New bytes for a part of a body.

    Attributes:
        emptied: the field that is empty now, and the number of its bytes before; None of another edit.
    """

    start: int
    end: int
    wire: bytes
    emptied: tuple[str, int] | None = None


class Redactor:
    """Redacts the frames of a capture, in their order."""

    def __init__(self, definitions: Definitions, how: Redaction) -> None:
        self._definitions = definitions
        self._blank = blank_for(how)
        self._messages = {message for release in definitions.among for message in release.messages}
        self._groups: dict[str, str] = {}
        self._connections: dict[int, Conversation] = {}

    def take_all(self, frames: Iterable[CapturedFrame]) -> Iterator[CapturedFrame]:
        """Yield each frame in its redacted form."""
        return map(self.take, frames)

    def skip(self, frame: CapturedFrame) -> None:
        """Take a frame that is not used, as far as later frames need it."""
        self._conversation(frame).skip(frame)

    def _conversation(self, frame: CapturedFrame) -> Conversation:
        if frame.connection not in self._connections:
            self._connections[frame.connection] = Conversation(self._definitions, self._groups)
        return self._connections[frame.connection]

    def take(self, frame: CapturedFrame) -> CapturedFrame:
        """Return a frame in its redacted form."""
        conversation = self._conversation(frame)
        if frame.is_rest:
            is_open = self._blank is None and not conversation.is_authenticating
            return frame if is_open else _cut(frame, SIZE)
        seen = conversation.take(frame)
        if frame.cut:
            return frame
        if seen.name == SASL_TOKEN:
            return _cut(frame, 0)
        return self._redacted(seen)

    def _redacted(self, seen: SeenFrame) -> CapturedFrame:
        judged, frame = seen.judged, seen.frame
        if judged is None or judged.value is None or judged.schema is None or _has_other_header(seen):
            return self._unread(seen)
        start = self._body(judged)
        edits = list(self._edits(seen, judged, frame.payload[start:]))
        if None in edits:
            return _cut_after_id(frame)
        payload, emptied = frame.payload, dict(frame.emptied)
        for edit in sorted((edit for edit in edits if edit), key=lambda edit: edit[:2], reverse=True):
            payload = payload[: start + edit.start] + edit.wire + payload[start + edit.end :]
            if edit.emptied and edit.emptied[1]:
                emptied.setdefault(*edit.emptied)
        return replace(frame, payload=payload, emptied=emptied)

    def _unread(self, seen: SeenFrame) -> CapturedFrame:
        """Return an unreadable frame, cut if it may have redacted contents."""
        carriers = set(SECRETS) if self._blank is None else {*SECRETS, *SETTINGS, *RECORDED}
        is_known = seen.name in self._messages or self._blank is None
        return _cut_after_id(seen.frame) if seen.name in carriers or not is_known else seen.frame

    def _body(self, judged: JudgedFrame) -> int:
        header = self._definitions.header(judged.direction, judged.api_key, judged.version)
        return 0 if header is None else judge(header, judged.payload).consumed or 0

    def _edits(self, seen: SeenFrame, judged: JudgedFrame, body: bytes) -> Iterator[Edit | None]:
        """Yield the edits of a body, None for a field with unknown bounds."""
        assert judged.schema is not None, "it has been read"  # noqa: S101  # for the type
        spans = spans_up_to_fault(judged.schema, body)
        names = SECRETS.get(judged.message, set())
        if self._blank is not None:
            names = names | SETTINGS.get(judged.message, set())
        if self._blank is not None or names:
            # Bytes after the last readable field may be anything, secrets included.
            end = max((span.end for span in spans), default=0)
            yield Edit(end, len(body), bytes(len(body) - end))
        records = {inner.path: inner for inner in seen.embedded if inner.contents == RECORDS}
        for length, payload in _contents(spans):
            if payload.path.rpartition(".")[2] in names:
                edit = _replaced(body, length, payload, b"", compact=judged.schema.flexible)
                emptied = f"body.{payload.path}", payload.end - payload.start
                yield None if edit is None else edit._replace(emptied=emptied)
            elif payload.path in records and self._blank is not None:
                blanked = blank_records(body[payload.start : payload.end], self._blank)
                yield (
                    None
                    if blanked is None
                    else _replaced(body, length, payload, blanked, compact=judged.schema.flexible)
                )


def _has_other_header(seen: SeenFrame) -> bool:
    """Return whether a frame was read with another header than its own, so that its body begins elsewhere."""
    return any(departure.rule in HEADER_RULES.values() for departure in seen.departures)


def _contents(spans: Iterable[Span]) -> Iterator[tuple[Span, Span]]:
    last = None
    for span in spans:
        if last is not None and span.role == "payload" and (last.role, last.path) == ("length", span.path):
            yield last, span
        last = span


def _replaced(body: bytes, length: Span, payload: Span, wire: bytes, *, compact: bool) -> Edit | None:
    """Return None if the length is not in its usual encoding, since writing it anew would hide that departure."""
    width = length.end - length.start
    old = body[length.start : length.end]
    if _length(payload.end - payload.start, width, compact=compact) != old:
        return None
    return Edit(length.start, payload.end, _length(len(wire), width, compact=compact) + wire)


def _length(count: int, width: int, *, compact: bool) -> bytes:
    return UNSIGNED_VARINT.write(count + 1) if compact else count.to_bytes(width)


def _cut_after_id(frame: CapturedFrame) -> CapturedFrame:
    return _cut(frame, HEAD if frame.sender == "client" else CORRELATION_ID)


def _cut(frame: CapturedFrame, kept: int) -> CapturedFrame:
    dropped = len(frame.payload) - kept
    return frame if dropped <= 0 else replace(frame, payload=frame.payload[:kept], cut=frame.cut + dropped)


def dropping(contents: bytes) -> bytes:
    """Return as many zeros."""
    return bytes(len(contents))


def hashing() -> Blank:
    """Return a function to hash contents, the same for equal ones. Its key is random and kept nowhere."""
    key = secrets.token_bytes(32)
    return lambda contents: hashlib.shake_256(key + contents).digest(len(contents))


def blank_for(how: Redaction) -> Blank | None:
    """Return the function to blank contents, or None to keep them."""
    return {"no": None, "drop": dropping, "hash": hashing()}[how]


def blank_records(wire: bytes, blank: Blank) -> bytes | None:
    """Return a `records` field without the contents of its records, or None if some of them cannot be found."""
    blanked = bytearray()
    rest = wire
    while rest:
        end = _end(rest)
        if end is None:
            return bytes(blanked + rest[:UP_TO_MAGIC] + blank(rest[UP_TO_MAGIC:]))
        part = _blank_batch(rest[:end], blank)
        if part is None:
            return None
        blanked += part
        rest = rest[end:]
    return bytes(blanked)


def _end(wire: bytes) -> int | None:
    end = OVERHEAD + int.from_bytes(wire[LENGTH], signed=True)
    return end if len(wire) >= end >= OVERHEAD + SMALLEST else None


def _blank_batch(wire: bytes, blank: Blank) -> bytes | None:
    if wire[MAGIC_AT] == BATCH and len(wire) >= HEADER_SIZE:
        attributes = int.from_bytes(wire[ATTRIBUTES_AT : ATTRIBUTES_AT + 2])
        if attributes & CONTROL_BIT:
            return wire
        if not attributes & CODEC_BITS:
            return _blank_in_place(wire, blank)
    return _blank_and_write(wire, blank)


def _blank_in_place(wire: bytes, blank: Blank) -> bytes:
    """Return a plain batch with its contents blanked, and with all unreadable bytes blanked."""
    blanked = bytearray(wire)
    spans = records_spans(wire)
    for span in spans:
        if span.role == "payload" and CONTENTS.search(span.path):
            blanked[span.start : span.end] = blank(wire[span.start : span.end])
    end = max([HEADER_SIZE, *(span.end for span in spans)])
    blanked[end:] = blank(wire[end:])
    # A wrong checksum is a departure of the writer, so it stays wrong.
    if wire[CRC] == crc32c(wire[COVERED_FROM:]):
        blanked[CRC] = crc32c(bytes(blanked[COVERED_FROM:]))
    return bytes(blanked)


def _blank_and_write(wire: bytes, blank: Blank) -> bytes | None:
    """Return None unless a compressed batch, or a message of magic 0 or 1, is valid."""
    try:
        verdict = judge_records(wire)
        if verdict.result is not Result.VALID or verdict.rules or verdict.value is None:
            return None
        for record in _records(verdict.value):
            _blank_record(record, blank)
        return encode_records(verdict.value)
    except CodecError:
        return None


def _records(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the records of batches, and the messages with contents in message sets."""
    for batch in value["batches"]:
        inner = batch.get("records", batch.get("messages"))
        yield from [batch] if inner is None else inner


def _blank_record(record: dict[str, Any], blank: Blank) -> None:
    for name in ("key", "value"):
        if record.get(name) is not None:
            record[name] = blank(record[name])
    if "headers" in record:
        record["headers"] = [(key, None if value is None else blank(value)) for key, value in record["headers"]]
