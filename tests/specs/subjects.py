"""The notation of types in the book's examples, and what the reference says of bytes of such a type.

    compact-nullable-string          a type alone, by its name in `reference.primitives`
    MetadataRequest v12              the body of a message
    RequestHeader v0 of 3.9.1        the same in another release than the newest
    Point v1                         a message that a ```json block of the chapter defines
    frame of ApiVersionsRequest v3   a whole request or response: size, header and body
    stored OffsetCommitKey v1        a message with what stands before it where it is stored

A `Subject` is such a type: its values, its bytes, and the verdict on any bytes.
"""

from __future__ import annotations

import json
import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from reference import (
    TAGS,
    BadRecord,
    Frame,
    Malformed,
    Result,
    Unencodable,
    completed,
    decode_frame,
    decode_prefixed,
    decode_record,
    decode_record_leniently,
    encode,
    encode_frame,
    encode_prefixed,
    encode_record,
    equal,
    from_json,
    header_schema,
    judge,
    load_release,
    newest_release,
    primitive,
)
from reference.definitions.parse import parse_definition
from reference.primitives import VALUE, Primitive
from reference.schema import resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reference import FieldSchema, MessageSchema, Reason, Release
    from reference.definitions.model import Definition

_MESSAGE = re.compile(
    r"(?:(?P<around>frame of|stored) )?(?P<message>[A-Z]\w*) v(?P<version>\d+)(?: of (?P<release>\d+\.\d+\.\d+))?"
)
_REPEATED_BYTE = re.compile(r"([0-9a-f]{2})\*([0-9]+)")
_REPEATED_TEXT = re.compile(r'"(.)"\*([0-9]+)')
_REPEATED_HEX = re.compile(r'"([0-9a-f]{2})\*([0-9]+)"')


@dataclass(frozen=True)
class Judgement:
    """What the reference says of some bytes."""

    result: Result
    rules: tuple[str, ...] = ()
    reason: Reason | None = None
    offset: int | None = None
    accepted: bool = True
    """Whether Apache Kafka reads a value; None where it depends on who reads."""
    value: Any = None
    """The value that it reads."""


class Subject(Protocol):
    """Something that has a value and bytes."""

    def value(self, form: Any) -> Any:
        """The value that is written so in the book."""

    def encode(self, value: Any) -> bytes:
        """The canonical bytes of a value."""

    def judge(self, wire: bytes) -> Judgement:
        """The verdict on bytes."""

    def equal(self, first: Any, second: Any) -> bool:
        """Compare two values."""


@dataclass(frozen=True)
class Body:
    """The body of a message."""

    schema: MessageSchema

    def value(self, form: Any) -> Any:
        """The value behind a form that may leave out defaults, and has 64-bit integers and floats as plain numbers."""
        return completed(self.schema, from_json(self.schema, _strict(self.schema.body, form)))

    def encode(self, value: Any) -> bytes:
        """The body alone."""
        return encode(self.schema, value)

    def judge(self, wire: bytes) -> Judgement:
        """The verdict of the oracle."""
        verdict = judge(self.schema, wire)
        return Judgement(
            verdict.result,
            verdict.rules,
            verdict.reason,
            verdict.offset,
            accepted=verdict.value is not None,
            value=verdict.value,
        )

    def equal(self, first: Any, second: Any) -> bool:
        """By the fields of the version, floats by their bits."""
        return equal(self.schema, first, second)


@dataclass(frozen=True)
class Field:
    """A type alone that is a type of fields: a message of one field."""

    body: Body

    def value(self, form: Any) -> Any:
        """The value of that field."""
        return self.body.value({VALUE: form})

    def encode(self, value: Any) -> bytes:
        """The bytes of that field."""
        return self.body.encode(value)

    def judge(self, wire: bytes) -> Judgement:
        """The verdict on a message of this field."""
        return self.body.judge(wire)

    def equal(self, first: Any, second: Any) -> bool:
        """As messages are compared."""
        return self.body.equal(first, second)


@dataclass(frozen=True)
class Alone:
    """A type that no field has: a varint, or a tag section without known tags."""

    primitive: Primitive

    def value(self, form: Any) -> Any:
        """A number, or a list of tags."""
        return self.primitive.from_json(str(form) if self.primitive.decimal else form)

    def encode(self, value: Any) -> bytes:
        """Its canonical bytes."""
        return self.primitive.encode(value)

    def judge(self, wire: bytes) -> Judgement:
        """Strictly, then leniently."""
        try:
            return Judgement(Result.VALID, value=self.primitive.decode(wire).value)
        except Malformed as error:
            strict = error
        try:
            return Judgement(Result.UNSPECIFIED, (strict.rule,), value=self.primitive.decode_leniently(wire).value)
        except Malformed as error:
            rules = (strict.rule,) if strict.rule == error.rule else (strict.rule, error.rule)
            return Judgement(Result.INVALID, rules, error.reason, error.offset, accepted=False)

    def equal(self, first: Any, second: Any) -> bool:
        """As Python compares them."""
        return bool(first == second)


