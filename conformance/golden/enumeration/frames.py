"""The cases of frames and stored messages, and the table of headers: which version stands before which message.

A frame is `size header body`. The bodies have vectors of their own: here they are the smallest ones, and what varies is
around them, and where a pair is thorough real record batches in them. Frames that are unspecified have no vectors.

The same holds for stored messages: coordinator keys and values, consumer protocol data, records of the metadata log.
Bytes that are no record at all (an unknown type, bytes behind it) have no reason of the closed list, and so no vector.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.generate.frames import broken_frames, broken_prefixed, broken_records, frame_contents
from conformance.generate.real_records import real_records_cases
from conformance.golden.enumeration.pairs import Depth, depth_of
from conformance.golden.enumeration.value_cases import REAL_RECORDS
from conformance.golden.enumeration.vector import Case, slug
from reference import Result, encode, load_release, minimal, request_header_version, response_header_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.adapter import FrameContent
    from conformance.implementation.targets import StoredForm, WholeFrame

Json = dict[str, Any]

VARIED_IN = frozenset((
    "ApiVersionsRequest", "ApiVersionsResponse", "ControlledShutdownRequest", "HeartbeatRequest", "HeartbeatResponse",
))  # fmt: skip
"""Messages with every kind of header, whose frames get every case; the frames of others get only `FEW`."""

VARIED_PAIRS = frozenset((
    ("MetadataRequest", 8), ("MetadataRequest", 9), ("MetadataResponse", 8), ("MetadataResponse", 9),
))  # fmt: skip
"""Versions that get every case too: the last before flexible headers and the first with them."""

FEW = frozenset(("client-id-null", "header-tag-5"))
"""Variations of the frames of every message."""

_SIZE = re.compile(r"size([+-])(\d)")
_SIGNS = {"+": "more", "-": "less"}


def frame_cases(target: WholeFrame) -> Iterator[Case]:
    """Yield the smallest frame of a message, sound frames that differ in one thing, and invalid ones."""
    yield from _sound(target)
    if _is_varied(target):
        yield from _invalid(target)


def header_versions(release: str) -> list[Json]:
    """Return the versions of the headers before each version of each request and response of a release."""
    source = load_release(release)
    entries: dict[tuple[int, int], Json] = {}
    for schema in source.schemas():
        if schema.kind in {"request", "response"} and schema.api_key is not None:
            key, version = schema.api_key, schema.version
            api = re.sub("(Request|Response)$", "", schema.message)
            entry = entries.setdefault((key, version), {"apiKey": key, "api": api, "version": version})
            of_direction = request_header_version if schema.kind == "request" else response_header_version
            entry[f"{schema.kind}Header"] = of_direction(key, version, source)
    return [entries[key] for key in sorted(entries)]


def _is_varied(target: WholeFrame) -> bool:
    return target.message in VARIED_IN or (target.message, target.version) in VARIED_PAIRS


def _sound(target: WholeFrame) -> Iterator[Case]:
    plain, *others = frame_contents(target.schema, target.header)
    yield Case("smallest", target.write(plain), ("HeaderVersion",))
    seen = {"smallest"}
    for content in others:
        name, flag = _varied(plain, content)
        if content.value == plain.value and name not in seen and (_is_varied(target) or name in FEW):
            seen.add(name)
            yield Case(name, target.write(content), (flag,))
    if depth_of(target.release.name, target.message, target.version) is Depth.THOROUGH:
        for variation in real_records_cases(target.schema):
            wire = target.write(replace(plain, value=variation.value))
            yield Case(slug(variation.what), wire, (REAL_RECORDS,))


def _varied(plain: FrameContent, content: FrameContent) -> tuple[str, str]:
    """Return the id and the flag of a frame by its difference from the plain one."""
    if content.correlation_id != plain.correlation_id:
        return slug("correlation-id", f"={content.correlation_id}"), "CorrelationId"
    if content.header_tags:
        return slug("header-tag", *(str(tag) for tag, _ in content.header_tags)), "HeaderTag"
    if content.client_id == plain.client_id:
        return "smallest", "HeaderVersion"
    text = content.client_id
    variation = (
        "null" if text is None else "empty" if not text else "emoji" if len(text) == 1 else f"length-{len(text)}"
    )
    return slug("client-id", variation), "ClientId"


def _invalid(target: WholeFrame) -> Iterator[Case]:
    plain = next(frame_contents(target.schema, target.header))
    body, frame = encode(target.schema, plain.value), target.write(plain)
    seen: set[bytes] = set()
    for name, wire in broken_frames(target.header, frame[4 : len(frame) - len(body)], body):
        if wire not in seen and target.judge(wire).result is Result.INVALID:
            seen.add(wire)
            shown = _SIZE.sub(lambda match: f"size-{match[2]}-{_SIGNS[match[1]]}", name)
            yield Case(slug(shown), wire, ("TamperedFrame",))


LONGEST_CUT = 3
"""The most bytes of a truncated stored message: the vectors of bodies are truncated everywhere."""


def stored_cases(target: StoredForm) -> Iterator[Case]:
    """Yield the smallest value, and what may stand before its body instead; no bytes twice."""
    smallest = target.write(target.content(minimal(target.schema)))
    yield Case("smallest", smallest, ("Stored",))
    seen = {smallest}
    for name, wire in (broken_records if target.form == "record" else broken_prefixed)(smallest):
        is_long_cut = name.startswith("cut/") and len(wire) > LONGEST_CUT
        if wire not in seen and not is_long_cut and target.judge(wire).result is not Result.UNSPECIFIED:
            yield Case(slug(name.replace("/", "-")), wire, ("TamperedPrefix",))
        seen.add(wire)
