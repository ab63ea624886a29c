"""Valid frames, with headers and sizes of every kind, and frames that have no bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from conformance.generate import edges
from conformance.generate.drawn_values import sample
from conformance.generate.edges import UNKNOWN_TAGS
from conformance.generate.origin import CaseOrigin, CasePart
from conformance.generate.tampering import share_of
from conformance.targets.frame.frame_parts import has_client_id
from reference import MessageSchema, encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from conformance.adapter import FrameContent

Item = TypeVar("Item")
Tags = tuple[tuple[int, bytes], ...]

WHOLE = frozenset((
    "ApiVersionsRequest", "ApiVersionsResponse", "ControlledShutdownRequest", "HeartbeatRequest", "HeartbeatResponse",
    "ListGroupsRequest", "SaslAuthenticateRequest", "SaslAuthenticateResponse",
))  # fmt: skip
"""Messages tried with every frame, covering every kind of header; other messages get a share of the frames."""
CLIENT_IDS = {
    "empty": "",
    "null": None,
    "emoji": "\N{GRINNING FACE}",
    "length-127": "c" * 127,
    "length-128": "c" * 128,
}
"""Client ids beside the usual one: empty, null, wide characters, around the step of a compact length."""
TEXT = (
    ' A\r\n\r\n\n\r\x1a\x7f"\0\ufffe\uffff\ufeff\N{NO-BREAK SPACE}e\N{COMBINING ACUTE ACCENT}\xe9\N{LINE SEPARATOR}b '
)
FURTHER_CLIENT_IDS = {
    "blanks-and-lines": TEXT,
    "line-at-the-end": "\ufeffa\t\r\n",
    "nul-at-the-end": "\0a\0",
    **{f"length-{length}": "c" * length for length in (*edges.FURTHER_LENGTHS, 16_384, 32_766, 32_767)},
}
"""Client ids with characters often stripped or changed, and of every length at which codecs have failed."""

CORRELATION_IDS = (1, -1, 2**31 - 1, -(2**31), 0, 0x01020304)
"""Correlation ids of both signs and with four different bytes; codecs must not interpret them."""
NO_CORRELATION_IDS = (2**31, -(2**31) - 1)
NO_CLIENT_IDS = {"length-32768": "c" * 32_768, "length-32768-wide": "\xe9" * 16_384}
"""Client ids of too many bytes, which have no encoding, like the numbers above."""

PAYLOAD = b"\xca\xfe"
TAGS: dict[str, Tags] = {
    **{f"{tag}": ((tag, PAYLOAD),) for tag in UNKNOWN_TAGS},
    "5-16384": ((5, b""), (16_384, PAYLOAD)),
}
TAG_SIZES = (127, 128, *edges.FURTHER_LENGTHS, 16_383, 16_384, 65_536)
FURTHER_TAGS: dict[str, Tags] = {
    "0": ((0, PAYLOAD),),
    "of-falling-sizes": tuple((tag, edges.blob_of(140 - 20 * tag)) for tag in range(7)),
    **{f"of-{size}-bytes": ((5, edges.blob_of(size)),) for size in TAG_SIZES},
    **{f"many-{count}": tuple((tag, b"\1") for tag in range(count)) for count in (10, 63, 64, 127, 128, 256)},
}
"""Tagged fields of the header of every size, of falling sizes, and many of them."""
MOST_TAGS, MOST_TAGS_IN = 16_384, "HeartbeatResponse"
"""The number of tagged fields whose count takes three bytes, and the message tried with it.

Releases with a lower limit are tried at their limit.
"""
LARGE = {"of-64-kib": 2**16, "of-16-mib": 2**24}
"""Sizes of a body in bytes at which the two high bytes of the frame's size count."""
LONG_BODY = 2**16
"""The bytes of the longest body of a version without flexible fields."""


