"""A whole request or response, with size, header and body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.adapter import FrameContent
from conformance.targets.body_target import SchemaTarget, are_equal, body_difference, part
from conformance.targets.frame.frame_parts import SIZE_BYTES, framed, has_client_id
from conformance.targets.outcome import Kind, Outcome
from conformance.targets.plain_values import copy_of
from conformance.targets.target import DECODE, ENCODE, HEADER, Json
from reference import (
    TAGS,
    ApacheKafka,
    CodecError,
    Difference,
    FrameDirection,
    Malformed,
    MessageSchema,
    NotJsonForm,
    Release,
    Result,
    Verdict,
    decode_frame,
    encode,
    encode_frame,
    frame_spans,
    from_json,
    header_schema,
    minimal,
    to_json,
)
from reference.headers import with_raw_tags
from reference.values.comparison import same_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.targets.claims import Claims
    from conformance.targets.faults.fault import FaultModel
    from conformance.targets.frame.frame_faults import FrameCodec
    from conformance.targets.target import Ask, Contents, Damages
    from reference import Span


class OtherMessage(CodecError):
    """The bytes are a valid frame of a request with another API key or version."""

    def __str__(self) -> str:
        api_key, version = self.args
        return f"one of API key {api_key}, version {version}"


PLAIN_CORRELATION_ID, PLAIN_CLIENT_ID = 7, "kafka"
CORRELATION_IDS = range(-(2**31), 2**31)
"""The correlation ids of a request: the bridge protocol has 32 bits for them."""


@dataclass(frozen=True)
class WholeFrame(SchemaTarget):
    """A request or response with its size and header."""

    release: Release
    content_class: ClassVar[type[Any]] = FrameContent
    folder = "frames"

    @property
    def api_key(self) -> int:
        """The API key, or 0 for a message without one, and so without frames."""
        return self.schema.api_key or 0

    @property
    def direction(self) -> FrameDirection:
        """Request or response."""
        return self.schema.direction

    @cached_property
    def header(self) -> MessageSchema:
        """The schema of the header."""
        return header_schema(self.release, self.direction, self.api_key, self.version)

    def __str__(self) -> str:
        return f"frame of {self.schema}"

    def function(self, what: str) -> str:
        return "header_version" if what == HEADER else f"{what}_frame"

    def arguments(self, what: str, content: Any) -> tuple[Any, ...]:
        if what == HEADER:
            return self.api_key, self.version, self.direction
        message = self.release, self.schema.kind, self.schema.api_key, self.version
        if what == DECODE:
            return *message, content
        return *message, content.correlation_id, content.client_id, copy_of(content.value)

    def keywords(self, content: Any) -> dict[str, Any]:
        return {"header_tags": list(content.header_tags)} if content.header_tags else {}

    def unasked(self, ask: Ask, claims: Claims) -> Outcome | None:
        if ask.what == ENCODE and ask.content.header_tags and not claims.keeps_unknown_tags:
            return Outcome(Kind.UNSUPPORTED, text="header tags")
        if ask.what == ENCODE and claims.is_over_bridge and ask.content.correlation_id not in CORRELATION_IDS:
            text = f"correlation id {ask.content.correlation_id}: the bridge has those of 32 bits"
            return Outcome(Kind.UNREPRESENTABLE, text=f"Unrepresentable: {text}")
        return None

    def write(self, content: Any) -> bytes:
        client_id = content.client_id if has_client_id(self.header) else None
        numbers = self.direction, self.api_key, self.version, content.correlation_id
        return encode_frame(self.release, *numbers, client_id, content.value, header_tags=content.header_tags or ())

    def read(self, wire: bytes) -> Any:
        """Return the content as `Target.read` does.

        Raises:
            OtherMessage: the bytes are a valid frame of another message.
        """
        if self.direction == "request":
            frame = decode_frame(self.release, "request", wire)
        else:
            frame = decode_frame(self.release, "response", wire, api_key=self.api_key, api_version=self.version)
        if (frame.api_key, frame.api_version) != (self.api_key, self.version):
            raise OtherMessage(frame.api_key, frame.api_version)
        return FrameContent(frame.correlation_id, frame.client_id, frame.value, frame.header_tags, frame.consumed)

    def judge(self, wire: bytes) -> Verdict:
        """Return a verdict as `Target.judge` does.

        Unspecified bytes are invalid if even a lenient reader must stop after them.
        """
        verdict = super().judge(wire)
        stop = self.stop_of(wire) if verdict.result is Result.UNSPECIFIED and verdict.rules else None
        if stop is None:
            return verdict
        rules = (*verdict.rules, stop.rule)
        return Verdict(Result.INVALID, rules, ApacheKafka.REJECTS, stop.reason, stop.offset, stop.path)

    def stop_of(self, wire: bytes) -> Malformed | None:
        """Return the error at which a lenient reader stops, or None if it reads everything."""
        try:
            self.spans(wire)
        except Malformed as error:
            return error
        return None

    def spans(self, wire: bytes) -> tuple[Span, ...]:
        return frame_spans(self.release, self.schema, wire)

    def expected(self, claims: Claims, content: Any) -> Any:
        return FrameContent(
            content.correlation_id,
            content.client_id if has_client_id(self.header) else None,
            claims.judged(content.value),
            content.header_tags if claims.keeps_unknown_tags else None,
            content.consumed,
        )

    def difference(self, claims: Claims, expected: Any, actual: Any) -> Difference | None:
        """Return a difference as `Target.difference` does.

        The path is the part of the frame. Tags and counts matter if both sides have them.
        """
        if not isinstance(actual, FrameContent):
            return Difference("value", expected, actual, "type")
        if type(actual.correlation_id) is not int or actual.correlation_id != expected.correlation_id:
            return part("correlation_id", expected, actual)
        is_same = same_value(expected.client_id, actual.client_id)
        if not is_same and not self._is_no_client(expected.client_id, actual.client_id):
            return part("client_id", expected, actual)
        tags = expected.header_tags, actual.header_tags
        if None not in tags and not _are_same_tags(*tags):
            return part("header_tags", expected, actual)
        if None not in {expected.consumed, actual.consumed} and not same_value(expected.consumed, actual.consumed):
            return part("consumed", expected, actual)
        return body_difference(claims, self.schema, expected.value, actual.value)

    def consumed(self, outcome: Outcome) -> int | None:
        count: int | None = getattr(outcome.value, "consumed", None)
        return count

    def to_json(self, content: Any) -> Any:
        codec = self.codec
        header = to_json(codec.header, codec.header_value(content))
        return {"header": header, "body": to_json(self.schema, content.value)}

    def from_json(self, form: Any) -> Any:
        header = from_json(self._raw_header, form["header"])
        body = from_json(self.schema, form["body"])
        return FrameContent(header["CorrelationId"], header.get("ClientId"), body, header.get(TAGS, []))

    def identity(self, what: str) -> Json:  # noqa: ARG002  # it is the same for all
        return {"direction": self.direction, "apiKey": self.schema.api_key, "version": self.version}

    def members(self, content: Any) -> Json:
        tags = {"headerTags": [[tag, data.hex()] for tag, data in content.header_tags]} if content.header_tags else {}
        value = to_json(self.schema, content.value)
        return {"correlationId": content.correlation_id, "clientId": content.client_id, "value": value, **tags}

    def parse(self, reply: Json) -> Any:
        value, tags = from_json(self.schema, reply["value"]), reply.get("headerTags")
        try:
            header_tags = None if tags is None else [(tag, bytes.fromhex(data)) for tag, data in tags]
        except (TypeError, ValueError) as error:
            raise NotJsonForm("headerTags", "a list of tags with their bytes in hex", tags) from error
        return FrameContent(
            reply.get("correlationId"), reply.get("clientId"), value, header_tags, reply.get("consumed")
        )

    def reply(self, outcome: Outcome) -> Json:
        frame, tags = outcome.value, outcome.value.header_tags
        return {
            "value": to_json(self.schema, frame.value),
            "correlationId": _of_type(int, frame.correlation_id),
            "clientId": None if frame.client_id is None else _of_type(str, frame.client_id),
            "headerTags": None if tags is None else [[_of_type(int, tag), bytes(data).hex()] for tag, data in tags],
            "consumed": None if frame.consumed is None else _of_type(int, frame.consumed),
        }

    def content_of(self, value: Any) -> FrameContent:
        return FrameContent(PLAIN_CORRELATION_ID, PLAIN_CLIENT_ID if self.direction == "request" else None, value, ())

    @property
    def plain(self) -> FrameContent:
        """The plainest content."""
        return self.content_of(minimal(self.schema))

    def contents(self) -> Contents:
        from conformance.targets.frame.frame_contents import frame_contents  # noqa: PLC0415  # no child needs it

        return frame_contents(self.schema, self.header, self.plain)

    def refused(self) -> Contents:
        from conformance.targets.frame.frame_contents import refused_frames  # noqa: PLC0415  # no child needs it

        return refused_frames(self.header, self.plain)

    def enclosing(self, content: Any, body: bytes) -> bytes:
        return framed(super().enclosing(content, body)[SIZE_BYTES:])

    @property
    def codec(self) -> FrameCodec:
        """The valid order of size, header and body."""
        from conformance.targets.frame.frame_faults import frame_codec  # noqa: PLC0415  # no child needs it

        return frame_codec(self.release, self.schema)

    def head_faults(self, header_version: int | None = None) -> Iterator[FaultModel[FrameCodec]]:
        """Yield every mistake in size and header."""
        from conformance.targets.frame.frame_faults import head_faults  # noqa: PLC0415  # no child needs it

        knows_version = None if header_version is None else header_version == self.header.version
        return head_faults(self.release, self.codec, knows_version=knows_version)

    def damages(self, content: Any) -> Damages:
        from conformance.targets.frame.frame_damages import frame_damages  # noqa: PLC0415  # no child needs it

        header = self.enclosing(content, b"")[SIZE_BYTES:]
        for origin, wire in frame_damages(self.schema, self.header, header, encode(self.schema, content.value)):
            # A changed header may shift the body, whose own changes are tried elsewhere.
            if not origin.base or not self.judge(wire).path.startswith("body"):
                yield origin, wire

    @property
    def _raw_header(self) -> MessageSchema:
        return with_raw_tags(self.header)

    def _is_no_client(self, expected: str | None, actual: object) -> bool:
        """Return whether a null client id of a request was read as the empty text, as a broker does (rule 5.7)."""
        return self.direction == "request" and expected is None and actual == ""


def _are_same_tags(expected: Any, actual: Any) -> bool:
    return isinstance(actual, list | tuple) and are_equal(list(expected), list(actual))


def _of_type(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise NotJsonForm("", kind.__name__, value)
    return value