@dataclass(frozen=True)
class Framed:
    """A whole request or response. Its value is that of the header, with the body's under `body`."""

    release: Release
    schema: MessageSchema

    @property
    def header(self) -> MessageSchema:
        """The schema of the header."""
        return header_schema(self.release, self._direction, self._api_key, self.schema.version)

    def value(self, form: Any) -> Any:
        """Correlation id, client id and unknown tags of the header, and the body."""
        names = {"CorrelationId", "ClientId", TAGS}
        header = from_json(self.header, {name: item for name, item in form.items() if name in names})
        return {**header, "body": Body(self.schema).value(form.get("body", {}))}

    def encode(self, value: Any) -> bytes:
        """Size, header and body."""
        return encode_frame(
            self.release,
            self._direction,
            self._api_key,
            self.schema.version,
            value["CorrelationId"],
            value.get("ClientId"),
            value["body"],
            header_tags=value.get(TAGS, ()),
        )

    def judge(self, wire: bytes) -> Judgement:
        """Strictly: frames have no lenient reader."""
        known = {} if self._direction == "request" else {"api_key": self._api_key, "api_version": self.schema.version}
        try:
            frame: Frame = decode_frame(self.release, self._direction, wire, **known)
        except Malformed as error:
            result = Result.UNSPECIFIED if error.reason is None else Result.INVALID
            return Judgement(result, (error.rule,), error.reason, error.offset, accepted=False)
        own = {name: item for name, item in frame.header.items() if not name.startswith("RequestApi")}
        return Judgement(Result.VALID, value={**own, "body": frame.value})

    def equal(self, first: Any, second: Any) -> bool:
        """Header by header, body by body."""
        heads = [{name: item for name, item in value.items() if name != "body"} for value in (first, second)]
        return heads[0] == heads[1] and equal(self.schema, first["body"], second["body"])

    @property
    def _direction(self) -> Any:
        return "request" if self.schema.kind == "request" else "response"

    @property
    def _api_key(self) -> int:
        assert self.schema.api_key is not None
        return self.schema.api_key


@dataclass(frozen=True)
class Stored:
    """A message as it is stored: a record of the metadata log, or one behind an int16."""

    release: Release
    schema: MessageSchema

    def value(self, form: Any) -> Any:
        """The value of the body."""
        return Body(self.schema).value(form)

    def encode(self, value: Any) -> bytes:
        """The body with what stands before it."""
        return encode_record(self.schema, value) if self._is_record else encode_prefixed(self.schema, value)

    def judge(self, wire: bytes) -> Judgement:
        """Strictly, then, for records, leniently; a record that is none has no reason and is rejected all the same."""
        try:
            return Judgement(Result.VALID, value=self._read(wire))
        except BadRecord as error:
            return Judgement(Result.INVALID, (error.rule,), None, error.offset, accepted=False)
        except Malformed as error:
            if error.reason is not None:
                return Judgement(Result.INVALID, (error.rule,), error.reason, error.offset, accepted=False)
            rules = (error.rule,)
        try:
            value = decode_record_leniently(self.release, wire).value if self._is_record else None
        except Malformed:
            value = None
        return Judgement(Result.UNSPECIFIED, rules, accepted=value is not None, value=value)

    def equal(self, first: Any, second: Any) -> bool:
        """As bodies are compared."""
        return equal(self.schema, first, second)

    @property
    def _is_record(self) -> bool:
        return self.schema.kind == "metadata"

    def _read(self, wire: bytes) -> Any:
        if self._is_record:
            return decode_record(self.release, wire).value
        return decode_prefixed(self.release, self.schema.message, wire).value


def subject_of(notation: str, definitions: Mapping[str, Definition]) -> Subject:
    """What a type of the book stands for; `definitions` are those of its chapter."""
    parts = _MESSAGE.fullmatch(notation)
    if parts is None:
        found = primitive(notation)
        return Alone(found) if found.schema is None else Field(Body(found.schema))
    if parts["message"] in definitions:
        return Body(resolve(definitions[parts["message"]], int(parts["version"])))
    release = load_release(parts["release"] or newest_release())
    schema = release.schema(parts["message"], int(parts["version"]))
    match parts["around"]:
        case "frame of":
            return Framed(release, schema)
        case "stored":
            return Stored(release, schema)
        case _:
            return Body(schema)


def definition_of(text: str) -> Definition:
    """The definition in a block of the book."""
    return parse_definition(text, "the book")


def form_of(cell: str) -> Any:
    """The JSON in a cell; `"a"*300` is a text of 300 letters, and `"00*118"` anywhere the hex of 118 bytes."""
    repeated = _REPEATED_TEXT.fullmatch(cell)
    if repeated is not None:
        return repeated[1] * int(repeated[2])
    return json.loads(_REPEATED_HEX.sub(lambda match: f'"{match[1] * int(match[2])}"', cell))


def bytes_of(cell: str) -> bytes:
    """The bytes in a cell; `61*300` is 300 times that byte, and `(none)` no byte at all."""
    pieces = "" if cell == "(none)" else _REPEATED_BYTE.sub(lambda match: match[1] * int(match[2]), cell)
    return bytes.fromhex(pieces)


def _strict(field: FieldSchema, form: Any) -> Any:
    """The form with 64-bit integers as text and floats as hex, where the book has plain numbers."""
    if form is None:
        return None
    if field.element is not None and isinstance(form, list):
        return [_strict(field.element, item) for item in form]
    if field.type == "struct" and isinstance(form, dict):
        known = {member.name: member for member in (*field.fields, *field.absent_fields)}
        return {name: _strict(known[name], item) if name in known else item for name, item in form.items()}
    if isinstance(form, bool) or not isinstance(form, int | float):
        return form
    if field.type == "float64":
        return struct.pack(">d", form).hex()
    return str(form) if field.type in ("int64", "uint32") else form


__all__ = ["Judgement", "Subject", "Unencodable", "bytes_of", "definition_of", "form_of", "subject_of"]
