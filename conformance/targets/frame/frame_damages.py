"""Bytes without a valid frame, made from a valid one. The reference decides about each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.generate.hostile_bodies import tampered_cases
from conformance.generate.origin import CaseOrigin, CasePart
from conformance.generate.tampering import OPEN_AT_THE_END, SMALL_SECTION, TOO_LONG, mistakable, mistakable_numbers
from conformance.targets.frame.frame_contents import WHOLE, in_turn
from conformance.targets.frame.frame_parts import SIZE_BYTES, framed, has_client_id, size_of
from reference import Encoded, primitive
from reference.primitives import TAG_SECTION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import MessageSchema

    Damages = Iterator[tuple[CaseOrigin, bytes]]

CLIENT_ID_AT = 8
"""The offset of the length of the client id in the header of a request."""


def frame_damages(schema: MessageSchema, header: MessageSchema, sound: bytes, body: bytes) -> Damages:
    """Yield pairs of an origin and a broken frame.

    Sizes are wrong, the header is cut at every place, a client id or a tag section ends beyond the input. Mistakable
    numbers follow, all of them for the messages of `WHOLE` and a share for others. Those of `WHOLE` also get every
    change of the header by its definition.

    Args:
        schema: the message.
        header: the definition of its header.
        sound: the bytes of a header without tagged fields.
        body: the bytes of a body.
    """
    yield from _wrong_sizes(sound + body)
    for end in range(len(sound)):
        yield CaseOrigin.of_part(CasePart.HEADER, f"cut-{end}"), framed(sound[:end])
    if body:
        yield CaseOrigin.of_part(CasePart.BODY, "cut"), framed(sound + body[:-1])
    if has_client_id(header):
        for name, length in (("beyond", b"\x7f\xff"), ("negative", b"\xff\xfe")):
            yield CaseOrigin.of_part(CasePart.CLIENT_ID, name), _with_client_id_length(sound + body, length)
    if header.flexible:  # the sound header ends with an empty tag section
        yield CaseOrigin.of_part(CasePart.SECTION, "count"), framed(sound[:-1] + b"\1")
        for name, section in (("size", b"\1\5\xff\xff\x7f\xca\xfe"), ("varint", b"\x80" * 5 + b"\1")):
            yield CaseOrigin.of_part(CasePart.SECTION, name), framed(sound[:-1] + section + body)
    yield from in_turn(schema, _mistakable(header, sound, body))
    if schema.message in WHOLE:
        yield from _tampered(header, sound, body)


def _tampered(header: MessageSchema, sound: bytes, body: bytes) -> Damages:
    """Yield frames with the header changed in every way of its definition, and a fitting size."""
    whole = sound[:-1] + SMALL_SECTION if header.flexible else sound
    for case in tampered_cases(CasePart.HEADER, Encoded(header, whole)):
        yield case.origin, framed(case.wire + body)


def _mistakable(header: MessageSchema, sound: bytes, body: bytes) -> Damages:
    """Yield frames with one number replaced.

    It is the size, the length of the client id, or a number of a tag section.
    """
    payload = sound + body
    for way, size in mistakable_numbers(size_of(len(payload))):
        yield CaseOrigin.of_part(CasePart.SIZE, way), size + payload
    if has_client_id(header):
        for way, length in mistakable_numbers(sound[CLIENT_ID_AT : CLIENT_ID_AT + 2]):
            yield CaseOrigin.of_part(CasePart.CLIENT_ID, way), _with_client_id_length(payload, length)
    for name, section in _mistakable_sections() if header.flexible else ():
        yield CaseOrigin.of_part(CasePart.SECTION, name), framed(sound[:-1] + section + body)


def _mistakable_sections() -> Iterator[tuple[str, bytes]]:
    """Yield a section of one entry with its count, its tag or its size replaced.

    The tag is replaced by overlong forms only: another tag would be valid.
    """
    for span, way, section in mistakable(SMALL_SECTION, primitive(TAG_SECTION).spans(SMALL_SECTION)):
        if way in TOO_LONG or (span.role != "tag" and way != OPEN_AT_THE_END):
            yield f"{span.role.removeprefix('tag-')}-{way}", section


def _wrong_sizes(payload: bytes) -> Iterator[tuple[CaseOrigin, bytes]]:
    """Yield frames with a size other than the payload's, and input ending inside the size."""
    for excess in (4, 1, -1, -4):
        sign = "+" if excess > 0 else "-"
        yield CaseOrigin(str(abs(excess)), CasePart.SIZE, sign=sign), size_of(len(payload) + excess) + payload
    for size in (0, -1, -(2**31), 2**31 - 1):
        yield CaseOrigin(str(size), CasePart.SIZE), size_of(size) + payload
    for end in range(SIZE_BYTES):
        yield CaseOrigin.of_part(CasePart.SIZE_CUT, str(end)), size_of(len(payload))[:end]


def _with_client_id_length(payload: bytes, length: bytes) -> bytes:
    return framed(payload[:CLIENT_ID_AT] + length + payload[CLIENT_ID_AT + len(length) :])
