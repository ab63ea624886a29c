"""The declared protocol beside the wire types, by bytes, values and refusals of both.

A target has one wire form and two encodings of it. An outcome is the result of an encoding, or `REFUSED`.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from construct import Construct, ConstructError, FocusedSeq, Terminated

from conformance.targets import Body, RecordsField, StoredForm, Target, WholeFrame, WireTypeTarget
from reference import TAGS, CodecError, Release, declared, decode_frame, message_type
from reference import declared_messages as messages
from reference.declared_batches import Varint, Varlong
from reference.declared_records import RECORDS
from reference.headers import with_raw_tags
from reference.primitives import TAG_SECTION
from reference.values.comparison import same_value

REFUSED = "refused"

NUMBERS: dict[str, Construct] = {
    "unsigned-varint": declared.UnsignedVarint,
    "unsigned-varlong": declared.Base128(declared.UINT64),
    "varint": Varint,
    "varlong": Varlong,
    "float64": declared.Float64,
    TAG_SECTION: declared.Fields(declared.Tags()),
}


class Encodings(NamedTuple):
    """One form on the wire in both encodings."""

    declared: Construct
    """Reads all of some bytes."""
    told: Callable[[Any], Any]
    """The value of the declared form for a content of the target."""
    read: Callable[[bytes], Any]
    """The value of the declared form, as the wire types read it."""


class Disagreement(NamedTuple):
    """One question with two answers."""

    target: str
    question: str
    given: Any
    wire: Any
    declared: Any

    def __str__(self) -> str:
        given = self.given.hex() if isinstance(self.given, bytes) else repr(self.given)
        return f"{self.target}, {self.question} {given:.300}: wire {self.wire!r:.200}, declared {self.declared!r:.200}"


class Asked(NamedTuple):
    """The contents to write and the bytes to read for one target."""

    target: Target
    contents: list[Any]
    wires: list[bytes]
    construct: Construct | None = None
    """Another construct of the target than that of `encodings_of`."""


def disagreements(asked: Asked) -> Iterator[Disagreement | None]:
    """Write each content, read each input and each written content, and yield None where both encodings agree."""
    target, encodings = asked.target, encodings_of(asked.target)
    if asked.construct is not None:
        encodings = encodings._replace(declared=whole(asked.construct))
    written = set()
    for content in asked.contents:
        wire = outcome(target.write, content, CodecError)
        found = outcome(lambda given: encodings.declared.build(encodings.told(given)), content, ConstructError)
        yield None if wire == found else Disagreement(str(target), "write", content, wire, found)
        if wire is not REFUSED:
            written.add(wire)
    for each in (*written, *asked.wires):
        value = outcome(encodings.read, each, CodecError)
        found = outcome(encodings.declared.parse, each, ConstructError)
        yield None if same_value(value, found) else Disagreement(str(target), "read", each, value, found)


def outcome(answer: Callable[[Any], Any], given: Any, refusal: type[Exception]) -> Any:
    """Return the answer to a question, or `REFUSED`."""
    try:
        return answer(given)
    except refusal:
        return REFUSED


@cache
def encodings_of(target: Target) -> Encodings:
    """Return both encodings of a target."""
    match target:
        case Body(schema):
            return Encodings(whole(message_type(schema)), lambda content: content, target.read)
        case RecordsField():
            return Encodings(RECORDS, lambda content: content, target.read)
        case WholeFrame():
            return _frame(target)
        case StoredForm():
            return _stored(target)
        case WireTypeTarget(primitive) if primitive.name == TAG_SECTION:
            return Encodings(
                whole(NUMBERS[TAG_SECTION]), lambda tags: {TAGS: tags}, lambda wire: _tags(target.read(wire))
            )
        case WireTypeTarget(primitive):
            return Encodings(whole(wire_type(primitive.name)), lambda content: content, target.read)
    raise TypeError(target)


def whole(construct: Construct) -> Construct:
    """Return a construct for the whole of some bytes."""
    return FocusedSeq("value", "value" / construct, Terminated)


def wire_type(name: str) -> Construct:
    """Return the construct of a wire type by its name, such as `compact-array-of-int32`."""
    if name in NUMBERS:
        return NUMBERS[name]
    array, _, element = name.partition("-of-")
    spelled = "".join(part.capitalize() for part in array.split("-")).replace("Uint", "UInt")
    if not element:
        return getattr(declared, spelled)
    return getattr(declared, spelled)(
        wire_type(f"compact-{element}" if array.startswith("compact") and element == "string" else element)
    )


def _tags(tags: list[Any]) -> dict[str, Any]:
    return {TAGS: tags} if tags else {}


@cache
def _request(release: Release) -> Construct:
    return messages.request(release)


def _frame(target: WholeFrame) -> Encodings:
    direction, release, key = target.direction, target.release, (target.api_key, target.version)

    def read(wire: bytes) -> Any:
        api = {} if direction == "request" else {"api_key": key[0], "api_version": key[1]}
        frame = decode_frame(release, direction, wire, **api)
        return {"header": frame.header, "body": frame.value}

    def told(content: Any) -> Any:
        facts = {"RequestApiKey": key[0], "RequestApiVersion": key[1], "CorrelationId": content.correlation_id}
        facts |= {"ClientId": content.client_id, TAGS: list(content.header_tags or ())}
        raw = with_raw_tags(target.header)
        header = {name: facts[name] for name in (*(field.name for field in raw.fields), TAGS)}
        if raw is not target.header:  # known tagged fields are among the tags
            header = message_type(target.header).parse(message_type(raw).build(header))
        return {"header": header, "body": content.value}

    construct = _request(release) if direction == "request" else messages.response(release, *key)
    return Encodings(construct, told, read)


def _stored(target: StoredForm) -> Encodings:
    schema, release = target.schema, target.release

    def read(wire: bytes) -> Any:
        found = target.read(wire)
        return told(found, release.definition(found.message).api_key, found.version)

    def told(content: Any, api_key: int | None = schema.api_key, version: int = schema.version) -> Any:
        if target.form == "record":
            return {"type": api_key, "version": version, "body": content.value}
        return {"prefix": api_key if schema.kind == "coordinator-key" else version, "body": content.value}

    record = target.form == "record"
    construct = messages.record(release, target.source) if record else messages.prefixed(release, schema.message)
    return Encodings(whole(construct), told, read)
