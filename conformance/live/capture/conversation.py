"""The frames of one connection, each with the verdict on it and the meaning of its bytes.

A SASL token may be a frame of its own in place of a request, after SaslHandshake version 0. A GSSAPI token may also be
the first frame of a connection, as clients wrote it before the handshake existed (KIP-43).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from conformance.judge.events import Expectation, Expected, Noted, number, wrote_such
from conformance.live.capture.embedded import Embedded, embedded_messages
from conformance.live.capture.frame_verdict import BrokenRule, JudgedFrame, judge_request, judge_response
from conformance.live.capture.pairing import (
    CORRELATION_ID,
    LARGEST,
    PRODUCE,
    SASL_HANDSHAKE,
    SIZE,
    Pairing,
    PendingRequest,
)
from conformance.targets import Body
from conformance.targets.plain_values import short_hex
from reference import judge, load_release, newest_release
from reference.explained.bodies import PREFIX
from reference.explained.explanation import NOT_READ, Explanation, WirePart, not_judged
from reference.explained.frames import explain_frame, explain_header, explain_response

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from conformance.definitions.defining_releases import Definitions
    from conformance.live.capture.capture import CapturedFrame
    from reference import MessageSchema, Release

IDENTITY = "header.correlation-id"
NO_SIZE = "frame.size"
SASL_TOKEN = "SaslToken"  # noqa: S105  # no secret
BARE_TOKEN = "connection.sasl-token"  # noqa: S105  # no secret
HEADERS = {"client": "RequestHeader", "server": "ResponseHeader"}

CUT = "cut by redaction"
TOKEN = "SASL bytes without a header"  # noqa: S105  # no secret
INCOMPLETE = "incomplete at the end of the connection"
UNASKED = "no request before it"


@dataclass(frozen=True)
class SeenFrame:
    """A frame with the verdict on it.

    Attributes:
        name: the message, as `MetadataRequest`, or the kind of bytes without one.
        version: its version; -1 if it has none.
        judged: the verdict; None if there is nothing to judge.
        departures: the broken rules, those of the connection included.
        unknown: the reason for having no verdict; empty for a judged frame.
        request: the number of the request's frame, for a response.
    """

    frame: CapturedFrame
    name: str
    version: int = -1
    judged: JudgedFrame | None = None
    departures: tuple[BrokenRule, ...] = ()
    embedded: tuple[Embedded, ...] = ()
    unknown: str = ""
    request: int | None = None

    def __str__(self) -> str:
        return self.name if self.version < 0 else f"{self.name}-v{self.version}"


class Conversation:
    """The state of one connection. All connections share `groups`, the protocol types of groups."""

    def __init__(self, definitions: Definitions, groups: dict[str, str]) -> None:
        self._definitions = definitions
        self._groups = groups
        self._pairing = Pairing()
        self.is_authenticating = False
        """Whether SASL bytes without headers may come, as after SaslHandshake version 0."""
        self.has_requests = False

    def take(self, frame: CapturedFrame) -> SeenFrame:
        """Take the next frame, and return the verdict on it."""
        if frame.is_rest:
            return _rest(frame)
        return self._request(frame) if frame.sender == "client" else self._response(frame)

    def skip(self, frame: CapturedFrame) -> None:
        """Take the next frame without a verdict on it, as far as later frames need it."""
        key = int.from_bytes(frame.payload[:2], "big", signed=True)
        is_special = self.is_authenticating or frame.cut or not self.has_requests or key in {PRODUCE, SASL_HANDSHAKE}
        if frame.is_rest or (frame.sender == "client" and is_special):
            self.take(frame)
        elif frame.sender == "client":
            self._pairing.ask(frame.payload, frame.number)
        elif self.is_authenticating or not self._pairing.is_expecting(frame.payload):
            self.take(frame)
        else:
            self._pairing.answer(frame.payload)

    @property
    def unanswered(self) -> list[PendingRequest]:
        """The requests without a response so far."""
        return self._pairing.unanswered

    def _request(self, frame: CapturedFrame) -> SeenFrame:
        judged = judge_request(self._definitions, frame.payload)
        if self.is_authenticating:
            if judged.value is None or judged.departures:
                return SeenFrame(frame, SASL_TOKEN, unknown=TOKEN)
            self.is_authenticating = False
        is_emptied = bool(frame.cut) and not frame.payload  # redaction does so to tokens alone
        if is_emptied or (judged.release is None and is_token(frame.payload)):
            return self._token(frame)
        self.has_requests = True
        request = self._pairing.ask(frame.payload, frame.number)
        self.is_authenticating = (judged.api_key, judged.version) == (SASL_HANDSHAKE, 0)
        if frame.cut:
            return SeenFrame(frame, judged.message, judged.version, unknown=CUT)
        value = judged.value or {}
        if request is not None and request.api_key == PRODUCE and value.get("Acks") == 0:
            self._pairing.silence(request)
        return self._seen(frame, judged, self._protocol_type(value))

    def _token(self, frame: CapturedFrame) -> SeenFrame:
        """Judge a token without a handshake. One of GSSAPI may be the first frame of a connection."""
        if not self.has_requests and (not frame.payload or is_gssapi(frame.payload)):
            self.is_authenticating = True
            return SeenFrame(frame, SASL_TOKEN, unknown=TOKEN)
        seen = wrote_such("a token of SASL")
        return SeenFrame(
            frame, SASL_TOKEN, departures=(BrokenRule(BARE_TOKEN, "", Expectation(Expected.REQUEST_HEADER), seen),)
        )

    def _response(self, frame: CapturedFrame) -> SeenFrame:
        if self.is_authenticating and not self._pairing.unanswered:
            return SeenFrame(frame, SASL_TOKEN, unknown=TOKEN)
        pair = self._pairing.answer(frame.payload)
        if pair.request is None:
            departure = BrokenRule(IDENTITY, "header", Expectation(Expected.NO_RESPONSE), _identity(frame.payload))
            return SeenFrame(frame, "Response", departures=(departure,), unknown=UNASKED)
        judged = judge_response(self._definitions, pair.request.api_key, pair.request.version, frame.payload)
        # Valid bytes are the due answer in spite of a wrong id; other bytes leave the request waiting.
        if pair.departure and not judged.departures:
            self._pairing.settle(pair.request)
        if frame.cut:
            return SeenFrame(frame, judged.message, judged.version, unknown=CUT, request=pair.request.number)
        seen = replace(self._seen(frame, judged), request=pair.request.number)
        if not pair.departure:
            return seen
        expected = number(Expected.CORRELATION_ID, *([] if pair.expected is None else [pair.expected]))
        wrong = BrokenRule(pair.rule, "header", expected, wrote_such(f"correlation id {pair.departure}"))
        return replace(seen, departures=(wrong, *seen.departures))

    def _seen(self, frame: CapturedFrame, judged: JudgedFrame, protocol_type: str | None = None) -> SeenFrame:
        embedded = tuple(embedded_messages(self._definitions, judged, protocol_type))
        return SeenFrame(frame, judged.message, judged.version, judged, judged.departures, embedded, judged.unknown)

    def _protocol_type(self, value: dict[str, Any]) -> str | None:
        """Return it, or None if it is unknown. A type in the request is remembered for later requests."""
        group, kind = value.get("GroupId"), value.get("ProtocolType")
        if not isinstance(group, str):
            return None
        if kind:
            self._groups[group] = kind
        return self._groups.get(group)


def seen_in(
    definitions: Definitions, frames: Iterable[CapturedFrame], of: Callable[[CapturedFrame], bool] = lambda _: True
) -> Iterator[SeenFrame]:
    """Yield the frames of a capture that are chosen by `of`, each with the verdict on it.

    A verdict depends on the earlier frames of the connection, so `frames` has all of them.
    """
    conversations: dict[int, Conversation] = {}
    groups: dict[str, str] = {}
    for frame in frames:
        if frame.connection not in conversations:
            conversations[frame.connection] = Conversation(definitions, groups)
        if of(frame):
            yield conversations[frame.connection].take(frame)
        else:
            conversations[frame.connection].skip(frame)


def _identity(payload: bytes) -> Noted:
    return wrote_such(f"correlation id {int.from_bytes(payload[:CORRELATION_ID], signed=True)}")


def _rest(frame: CapturedFrame) -> SeenFrame:
    """Their size is impossible, or the stream ended before the frame was whole."""
    name = HEADERS[frame.sender]
    size = int.from_bytes(frame.payload[:SIZE], signed=True)
    if len(frame.payload) < SIZE or 0 <= size <= LARGEST:
        return SeenFrame(frame, name, unknown=INCOMPLETE)
    seen = wrote_such(f"{size}: {short_hex(frame.payload)}")
    departure = BrokenRule(NO_SIZE, "", number(Expected.FRAME_SIZE, LARGEST), seen)
    return SeenFrame(frame, name, departures=(departure,))


def header_target(sender: str) -> Any:
    """Return the header's schema for a frame without a known message."""
    return load_release(newest_release()).schema(HEADERS[sender], 1)


