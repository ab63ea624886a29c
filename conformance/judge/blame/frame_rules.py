"""The rule broken by a wrong frame.

Three ways are tried, and the first result counts: a codec with a single mistake that would behave in the same way
(`WholeFrame.head_faults`); the differing part of the frame; for a refusal, the part without which the frame is
accepted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from conformance.judge.blame.body_rules import blame_bytes
from conformance.judge.blame.target_explanation import TargetExplanation
from conformance.targets import SIZE_BYTES, Blame
from conformance.targets.outcome import ABSENT, Kind, Outcome
from reference.protocols import wire_type_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from conformance.adapter import Direction, FrameContent
    from conformance.targets import WholeFrame
    from reference import Difference

PARTS = {
    "client_id": "header.client-id",
    "correlation_id": "header.correlation-id",
    "header_tags": "tag.unknown-kept",
    "consumed": "codec.consumed",
}
"""The parts of a frame's header that differ between frames of a message, with the rules of their bytes."""

OF_ONE_FIELD = frozenset(("client_id", "correlation_id"))
"""Parts of one field each: nothing else can be wrong in their bytes."""
_OF_REFUSED: dict[str, dict[str, str]] = {"encode": {}, "decode": {"header_tags": "tag.unknown-accepted"}}
LARGE = 2**14
"""The number of bytes of a body above which a frame tests its size."""
PLAIN_TAGS = ((5, b"\xca\xfe"),)


@dataclass(frozen=True)
class FrameExplanation(TargetExplanation):
    """The reasons of an implementation's wrong answers about the frames of one message."""

    target: WholeFrame

    def encode(self, content: FrameContent) -> Outcome:
        """Return the outcome of writing a frame."""
        return self.session.encode(self.target, content)

    def decode(self, content: FrameContent) -> Outcome:
        """Return the outcome of reading the canonical frame of a content."""
        return self.session.decode(self.target, self.target.write(content))

    def is_written_wrong(self, content: FrameContent, outcome: Outcome) -> bool:
        """Return whether a frame was written wrong, or wrongly refused."""
        return outcome.kind not in ABSENT and outcome.wire != self.target.write(content)

    def is_read_wrong(self, content: FrameContent, outcome: Outcome) -> bool:
        """Return whether the frame of a content was read wrong, or wrongly refused."""
        is_read = self.target.is_read(self.session.claims, self._counted(content), outcome)
        return outcome.kind not in ABSENT and not is_read

    def difference(self, content: FrameContent, outcome: Outcome) -> Difference | None:
        """Return the first difference of a read frame from the due one."""
        claims = self.session.claims
        return self.target.difference(claims, self.target.expected(claims, self._counted(content)), outcome.value)

    def _counted(self, content: FrameContent) -> FrameContent:
        return replace(content, consumed=len(self.target.write(content)))


def blame_written_frame(subject: FrameExplanation, content: FrameContent, outcome: Outcome) -> Blame:
    """Return the blame for other bytes than the valid frame, or for a refusal."""
    wire, actual = subject.target.write(content), outcome.wire
    # The frame is right apart from its size, or has none.
    if actual is not None and wire[SIZE_BYTES:] in {actual, actual[SIZE_BYTES:]}:
        return Blame("frame.size", "size")
    blame = None if actual is None else subject.written_around(content, actual)
    if blame is not None:
        return blame
    plain = subject.target.plain
    # If even the plainest frame is wrong, its few parts give a more precise blame.
    if content != plain and subject.is_written_wrong(plain, subject.encode(plain)):
        return blame_written_frame(subject, plain, subject.encode(plain))

    def is_wrong(each: FrameContent) -> bool:
        return subject.is_written_wrong(each, subject.encode(each))

    part = _guilty_part(content, plain, is_wrong)
    if actual is None:
        return _blame_refused(subject, content, part, is_wrong, "encode")
    if part in OF_ONE_FIELD:
        return Blame(PARTS[part], "header")
    return _by_place(subject, content, actual[SIZE_BYTES:])


