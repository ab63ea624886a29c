"""Headers, frames, stored messages and wire types compared with Apache Kafka.

Its own code must write the same frames, read the same contents from them, and refuse the same ones as the reference.
"""

from __future__ import annotations

import struct
from itertools import chain
from typing import TYPE_CHECKING, Any

from conformance.adapter import FrameContent
from conformance.campaign.proof.proof import Question, compare, content_difference, other, read, rejected, written
from conformance.campaign.proof.proven_answers import answer_questions
from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import populated
from conformance.targets import PREFIXES, StoredForm, WholeFrame, WireTypeTarget
from reference import (
    CodecError,
    Malformed,
    MessageSchema,
    Unencodable,
    UnsupportedApi,
    decode_record_leniently,
    encode_frame,
    minimal,
    primitive,
    primitives,
    request_header_version,
    response_header_version,
)
from reference.definitions.model import UNSIGNED
from reference.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import StoredMessage
    from conformance.adapters.harnesses.apache_kafka import ApacheKafkaJvm
    from conformance.campaign.proof.proof import ProofResult
    from conformance.targets import Target
    from reference import FrameDirection, Release

BEYOND = 3
"""The number of API keys and versions beyond the highest ones in questions about header versions."""
VALUES = 2
"""Generated values for each frame, beside the smallest."""
CLIENT_IDS = (None, "", "cl", "日本", "a" * 127, "a" * 128, "a" * 32_767, "a" * 32_768)
CORRELATION_IDS = (0, 7, -1, 2**31 - 1, -(2**31))
HEADER_TAGS: tuple[list[tuple[int, bytes]], ...] = ([], [(0, b"")], [(5, b"\xca\xfe"), (16_384, b"\1")])
_DIRECTIONS: tuple[FrameDirection, ...] = ("request", "response")
_VERSION_OF = {"request": request_header_version, "response": response_header_version}


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
        if target.header not in seen:
            seen.add(target.header)
            yield from _header_questions(target)
        for index in range(VALUES + 1):
            value = sample(schema, f"prove-frame/{index}") if index else minimal(schema)
            content = FrameContent(CORRELATION_IDS[index], None, value, ())
            yield from _frame_questions(target, f"value/{index}", content)
        yield from _invalid_questions(target)


def _header_questions(target: WholeFrame) -> Iterator[Question]:
    value = minimal(target.schema)
    for client_id in CLIENT_IDS if target.direction == "request" else (None,):
        shown = client_id if client_id is None else f"{client_id[:8]}-{len(client_id)}"
        for index, tags in enumerate(HEADER_TAGS):
            yield from _frame_questions(
                target, f"client-id/{shown}/tags/{index}", FrameContent(7, client_id, value, tags)
            )
    for correlation_id in CORRELATION_IDS:
        content = FrameContent(correlation_id, None, value, ())
        yield from _frame_questions(target, f"correlation-id/{correlation_id}", content)


def _frame_questions(target: WholeFrame, name: str, content: FrameContent) -> Iterator[Question]:
    """Yield the questions about one frame, written by both and read by Apache Kafka."""
    name = f"{target} {name}"
    try:
        wire = _written(target, content)
    except Unencodable as error:
        yield Question.to_write("frames not writable", name, target, content, rejected(str(error)))
        return
    yield Question.to_write("frames written", name, target, content, written(wire))
    yield _read_question(target, name, wire)


def _written(target: WholeFrame, content: FrameContent) -> bytes:
    """Write any client id, even if the header has none, since Apache Kafka drops it too."""
    numbers = target.direction, target.api_key, target.version, content.correlation_id
    tags = content.header_tags or ()
    return encode_frame(target.release, *numbers, content.client_id, content.value, header_tags=tags)


def _read_question(target: WholeFrame, name: str, wire: bytes) -> Question:
    """Ask for the same content as the reference's, and for no byte after it."""
    expected = target.read(wire + b"\xff")

    def difference(reply: Any) -> object:
        return content_difference(target, expected, reply) or other(wire.hex(), reply["canonical"])

    return Question.to_read("frames read", name, target, wire + b"\xff", read(difference))