class BodySample(NamedTuple):
    """The body of a captured frame."""

    release: Release
    schema: MessageSchema
    wire: bytes
    frame: int


def samples(definitions: Definitions, frames: Iterable[CapturedFrame]) -> Iterator[BodySample]:
    """Yield the bodies of all valid frames, and of the group messages in them."""
    for seen in seen_in(definitions, frames):
        yield from _of_frame(definitions, seen)


def _of_frame(definitions: Definitions, seen: SeenFrame) -> Iterator[BodySample]:
    judged, number = seen.judged, seen.frame.number
    if judged is None or judged.departures or judged.schema is None or judged.release is None:
        return
    header = definitions.header(judged.direction, judged.api_key, judged.version)
    start = judge(header, judged.payload).consumed if header else None
    yield BodySample(judged.release, judged.schema, judged.payload[start:], number)
    for inner in seen.embedded:
        if isinstance(inner.target, Body) and inner.release is not None and not inner.departures:
            yield BodySample(inner.release, inner.target.schema, inner.wire[PREFIX:], number)


def explanation_of(seen: SeenFrame) -> Explanation:
    """Return the meaning of each byte of a frame, or the reason for an unreadable frame; emptied fields say so."""
    explanation = _explanation_of(seen)
    emptied = seen.frame.emptied
    parts = tuple(
        replace(part, value=f"{part.value}; emptied, {emptied[part.path]:,} bytes were sent")
        if part.path in emptied and part.role == "length"
        else part
        for part in explanation.parts
    )
    return replace(explanation, parts=parts) if emptied else explanation


