"""Single faults of stored messages, read and written by statements 5.15 to 5.20; the reference has the bodies."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from conformance.adapter import StoredMessage
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.checks.stored_cases import stored_checks
from conformance.judge.engine import violations
from conformance.vectors.tree.vector_paths import VectorFile
from reference import TAGS, MessageSchema, Release, minimal
from tests.mutants.mutant import selected
from tests.mutants.single_faults import inputs
from tests.mutants.single_faults.family import CodecFaults
from tests.mutants.single_faults.fault import Seen
from tests.mutants.single_faults.judging import seen_by
from tests.mutants.single_faults.stored_ways import DEFINITIONS, TypeAsked, types_of, wrongs
from tests.mutants.single_faults.wrong import Wrong
from tests.second_codec import bodies
from tests.second_codec.steps import (
    SOUND,
    ContentWay,
    Input,
    LeftOpen,
    Misstep,
    NotTaken,
    Output,
    VarintWay,
    shortest,
    signed,
)

FRAME_VERSION = 1
HIGHEST = 2**15 - 1
Value = dict[str, Any]


@dataclass(frozen=True)
class StoredCodec:
    """A reader and a writer of stored messages, one of which may be wrong in one step."""

    reads: Misstep = SOUND
    writes: Misstep = SOUND

    def encode_prefixed(self, schema: MessageSchema, value: Value) -> bytes:
        number = schema.api_key if schema.kind == "coordinator-key" else schema.version
        target = Output(self.writes)
        target.fixed("prefix", self._numbers(schema, [number])[0], 2)
        return self._with_body(target, schema, value)

    def encode_record(self, schema: MessageSchema, value: Value) -> bytes:
        target = Output(self.writes)
        numbers = self._numbers(schema, [FRAME_VERSION, schema.api_key, schema.version])
        for place, number in zip(PLACES, numbers, strict=True):
            if not self.writes.has(f"{place}-left-out"):
                target.varint(place, number)
        return self._with_body(target, schema, value)

    def _numbers(self, schema: MessageSchema, numbers: list[Any]) -> Any:
        return self.writes.at("numbers", ContentWay()).value((schema, numbers))[1]

    def _with_body(self, target: Output, schema: MessageSchema, value: Value) -> bytes:
        given = self.writes.at("body-value", ContentWay()).value(value)
        return bytes(target.data) + self.writes.at("body", ContentWay()).raw(bodies.write(schema.struct, given))

    def decode_prefixed(self, release: Release, message: str, wire: bytes) -> StoredMessage:
        return self.read_prefixed(message, Input(wire, self.reads))

    def decode_record(self, release: Release, source: str, wire: bytes) -> StoredMessage:
        return self.read_record(source, Input(wire, self.reads))

    def read_prefixed(self, message: str, source: Input) -> StoredMessage:
        """Read a message behind its version or type."""
        definition = DEFINITIONS.definition(message)
        number, versions = source.fixed("prefix", 2), definition.valid_versions
        if definition.kind == "coordinator-key":
            is_known, version = number == definition.api_key, versions.lowest
        else:
            is_known, version = number in versions, number
        if not is_known and not source.misstep.has("unknown-prefix-taken"):
            raise LeftOpen
        schema = DEFINITIONS.schema(message, self._version(message, versions.nearest(version)))
        value, behind = self._body(schema, source)
        source.is_open |= behind > 0
        if behind and source.misstep.has("bytes-behind-refused"):
            raise NotTaken
        return self._told(schema, version, value)

    def read_record(self, source_name: str, source: Input) -> StoredMessage:
        """Read a record of a log, which is all that the input has."""
        numbers = [self._number(source, place) for place in PLACES]
        frame_version, record_type, version = source.misstep.at("numbers", ContentWay()).value(numbers)
        if frame_version != FRAME_VERSION and not source.misstep.has("frame-version-not-checked"):
            raise NotTaken
        message = self._message(source_name, record_type)
        versions = DEFINITIONS.definition(message).valid_versions
        source.is_open |= version not in versions
        if version not in versions and source.misstep.has("unknown-version-refused"):
            raise NotTaken
        schema = DEFINITIONS.schema(message, self._version(message, versions.nearest(version)))
        value, behind = self._body(schema, source)
        if self.reads.at("behind", ContentWay()).value(source.data[len(source.data) - behind :]):
            raise NotTaken
        return self._told(schema, schema.version, value)

    def _number(self, source: Input, place: str) -> int:
        number = source.varint(place)
        if number >> 31:
            source.is_open = True
            if source.misstep.has(f"negative-{place}-refused"):
                raise NotTaken
            return signed(number, 16)
        if number > HIGHEST and not source.misstep.has(f"{place}-cut-at-16-bits"):
            raise NotTaken
        return signed(number, 16) if number > HIGHEST else number

    def _message(self, source_name: str, record_type: int) -> str:
        """Return the message of a type; a misstep says which of them is mistaken."""
        names = types_of(source_name)
        asked = TypeAsked(source_name, record_type, names)
        found: str | None = self.reads.at("types", ContentWay()).value(asked).message
        if found is None:
            raise NotTaken
        return found

    def _version(self, message: str, version: int) -> int:
        """Return the version in which a body is read."""
        changed: int = self.reads.at("version-of-body", ContentWay()).value(version)
        return DEFINITIONS.definition(message).valid_versions.nearest(changed)

    def _body(self, schema: MessageSchema, source: Input) -> tuple[Value, int]:
        if self.reads.has("body-missing-as-defaults") and not source.left:
            return minimal(schema), 0
        source.data += bytes(64) if self.reads.has("rest-filled-with-zeros") else b""
        value, behind = bodies.read_body(schema, source)
        padding = min(behind, 64) if self.reads.has("rest-filled-with-zeros") else 0
        read: Value = self.reads.at("body-value", ContentWay()).value(value)
        return read, behind - padding

    def _told(self, schema: MessageSchema, version: int, value: Value) -> StoredMessage:
        told: tuple[str, int] = self.reads.at("told", ContentWay()).value((schema.message, version))
        return StoredMessage(*told, value)

    def adapter(self, name: str) -> LoadedAdapter:
        return LoadedAdapter(
            spec="",
            name=name,
            version="0",
            supported={"encode": {}, "decode": {}},
            encode_prefixed=self.encode_prefixed,
            decode_prefixed=self.decode_prefixed,
            encode_record=self.encode_record,
            decode_record=self.decode_record,
            rejections=(NotTaken,),
            capabilities=frozenset({"unknown-tags"}),
        )


PLACES = ("frame-version", "type", "version")


def codec_of(wrong: Wrong) -> StoredCodec:
    """Return the codec that is wrong in one step."""
    return StoredCodec(reads=wrong.misstep) if wrong.side == "decode" else StoredCodec(writes=wrong.misstep)


def judged(codec: StoredCodec, wrong: Wrong) -> Seen:
    """Return what shows a codec of stored messages."""
    schemas = selected(DEFINITIONS.name, wrong.subject)

    def check(session: Session) -> Iterator[Violation]:
        for schema in schemas:
            yield from violations(session, stored_checks(session, schema))

    messages = dict.fromkeys(schema.message for schema in schemas)
    files = [VectorFile(DEFINITIONS.name, "stored", message) for message in messages]
    return seen_by(codec.adapter(wrong.name), DEFINITIONS, check, files)


@lru_cache(maxsize=2)
def sound(side: str, place: str, pairs: str) -> Sequence[tuple[tuple[MessageSchema, Any], inputs.Made]]:
    """Return values, or sound and damaged bytes, of messages, each with what a sound codec makes of it."""
    places = (place,) if place in {*PLACES, "prefix"} else (*PLACES, "prefix")
    return [
        ((schema, each), _TRIES[side](StoredCodec(), schema, each))
        for schema in selected(DEFINITIONS.name, pairs)
        for each in (values(schema) if side == "encode" else wires(schema, places))
    ]


def wires(schema: MessageSchema, places: Sequence[str]) -> Iterator[bytes]:
    """Yield sound and damaged bytes of a message, and records of every type."""
    yield from inputs.damaged(
        lambda misstep, value: write(StoredCodec(writes=misstep), schema, value), values(schema), *places
    )
    for message in ("NoOpRecord", "FeatureLevelRecord") if schema.stored_form == "record" else ():
        other = DEFINITIONS.schema(message, 0)
        yield write(StoredCodec(), other, minimal(other))
    for record_type in RECORD_TYPES if schema.stored_form == "record" else ():
        yield write(StoredCodec(writes=of_type(record_type)), schema, minimal(schema))


def of_type(record_type: int) -> Misstep:
    """Return the misstep of a writer that writes another type."""
    return Misstep("type", VarintWay(form=lambda _form: shortest(record_type)))


RECORD_TYPES = (*range(40), *range(128, 168), *range(256, 296), 2**15 + 20, 2**16 + 20, 2**24 + 20)


def write(codec: StoredCodec, schema: MessageSchema, value: Value) -> bytes:
    """Write a message in the form in which it is stored."""
    return (codec.encode_record if schema.stored_form == "record" else codec.encode_prefixed)(schema, value)


def values(schema: MessageSchema) -> Iterator[Value]:
    """Yield small values of a message, one of them with an unknown tagged field."""
    smallest = minimal(schema)
    yield smallest
    usual = {"string": "g", "int32": 5, "int64": 6, "int16": 7}
    yield smallest | {field.name: usual[str(field.type)] for field in schema.fields if str(field.type) in usual}
    if schema.flexible:
        yield smallest | {TAGS: [(9999, b"\1")]}


def _written(codec: StoredCodec, schema: MessageSchema, value: Value) -> inputs.Made:
    return inputs.outcome(lambda: write(codec, schema, value))


def _read(codec: StoredCodec, schema: MessageSchema, wire: bytes) -> inputs.Made:
    source = Input(wire, codec.reads)
    if schema.stored_form == "record":
        log = DEFINITIONS.source(schema.message)
        return inputs.outcome(lambda: codec.read_record(log, source), source)
    return inputs.outcome(lambda: codec.read_prefixed(schema.message, source), source)


_TRIES: dict[str, Callable[[StoredCodec, MessageSchema, Any], inputs.Made]] = {"encode": _written, "decode": _read}


FAMILY: CodecFaults[StoredCodec, tuple[MessageSchema, Any]] = CodecFaults(
    "stored",
    wrongs,
    codec_of,
    lambda wrong: sound(wrong.side, wrong.place, wrong.subject),
    lambda codec, wrong, given: _TRIES[wrong.side](codec, *given),
    judged,
)