def _blame_refused(
    subject: FrameExplanation,
    content: FrameContent,
    part: str,
    is_wrong: Callable[[FrameContent], bool],
    direction: Direction,
) -> Blame:
    """Return the blame for a refused frame.

    It is its size, a part of its header, or a field of its body.
    """
    plain = subject.target.plain
    if _is_about_size(subject, content, is_wrong):
        return Blame("frame.size", "size")
    if part:
        return Blame({**PARTS, **_OF_REFUSED[direction]}[part], "header")
    if subject.target.header.flexible and is_wrong(plain) and not is_wrong(replace(plain, header_tags=PLAIN_TAGS)):
        return Blame("tag.section", "header")
    return subject.refused_around(content, direction)


def _is_about_size(subject: FrameExplanation, content: FrameContent, is_wrong: Callable[[FrameContent], bool]) -> bool:
    """Return whether the size alone is wrong.

    It is if only both halves together fail: half of the header's bytes, and half in the body. A frame with a body that
    is large for one field of bytes is about its size, too.
    """
    plain = subject.target.plain
    if content.value != plain.value:
        return _is_large_for_its_bytes(content.value, plain.value)
    field = next((each for each in subject.target.schema.fields if each.type in {"string", "bytes"}), None)
    half = _with_half_of_header(content)
    if field is None or half is None:
        return False
    text = "c" * (len(subject.target.write(half)) // 2)
    body = {**plain.value, field.name: text if field.type == "string" else text.encode()}
    parts = half, replace(plain, value=body)
    return not any(map(is_wrong, parts)) and is_wrong(replace(half, value=body))


def _is_large_for_its_bytes(value: dict[str, Any], plain: dict[str, Any]) -> bool:
    others = [item for name, item in value.items() if item != plain.get(name)]
    return len(others) == 1 and isinstance(others[0], bytes) and len(others[0]) > LARGE


def _with_half_of_header(content: FrameContent) -> FrameContent | None:
    """Return a frame with half of its header.

    It has half of the client id, or of the only tagged field. None if there is neither.
    """
    if len(content.header_tags) == 1:
        [(tag, body)] = content.header_tags
        return replace(content, header_tags=((tag, body[: len(body) // 2 + 1]),))
    if not content.client_id or content.header_tags:
        return None
    return replace(content, client_id=content.client_id[: len(content.client_id) // 2 + 1])


def _by_place(subject: FrameExplanation, content: FrameContent, actual: bytes) -> Blame:
    """Return the blame for the differing part of a frame without its size."""
    codec = subject.target.codec
    value = codec.header_value(content)
    header, body = wire_type_of(codec.header).write(value), codec.body.write(content.value)
    if actual.startswith(header):
        return subject.written(content.value, actual.removeprefix(header))
    found = blame_bytes(codec.header, value, header, actual.removesuffix(body))
    return Blame(_OF_FIELDS.get(found.path, found.rule), "header")


_OF_FIELDS = {"ClientId": "header.client-id", "CorrelationId": "header.correlation-id"}
"""The fields of a header with rules of their own."""


def blame_read_frame(subject: FrameExplanation, content: FrameContent, outcome: Outcome) -> Blame:
    """Return the blame for another content than the frame's, or for a refusal."""
    blame = subject.read_around(content, outcome)
    found = subject.difference(content, outcome) if outcome.kind is Kind.VALUE else None
    if found is not None and found.path in PARTS:
        return blame or Blame(PARTS[found.path], "header")
    if blame is not None and (found is None or blame.rule not in PARTS.values()):
        return blame
    plain = subject.target.plain
    # As for a written frame, the plainest wrong one is blamed.
    if content != plain and subject.is_read_wrong(plain, subject.decode(plain)):
        return blame_read_frame(subject, plain, subject.decode(plain))

    def is_wrong(each: FrameContent) -> bool:
        return subject.is_read_wrong(each, subject.decode(each))

    if outcome.kind is Kind.VALUE:
        return subject.misread_around(content, outcome.value)
    return _blame_refused(subject, content, _guilty_part(content, plain, is_wrong), is_wrong, "decode")


def _guilty_part(content: FrameContent, plain: FrameContent, fails: Callable[[FrameContent], bool]) -> str:
    """Return the part of the header with which even the plainest frame fails, or nothing."""
    for part in PARTS:
        given = getattr(content, part)
        if given != getattr(plain, part) and fails(replace(plain, **{part: given})):
            return part
    return ""