def frame_contents(
    schema: MessageSchema, header: MessageSchema, plain: FrameContent
) -> Iterator[tuple[CaseOrigin, FrameContent]]:
    """Yield pairs of an origin and a frame.

    The plain frame comes first; each other one has one variation.

    The client id of requests, the correlation id, the value, and the tags of flexible headers vary. Messages of `WHOLE`
    get all further frames, others a share of them.
    """
    yield CaseOrigin("smallest"), plain
    yield from _varied(plain, CLIENT_IDS, _tags(header, TAGS))
    for name, tags in _known_tags(header):
        yield CaseOrigin.of_part(CasePart.HEADER_FIELD, name), replace(plain, header_tags=tags)
    for number in CORRELATION_IDS:
        yield CaseOrigin(str(number), CasePart.CORRELATION_ID), replace(plain, correlation_id=number)
    yield CaseOrigin("sample"), replace(plain, value=sample(schema, "frame"))
    client_ids = FURTHER_CLIENT_IDS if has_client_id(header) else {}
    yield from in_turn(schema, _varied(plain, client_ids, _tags(header, FURTHER_TAGS)))
    if schema.message in WHOLE:
        if plain.client_id is not None:
            yield CaseOrigin.of_part(CasePart.CLIENT_ID, "quoted"), replace(plain, client_id='"a"')
        yield from _large(schema, header, plain)


def _tags(header: MessageSchema, tags: dict[str, Tags]) -> dict[str, Tags]:
    """Return the tagged fields allowed in a header, without the tags known to it."""
    known = {field.tag for field in header.fields}
    left = {name: tuple(entry for entry in entries if entry[0] not in known) for name, entries in tags.items()}
    return {name: entries for name, entries in left.items() if entries} if header.flexible else {}


def _known_tags(header: MessageSchema) -> Iterator[tuple[str, Tags]]:
    """Yield values of the tagged fields known to a header, each as its bytes."""
    for field in (each for each in header.fields if each.tag is not None):
        alone = replace(header, fields=(replace(field, tag=None),), absent_fields=(), flexible=False)
        for seed in ("one", "other"):
            yield f"{field.name}-{seed}", ((field.tag or 0, encode(alone, sample(alone, seed))),)


def _varied(
    plain: FrameContent, client_ids: Mapping[str, str | None], tags: Mapping[str, Tags]
) -> Iterator[tuple[CaseOrigin, FrameContent]]:
    for name, client_id in client_ids.items() if plain.client_id is not None else ():
        yield CaseOrigin.of_part(CasePart.CLIENT_ID, name), replace(plain, client_id=client_id)
    for name, entries in tags.items():
        yield CaseOrigin.of_part(CasePart.HEADER_TAG, name), replace(plain, header_tags=entries)


def _large(
    schema: MessageSchema, header: MessageSchema, plain: FrameContent
) -> Iterator[tuple[CaseOrigin, FrameContent]]:
    """Yield a frame with very many tags, and large bodies for messages with a bytes field."""
    if header.flexible and schema.message == MOST_TAGS_IN:
        count = min(MOST_TAGS, header.limits.tagged_fields)
        tags = tuple((tag, b"") for tag in range(count))
        yield CaseOrigin.of_part(CasePart.HEADER_TAG, f"many-{count}"), replace(plain, header_tags=tags)
    for field in (each for each in schema.fields if each.type == "bytes"):
        for name, size in LARGE.items():
            if header.flexible or size <= LONG_BODY:
                yield (
                    CaseOrigin.of_part(CasePart.BODY, name),
                    replace(plain, value={**plain.value, field.name: bytes(size)}),
                )


def in_turn(schema: MessageSchema, items: Iterable[Item]) -> list[Item]:
    """Return all of the items for a message of `WHOLE`, and a share of them for others."""
    return [*items] if schema.message in WHOLE else [*share_of(schema, items)]


def refused_frames(header: MessageSchema, plain: FrameContent) -> Iterator[tuple[CaseOrigin, FrameContent]]:
    """Yield pairs of an origin and a frame without an encoding, each for one field of the header."""
    for number in NO_CORRELATION_IDS:
        yield CaseOrigin(str(number), CasePart.CORRELATION_ID), replace(plain, correlation_id=number)
    for name, client_id in NO_CLIENT_IDS.items() if has_client_id(header) else ():
        yield CaseOrigin.of_part(CasePart.CLIENT_ID, name), replace(plain, client_id=client_id)
