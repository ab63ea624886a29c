"""The cases of frames and stored messages, and the table of the header version before each message version.

A frame is `size header body`. The bodies have vectors of their own. Here they are the smallest ones, with variations
around them, and real record batches in the bodies of thorough pairs. Unspecified frames have no vectors.

The same holds for stored messages: coordinator keys and values, consumer protocol data, records of the metadata log.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.generate.depth import Depth
from conformance.generate.origin import CasePart
from conformance.targets.listed import WHOLE, real_records_cases
from conformance.vectors.enumeration.pairs import depth_of
from conformance.vectors.enumeration.value_vectors import REAL_RECORDS
from conformance.vectors.enumeration.vector import LONGEST_LINE, UnwritableCase, VectorBytes, distinct, is_short, slug
from reference import Result, load_release, request_header_version, response_header_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.adapter import FrameContent
    from conformance.generate.origin import CaseOrigin
    from conformance.targets import StoredForm, WholeFrame

Json = dict[str, Any]

VARIED_PAIRS = frozenset((
    ("MetadataRequest", 8), ("MetadataRequest", 9), ("MetadataResponse", 8), ("MetadataResponse", 9),
))  # fmt: skip
"""Versions with every case, like those of `WHOLE`: the last before flexible headers and the first with them."""

LONG = 4096
"""The most characters of the bytes and the value of a frame in most messages."""
LONG_FRAMES_IN = frozenset((
    ("HeartbeatRequest", 3), ("HeartbeatRequest", 4), ("HeartbeatResponse", 4), ("ListGroupsRequest", 0),
))  # fmt: skip
"""Pairs with long frames for each header, up to the longest line."""
LONG_BODIES_IN = frozenset((("SaslAuthenticateRequest", 0), ("SaslAuthenticateRequest", 2)))
"""Pairs with long bodies of bytes."""

FEW = frozenset(("smallest", "client-id-null", "header-tag-5"))
"""Variations of the frames of every message."""

LEFT_OUT = frozenset((
    "sample", "body-of-16-mib", "client-id-quoted",
    "client-id-length-8191", "client-id-length-16384", "client-id-length-32766",
    "header-tag-of-8191-bytes", "header-tag-of-16383-bytes",
))  # fmt: skip
"""Variations without vectors: random ones, ones too long, and all but one of the long ones beside a step."""

_SIGNS = {"+": "more", "-": "less"}


def frame_cases(target: WholeFrame) -> Iterator[VectorBytes | UnwritableCase]:
    """Yield the smallest frame of a message, valid ones with one difference, invalid ones and unwritable ones."""
    yield from _sound(target)
    if _is_varied(target):
        yield from distinct(_invalid(target))
        yield from _unwritable(target)


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
    return target.message in WHOLE or (target.message, target.version) in VARIED_PAIRS


def _is_kept(target: WholeFrame, origin: CaseOrigin, content: FrameContent) -> bool:
    """Return whether a frame is short enough for a vector.

    Some pairs get frames of up to one long line.
    """
    pairs = LONG_BODIES_IN if origin.path == CasePart.BODY else LONG_FRAMES_IN
    return is_short(target, content, LONGEST_LINE if (target.message, target.version) in pairs else LONG)


def _sound(target: WholeFrame) -> Iterator[VectorBytes]:
    for origin, content in target.contents():
        name = origin.name
        is_tried = name in FEW or origin.path == CasePart.HEADER_FIELD or (_is_varied(target) and name not in LEFT_OUT)
        if is_tried and _is_kept(target, origin, content):
            yield VectorBytes(slug(name), target.write(content), (_FLAGS.get(origin.path, "HeaderVersion"),))
    if depth_of(target.release.name, target.message, target.version) is Depth.THOROUGH:
        _, plain = next(target.contents())
        for variation in real_records_cases(target.schema):
            wire = target.write(replace(plain, value=variation.value))
            yield VectorBytes(slug(variation.what), wire, (REAL_RECORDS,))


_FLAGS: dict[str, str] = {
    CasePart.CORRELATION_ID: "CorrelationId",
    CasePart.HEADER_TAG: "HeaderTag",
    CasePart.HEADER_FIELD: "HeaderTag",
    CasePart.CLIENT_ID: "ClientId",
    CasePart.BODY: "Blob",
}
"""The flag of a frame by its changed part."""


def _unwritable(target: WholeFrame) -> Iterator[UnwritableCase]:
    for origin, content in target.refused():
        if _is_kept(target, origin, content):
            flag = "TextRefused" if origin.path == CasePart.CLIENT_ID else "NumberRefused"
            yield UnwritableCase(slug("unwritable", origin.name), content, (flag,))


def _invalid(target: WholeFrame) -> Iterator[VectorBytes]:
    _, plain = next(target.contents())
    for origin, wire in _named(target.damages(plain)):
        if target.judge(wire).result is Result.INVALID:
            yield VectorBytes(slug(*_words(origin)), wire, ("TamperedFrame",))


def _words(origin: CaseOrigin) -> tuple[str, ...]:
    """Return the words of an id, with one for the sign before a number.

    Ids stay as they are, so a cut inside the size keeps the word for less.
    """
    is_signed = origin.path in {CasePart.SIZE, CasePart.SIZE_CUT} and origin.way.isdigit() and origin.sign in _SIGNS
    return (origin.path, origin.way, _SIGNS[origin.sign]) if is_signed else (origin.name,)


def stored_cases(target: StoredForm) -> Iterator[VectorBytes]:
    """Yield the smallest value, one with an unknown tag, and the smallest with other bytes before its body."""
    contents = {origin.way: content for origin, content in target.contents()}
    for name, flag in (("smallest", "Stored"), ("unknown-tag", "UnknownTag")):
        if name in contents:
            yield VectorBytes(name, target.write(contents[name]), (flag,))
    for origin, wire in _named(target.damages(contents["smallest"])):
        if target.judge(wire).result is not Result.UNSPECIFIED:
            yield VectorBytes(slug(origin.name.replace("/", "-")), wire, ("TamperedPrefix",))


def _named(damages: Iterable[tuple[CaseOrigin, bytes]]) -> Iterator[tuple[CaseOrigin, bytes]]:
    """Yield the changes with words of their own: those of a base are for the suite alone."""
    return (each for each in damages if not each[0].base)