def _invalid_questions(target: WholeFrame) -> Iterator[Question]:
    wire = _written(target, FrameContent(7, None, minimal(target.schema), ()))
    frames = {
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
    for name, frame in frames.items():
        check = rejected(_refusal(target, frame))
        yield Question.to_read("frames not readable", f"broken {target} {name}", target, frame, check)


def _refusal(target: WholeFrame, wire: bytes) -> str:
    """Return the reference's reason to refuse these bytes, or raise InternalError if it has none."""
    try:
        target.read(wire)
    except Malformed as error:
        if error.reason is not None:
            return str(error)
    raise InternalError(f"{wire.hex()} should be invalid as a {target}, and the reference does not call it so")


def stored_questions(release: Release, schemas: Sequence[MessageSchema]) -> Iterator[Question]:
    """Yield the questions about messages of the stored kinds, with bytes that may be no record."""
    for schema in schemas:
        if schema.stored_form is None:
            continue
        target = StoredForm(schema, release)
        for index, (_, content) in enumerate(target.contents()):
            yield from _value_questions(target, index, content)
        if target.form == "record":
            for origin, wire in target.damages(target.content_of(populated(schema))):
                yield _record_question(target, f"{schema} {origin.name}", wire)


def _value_questions(target: StoredForm, index: int, content: StoredMessage) -> Iterator[Question]:
    """Yield the questions about one value, written by both and read by Apache Kafka."""
    wire = target.write(content)
    if target.form == "record":
        name = f"{target.schema} as record/{index}"
        yield Question.to_write("records written", name, target, content, written(wire))
        yield _record_question(target, name, wire)
        return
    name = f"{target.schema} {PREFIXES[target.schema.kind]}-prefixed/{index}"
    yield Question.to_write("prefixed written", name, target, content, written(wire))

    def difference(reply: Any) -> object:
        if reply["consumed"] != len(wire):
            return f"{reply['consumed']} bytes of {len(wire)} consumed"
        return content_difference(target, target.read(wire), reply)

    yield Question.to_read("prefixed read", name, target, wire, read(difference))


def _record_question(target: StoredForm, name: str, wire: bytes) -> Question:
    """Ask Apache Kafka to read the same record as the reference, or to refuse the bytes."""
    try:
        stored = decode_record_leniently(target.release, wire, source=target.source)
    except CodecError as error:
        return Question.to_read("records not readable", name, target, wire, rejected(str(error)))
    own = StoredForm(stored.schema, target.release)
    known = target.release.definition(own.message).valid_versions

    def difference(reply: Any) -> object:
        if reply["message"] == own.message and reply["version"] not in known:  # read as the nearest version
            reply = {**reply, "version": own.version}
        return content_difference(own, own.content_of(stored.value), reply)

    return Question.to_read("records read", name, target, wire, read(difference))


def wire_type_questions() -> Iterator[Question]:
    """Yield the questions about values of each wire type, and about bytes that most readers must refuse."""
    for name in primitives():
        target = WireTypeTarget(primitive(name))
        for index, value in enumerate(content for _, content in target.contents()):
            yield from _primitive_questions(target, f"{name}/{index}", value)
        for _, wire in target.damages():
            yield from _primitive_bytes(target, wire)


def is_written_wider(target: Target, rule: str) -> bool:
    """Return whether Apache Kafka writes values refused by this rule, since Java has no unsigned types."""
    return rule == "number.range" and target.message in UNSIGNED


def _primitive_questions(target: WireTypeTarget, name: str, value: Any) -> Iterator[Question]:
    try:
        wire = target.write(value)
    except Unencodable as error:
        if is_written_wider(target, error.rule):
            return
        yield Question.to_write("primitives not writable", name, target, value, rejected(str(error)))
        return
    yield Question.to_write("primitives written", name, target, value, written(wire))
    yield _primitive_read(target, name, wire)


def _primitive_read(target: WireTypeTarget, name: str, wire: bytes) -> Question:
    decoded = target.primitive.decode(wire)

    def difference(reply: Any) -> object:
        return content_difference(target, decoded.value, reply) or other(decoded.consumed, reply["consumed"])

    return Question.to_read("primitives read", name, target, wire, read(difference))


def _primitive_bytes(target: WireTypeTarget, wire: bytes) -> Iterator[Question]:
    """Yield a question about valid or invalid bytes, and none about unspecified ones."""
    name = f"{target} from {wire.hex()}"
    try:
        target.read(wire)
    except Malformed as error:
        if error.reason is not None:
            yield Question.to_read("primitives not readable", name, target, wire, rejected(str(error)))
        return
    yield _primitive_read(target, name, wire)