def _explanation_of(seen: SeenFrame) -> Explanation:
    judged, payload = seen.judged, seen.frame.payload
    if judged is not None and judged.release is None and judged.api_key >= 0:
        api = judged.api_key, judged.version
        return explain_header(load_release(newest_release()), judged.direction, api, payload, judged.unknown)
    if judged is None or judged.release is None or seen.unknown:
        part = WirePart(0, len(payload), "", "", NOT_READ)
        return Explanation(str(seen), payload, (part,) if payload else (), not_judged(seen.unknown or "no frame"))
    if judged.direction == "request":
        return explain_frame(judged.release, payload, sized=False)
    version = judged.version if judged.asked is None else judged.asked
    return explain_response(judged.release, judged.api_key, version, payload, sized=False)


GSSAPI = 0x60
"""The tag of the first token of GSSAPI; a length in the form of DER follows (RFC 2743, 3.1)."""
SCRAM = (b"n,", b"y,", b"p=")
"""The beginnings of the first message of SCRAM and of OAUTHBEARER (RFC 5802, RFC 7628)."""
NULS_OF_PLAIN = 2
"""The number of NULs between the three texts of PLAIN (RFC 4616)."""


def is_token(payload: bytes) -> bool:
    """Return whether a frame is a client's first token of a mechanism in Kafka."""
    return is_gssapi(payload) or payload.startswith(SCRAM) or _is_plain(payload)


def is_gssapi(payload: bytes) -> bool:
    """Return whether a frame is a token of GSSAPI with a correct length."""
    if len(payload) < 2 or payload[0] != GSSAPI:  # noqa: PLR2004  # tag and length
        return False
    size, long_form = payload[1] & 0x7F, payload[1] & 0x80
    if not long_form:
        return len(payload) == 2 + size
    return len(payload) == 2 + size + int.from_bytes(payload[2 : 2 + size])


def _is_plain(payload: bytes) -> bool:
    _, *rest = payload.split(b"\0")
    if len(rest) != NULS_OF_PLAIN or not all(rest):
        return False
    try:
        return payload.decode().replace("\0", "").isprintable()
    except UnicodeDecodeError:
        return False
