"""The explanation of a frame whose body nobody can read: of its header, as far as it is the same in all versions."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from conformance.explaining.bodies import body_parts
from conformance.explaining.explanation import Explanation, not_judged
from conformance.explaining.fields import field_at
from conformance.explaining.placing import TRAILING_BYTES
from conformance.explaining.values import describer
from reference import UnsupportedApi, header_schema, load_release, newest_release
from reference.codec import trace
from reference.headers import REQUEST_HEADER, RESPONSE_HEADER
from reference.protocols import message_type

if TYPE_CHECKING:
    from reference import FieldSchema, FrameDirection, MessageSchema, Release

HEADER = "header"
SIMPLEST = {"request": (REQUEST_HEADER, 1), "response": (RESPONSE_HEADER, 0)}
"""The header with which every header of a direction begins."""


def explain_header(
    release: Release, direction: FrameDirection, api: tuple[int, int], wire: bytes, why: str
) -> Explanation:
    """Return what the bytes of a frame without its size are, up to the end of its header.

    Args:
        release: whose definitions say which header an API has.
        direction: request or response.
        api: the API key and the version.
        wire: the frame.
        why: why there is no verdict on it.
    """
    header = _header(release, direction, api)
    read = trace(wire, lambda reader: message_type(header).read(reader, ("", HEADER)))
    kept = tuple(each for each in read.deviations if each.rule != TRAILING_BYTES)
    fields = partial(_field_at, header)
    parts = body_parts(fields, wire, replace(read, deviations=kept), describer(fields, release))
    return Explanation(f"the header of a {direction}", wire, parts, not_judged(why))


def _header(release: Release, direction: FrameDirection, api: tuple[int, int]) -> MessageSchema:
    try:
        return header_schema(release, direction, *api)
    except UnsupportedApi:
        name, version = SIMPLEST[direction]
        return load_release(newest_release()).schema(name, version)


def _field_at(header: MessageSchema, path: str) -> FieldSchema | None:
    return field_at(header, path.partition(".")[2])
