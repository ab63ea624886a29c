"""The contents and bytes that each form is compared by, and the header version of every API.

Bodies have generated values, every deterministic case and damaged bytes. Frames, stored messages and wire types have
fixed lists.
"""

from __future__ import annotations

import struct
from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.adapter import FrameContent
from conformance.campaign.proof.proof import Question, compare, other, read, rejected
from conformance.campaign.proof.proven_answers import answer_questions
from conformance.campaign.proof.proven_targets import bytes_questions, content_questions
from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import populated
from conformance.generate.hostile_bodies import hostile_cases, mutated_sample
from conformance.generate.refused_bytes import invalid_bytes
from conformance.generate.unusual_values import absent_cases
from conformance.targets import PREFIXES, Body, StoredForm, WholeFrame, WireTypeTarget
from reference import (
    Malformed,
    UnsupportedApi,
    minimal,
    primitive,
    primitives,
    request_header_version,
    response_header_version,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
    from conformance.campaign.proof.proof import ProofResult
    from reference import FrameDirection, MessageSchema, Release

DAMAGED_PER_VALUE = 5

DAMAGED_PER_SAMPLE = 8
"""Damaged inputs made of one value."""
BEYOND = 3
"""The number of API keys and versions beyond the highest ones in questions about header versions."""
VALUES = 2
"""Generated values for each frame, beside the smallest."""
CLIENT_IDS = (None, "", "cl", "日本", "a" * 127, "a" * 128, "a" * 32_767, "a" * 32_768)
CORRELATION_IDS = (0, 7, -1, 2**31 - 1, -(2**31))
HEADER_TAGS: tuple[list[tuple[int, bytes]], ...] = ([], [(0, b"")], [(5, b"\xca\xfe"), (16_384, b"\1")])
_DIRECTIONS: tuple[FrameDirection, ...] = ("request", "response")
_VERSION_OF = {"request": request_header_version, "response": response_header_version}


def compare_bodies(
    kafka: ApacheKafkaJvm, schemas: Iterable[MessageSchema], count: int, comparison: ProofResult, *, edges: bool
) -> Iterator[MessageSchema]:
    """Compare message version by message version, and yield each when it is done.

    Each version has `count` generated values. Half as many further ones have unknown tags or fields of other versions.
    With `edges` every deterministic case is tried as well.
    """
    for schema in schemas:
        compare(kafka, body_questions(schema, count, edges=edges), comparison)
        comparison.pairs += 1
        yield schema


def compare_framing(
    kafka: ApacheKafkaJvm, release: Release, schemas: Sequence[MessageSchema], comparison: ProofResult
) -> None:
    """Compare all headers of a release, all wire types, and the frames, answers and stored forms of `schemas`."""
    questions = chain(
        header_version_questions(release),
        frame_questions(release, schemas),
        answer_questions(release, schemas),
        stored_questions(release, schemas),
        wire_type_questions(),
    )
    compare(kafka, questions, comparison)


def body_questions(schema: MessageSchema, count: int, *, edges: bool) -> Iterator[Question]:
    """Yield all questions about the bodies of one message version."""
    target = Body(schema)
    for name, value in _values(target, count, edges=edges):
        yield from content_questions(target, f"{schema} {name}", value)
    for case in invalid_bytes(schema) if edges else ():
        yield from bytes_questions(target, f"{schema} broken/{case.name}", case.wire, "not readable")
    for wire in _damaged(schema, count * DAMAGED_PER_VALUE, edges=edges):
        yield from bytes_questions(target, f"{target} damaged {wire.hex()[:400]}", wire, "damaged")


def _values(target: Body, count: int, *, edges: bool) -> Iterator[tuple[str, Any]]:
    schema = target.schema
    for index in range(count):
        yield f"generated/{index}", sample(schema, f"prove/{index}")
    for index in range((count + 1) // 2):
        yield f"with-absent-fields/{index}", sample(schema, f"prove-absent/{index}", absent=True)
    for _, variation in absent_cases(schema):
        yield f"absent/{variation.name}", variation.value
    if edges:
        yield from ((f"edge/{origin.name}", value) for origin, value in target.contents())
        yield from ((f"unencodable/{origin.name}", value) for origin, value in target.refused())


def _damaged(schema: MessageSchema, count: int, *, edges: bool) -> Iterator[bytes]:
    for index in range(count):
        yield mutated_sample(schema, f"damage/{index // DAMAGED_PER_SAMPLE}", f"{schema}/{index}")
    if edges:
        yield from (case.wire for case in hostile_cases(schema))


def header_version_questions(release: Release) -> Iterator[Question]:
    """Yield a question for every API key, version and direction, also for some keys and versions beyond both ends."""
    definitions = map(release.definition, release.messages)
    apis = [each for each in definitions if each.kind in _DIRECTIONS and each.api_key is not None]
    highest_key = max(api.api_key or 0 for api in apis)
    for key in range(-1, highest_key + BEYOND + 1):
        highest = max((api.valid_versions.highest for api in apis if api.api_key == key), default=0)
        for version in range(-1, highest + BEYOND + 1):
            for direction in _DIRECTIONS:
                yield _header_version_question(release, direction, key, version)


def _header_version_question(release: Release, direction: FrameDirection, key: int, version: int) -> Question:
    request = {"op": "header-version", "direction": direction, "apiKey": key, "version": version}
    name = f"header version of {direction} {key} version {version}"
    try:
        expected = _VERSION_OF[direction](key, version, release)
    except UnsupportedApi as error:
        return Question("header versions", name, request, rejected(str(error)))
    return Question("header versions", name, request, read(lambda reply: other(expected, reply["value"])))


def frame_questions(release: Release, schemas: Sequence[MessageSchema]) -> Iterator[Question]:
    """Yield the questions about each request and response. The first one with each header gets all variations of it."""
    seen = set()
    for schema in schemas:
        if schema.kind not in _DIRECTIONS or schema.api_key is None:
            continue
        target = WholeFrame(schema, release)
        contents = _values_of_frames(target)
        if target.header not in seen:
            seen.add(target.header)
            contents |= _headers(target)
        for name, content in contents.items():
            yield from content_questions(target, f"{target} {name}", content)
        for name, wire in _broken_frames(target.write(FrameContent(7, None, minimal(schema), ()))).items():
            yield from bytes_questions(target, f"broken {target} {name}", wire)


def _headers(target: WholeFrame) -> dict[str, FrameContent]:
    value, contents = minimal(target.schema), {}
    for client_id in CLIENT_IDS if target.direction == "request" else (None,):
        shown = client_id if client_id is None else f"{client_id[:8]}-{len(client_id)}"
        for index, tags in enumerate(HEADER_TAGS):
            contents[f"client-id/{shown}/tags/{index}"] = FrameContent(7, client_id, value, tags)
    for correlation_id in CORRELATION_IDS:
        contents[f"correlation-id/{correlation_id}"] = FrameContent(correlation_id, None, value, ())
    return contents


def _values_of_frames(target: WholeFrame) -> dict[str, FrameContent]:
    values = [minimal(target.schema), *(sample(target.schema, f"prove-frame/{index + 1}") for index in range(VALUES))]
    return {
        f"value/{index}": FrameContent(CORRELATION_IDS[index], None, value, ()) for index, value in enumerate(values)
    }


def _broken_frames(wire: bytes) -> dict[str, bytes]:
    return {
        "size/-1": b"\xff\xff\xff\xff" + wire[4:],
        "size/lowest": b"\x80\0\0\0" + wire[4:],
        "size/one-more": struct.pack(">i", len(wire) - 3) + wire[4:],
        "size/highest": b"\x7f\xff\xff\xff" + wire[4:],
        "size/0": b"\0\0\0\0" + wire[4:],
        "cut/1": wire[:-1],
        "cut/header": wire[:5],
        **{f"cut/size-{length}": wire[:length] for length in range(4)},
        "short": struct.pack(">i", len(wire) - 5) + wire[4:-1],
    }


def stored_questions(release: Release, schemas: Sequence[MessageSchema]) -> Iterator[Question]:
    """Yield the questions about messages of the stored kinds, with bytes that may be no record."""
    for schema in (each for each in schemas if each.stored_form is not None):
        target = StoredForm(schema, release)
        form = "as record" if target.form == "record" else f"{PREFIXES[schema.kind]}-prefixed"
        for index, (_, content) in enumerate(target.contents()):
            yield from content_questions(target, f"{schema} {form}/{index}", content)
        if target.form == "record":
            for origin, wire in target.damages(target.content_of(populated(schema))):
                yield from bytes_questions(target, f"{schema} {origin.name}", wire)


def wire_type_questions() -> Iterator[Question]:
    """Yield the questions about values of each wire type, and about bytes that most readers must refuse."""
    for name in primitives():
        target = WireTypeTarget(primitive(name))
        for index, (_, content) in enumerate(target.contents()):
            yield from content_questions(target, f"{name}/{index}", content)
        for _, wire in target.damages():
            if _is_specified(target, wire):
                yield from bytes_questions(target, f"{target} from {wire.hex()}", wire)


def _is_specified(target: WireTypeTarget, wire: bytes) -> bool:
    """Return whether a strict reader reads the bytes or refuses them, and does not stop at an unspecified part."""
    try:
        target.read(wire)
    except Malformed as error:
        return error.reason is not None
    return True
