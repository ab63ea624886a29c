"""Stored messages, read and written by statements 5.15 to 5.20 of the book."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

from conformance.adapter import StoredMessage
from reference import MessageSchema, Release
from tests.second_codec import bodies
from tests.second_codec.bodies import Value
from tests.second_codec.codec import Codec
from tests.second_codec.forms import signed
from tests.second_codec.steps import Input, Output
from tests.second_codec.ways import CONTENT, LeftOpen, NotTaken

FRAME_VERSION = 1
HIGHEST = 2**15 - 1
PLACES = ("frame-version", "type", "version")
"""The numbers before a record."""
FILLED = 64
"""The zeros after a body from a reader with padding."""


@cache
def types_of(release: Release, source: str) -> Mapping[int | None, str]:
    """Return the messages of a log, by type."""
    definitions = (release.definition(name) for name in release.messages if release.source(name) == source)
    return {each.api_key: each.name for each in definitions if each.kind == "metadata"}


class TypeAsked(NamedTuple):
    """The type of a record, and the messages of its log."""

    record_type: int
    names: Mapping[int | None, str]

    @property
    def message(self) -> str | None:
        return self.names.get(self.record_type)


class StoredCodec(Codec):
    """A reader and a writer of stored messages by their schema."""

    def write(self, subject: MessageSchema, content: Value) -> bytes:
        """Write a message in its stored form."""
        target = Output(self.writes)
        if subject.stored_form == "record":
            given = [FRAME_VERSION, subject.api_key, subject.version]
            for place, number in zip(PLACES, self._numbers(subject, given), strict=True):
                if not self.writes.has(f"{place}-left-out"):
                    target.varint(place, number)
        else:
            number = subject.api_key if subject.kind == "coordinator-key" else subject.version
            target.fixed("prefix", self._numbers(subject, [number])[0], 2)
        return bytes(target.data) + bodies.write(subject.struct, content, self.writes)

    def _numbers(self, schema: MessageSchema, numbers: list[Any]) -> Any:
        return self.writes.at("numbers", CONTENT).value((schema, numbers))[1]

    def read(self, subject: MessageSchema, source: Input) -> StoredMessage:
        """Read a message in its stored form."""
        if subject.stored_form == "record":
            return self.read_record(self.release.source(subject.message), source)
        return self.read_prefixed(subject.message, source)

    def read_prefixed(self, message: str, source: Input) -> StoredMessage:
        """Read a message after its version or type."""
        definition = self.release.definition(message)
        number, versions = source.fixed("prefix", 2), definition.valid_versions
        is_key = definition.kind == "coordinator-key"
        is_known = number == definition.api_key if is_key else number in versions
        if not is_known and not source.misstep.has("unknown-prefix-taken"):
            raise LeftOpen
        version = versions.lowest if is_key else number
        schema, value, behind = self._body(message, version, source)
        source.is_open |= bool(behind)
        if behind and source.misstep.has("bytes-behind-refused"):
            raise NotTaken
        return self._answer(schema, version, value)

    def read_record(self, log: str, source: Input) -> StoredMessage:
        """Read a record of a log, the whole of the input."""
        numbers = [self._number(source, place) for place in PLACES]
        frame_version, record_type, version = source.misstep.at("numbers", CONTENT).value(numbers)
        if frame_version != FRAME_VERSION and not source.misstep.has("frame-version-not-checked"):
            raise NotTaken
        asked = TypeAsked(record_type, types_of(self.release, log))
        message = source.misstep.at("types", CONTENT).value(asked).message
        if message is None:
            raise NotTaken
        is_known = version in self.release.definition(message).valid_versions
        source.is_open |= not is_known
        if not is_known and source.misstep.has("unknown-version-refused"):
            raise NotTaken
        schema, value, behind = self._body(message, version, source)
        if source.misstep.at("behind", CONTENT).value(behind):
            raise NotTaken
        return self._answer(schema, schema.version, value)

    def _number(self, source: Input, place: str) -> int:
        if source.misstep.has(f"{place}-left-out"):
            return FRAME_VERSION
        number = source.varint(place)
        if number >> 31:
            source.is_open = True
            if source.misstep.has(f"negative-{place}-refused"):
                raise NotTaken
        elif number > HIGHEST and not source.misstep.has(f"{place}-cut-at-16-bits"):
            raise NotTaken
        return signed(number, 16)

    def _body(self, message: str, version: int, source: Input) -> tuple[MessageSchema, Value, bytes]:
        """Read a body in the nearest version, and return it with the bytes after it."""
        misstep, versions = source.misstep, self.release.definition(message).valid_versions
        version = misstep.at("version-of-body", CONTENT).value(versions.nearest(version))
        schema = self.release.schema(message, versions.nearest(version))
        if misstep.has("body-missing-as-defaults") and not source.left:
            return schema, {field.name: field.default for field in schema.fields}, b""
        source.data += bytes(FILLED) if misstep.has("rest-filled-with-zeros") else b""
        value, behind = bodies.read_body(schema, source)
        behind -= min(behind, FILLED) if misstep.has("rest-filled-with-zeros") else 0
        return schema, value, source.data[len(source.data) - behind :]

    def _answer(self, schema: MessageSchema, version: int, value: Value) -> StoredMessage:
        message, version = self.reads.at("answer", CONTENT).value((schema.message, version))
        return StoredMessage(message, version, value)

    def functions(self) -> dict[str, Any]:
        def decode_prefixed(release: Release, message: str, wire: bytes) -> StoredMessage:
            return self.taken(partial(replace(self, release=release).read_prefixed, message), wire)

        def decode_record(release: Release, source: str, wire: bytes) -> StoredMessage:
            return self.taken(partial(replace(self, release=release).read_record, source), wire)

        decoders = {"decode_prefixed": decode_prefixed, "decode_record": decode_record}
        return {"encode_prefixed": self.write, "encode_record": self.write, **decoders}
