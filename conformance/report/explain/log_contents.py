"""The messages in the keys and values of the records of Kafka's own logs.

The topic decides about the meaning, as records of `__remote_log_metadata` have the types of metadata records, with
other messages. Control records mean the same in every topic. Secrets are emptied, and their places say so.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from conformance.report.explain.explained_targets import explain_target
from conformance.targets import StoredForm
from reference import CodecError, Release, UnknownMessage, decode_record_leniently, to_json
from reference.codec import trace
from reference.definitions.model import RELEASED
from reference.explained.bodies import explain_message
from reference.explained.explanation import CUT, NOT_READ, TRAILING, Explanation, WirePart
from reference.explained.placing import body_parts, conclusion_of
from reference.explained.shown_values import Caption
from reference.layouts import METADATA_RECORD
from reference.prefixed import METADATA_LOG
from reference.protocols import wire_type_of
from reference.records.control import (
    CONTROL_KEY,
    END_TRANSACTION_MARKER,
    MARKERS,
    MESSAGES,
    TYPES,
    decode_control,
)
from reference.wire.stream import LenientReader, Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from reference import MessageSchema, Span
    from reference.layouts import Layout

GROUPS, TRANSACTIONS, SHARES, REMOTE = (
    "kafka-group-coordinator",
    "kafka-transaction-coordinator",
    "kafka-share-coordinator",
    "kafka-storage",
)
TOPICS = {
    "__cluster_metadata": METADATA_LOG,
    "__consumer_offsets": GROUPS,
    "__transaction_state": TRANSACTIONS,
    "__share_group_state": SHARES,
    "__remote_log_metadata": REMOTE,
}
"""The modules with the messages of Kafka's own logs, by topic."""

RECORDS_ALONE = {METADATA_LOG, REMOTE}
"""The modules whose records are in the values alone, without a key."""

SECRETS = {"UserScramCredentialRecord": ("Salt", "StoredKey", "ServerKey"), "DelegationTokenRecord": ("TokenId",)}
"""The fields with secrets, by message."""

FOLDER = re.compile(r"(.+)-\d+(?:\.[0-9a-f]+-(?:delete|future|stray))?")


def topic_of(folder: str) -> str | None:
    """Return the topic of the folder of a partition, as of `__consumer_offsets-6`; None of another one."""
    match = FOLDER.fullmatch(folder)
    return match[1] if match else None


class RecordContents(NamedTuple):
    """Key and value of a record."""

    key: bytes | None
    value: bytes | None


@dataclass(frozen=True)
class LogContents:
    """The meaning of the records of a log, with messages of the module `source`, or None of any other topic."""

    release: Release
    source: str | None
    shows_secrets: bool = False

    @classmethod
    def of_topic(cls, release: Release, topic: str | None, *, shows_secrets: bool = False) -> LogContents:
        """Return the contents of the log of a topic."""
        return cls(release, TOPICS.get(topic or ""), shows_secrets)

    def recognised(self, records: Sequence[RecordContents]) -> LogContents:
        """Return the contents by the module that reads all records, or the metadata log if one has a secret."""
        metadata = replace(self, source=METADATA_LOG)
        if any(metadata.is_secret(each.value) for each in records):
            return metadata
        for source in TOPICS.values():
            if records and all(self._reads(source, each) for each in records):
                return replace(self, source=source)
        return self

    def is_secret(self, value: bytes | None) -> bool:
        """Return whether a value is a sound record with a secret."""
        schema = self.value_schema(RecordContents(None, value))
        return schema is not None and schema.message in SECRETS and self.is_sound(schema, value)

    @property
    def hides(self) -> bool:
        """Whether bytes without a meaning are hidden, since they may be a secret."""
        return self.source == METADATA_LOG and not self.shows_secrets

    def is_sound(self, schema: MessageSchema, wire: bytes | None) -> bool:
        """Return whether a key or a value is the message, and nothing else."""
        if wire is None:
            return False
        reader = Reader(wire)
        try:
            self._read_prefix(reader)
            wire_type_of(schema).read(reader)
        except CodecError:
            return False
        return reader.tell() == len(wire)

    def _read_prefix(self, reader: Reader) -> None:
        if self.source in RECORDS_ALONE:
            METADATA_RECORD.read(reader)
        else:
            reader.seek(PREFIX)

    def _reads(self, source: str, record: RecordContents) -> bool:
        of_source = replace(self, source=source)
        schemas = [of_source.key_schema(record.key), of_source.value_schema(record)]
        wires = [record.key, record.value]
        expected = [source not in RECORDS_ALONE, record.value is not None]
        return all(
            (schema is not None and of_source.is_sound(schema, wire)) == is_due
            for schema, wire, is_due in zip(schemas, wires, expected, strict=True)
        ) and any(expected)

    def key_schema(self, key: bytes | None) -> MessageSchema | None:
        """Return the message of a key."""
        if self.source is None or self.source in RECORDS_ALONE or key is None or len(key) < PREFIX:
            return None
        name = _named(self.release, self.source, "coordinator-key").get(_int16(key))
        return None if name is None else self.release.schema(name, 0)

    def value_schema(self, record: RecordContents) -> MessageSchema | None:
        """Return the message of a value."""
        if self.source is None or record.value is None:
            return None
        if self.source in RECORDS_ALONE:
            with suppress(CodecError, UnknownMessage):
                return decode_record_leniently(self.release, record.value, source=self.source).schema
            return None
        if self.key_schema(record.key) is None or len(record.value) < PREFIX:
            return None
        name = _named(self.release, self.source, "coordinator-value").get(_int16(record.key or b""))
        with suppress(UnknownMessage):
            return None if name is None else self.release.schema(name, _int16(record.value))
        return None

    def of_key(self, record: RecordContents, *, is_control: bool) -> Explanation | None:
        """Return the explanation of a key, or None if it has no known meaning."""
        if is_control:
            return None if record.key is None else _of_layout("control record", CONTROL_KEY, record.key, _control_type)
        schema = self.key_schema(record.key)
        if schema is None or record.key is None:
            return None
        return explain_target(StoredForm(schema, self.release), record.key)

    def of_value(self, record: RecordContents, *, is_control: bool) -> Explanation | None:
        """Return the explanation of a value, without its secrets."""
        if is_control:
            return self._of_control(record)
        schema = self.value_schema(record)
        if schema is None or record.value is None:
            return None
        if self.hides and not self.is_sound(schema, record.value):
            return None
        found = explain_target(StoredForm(schema, self.release), record.value)
        return found if self.shows_secrets else without_secrets(found, schema.message)

    def texts(self, record: RecordContents, *, is_control: bool) -> tuple[str, str]:
        """Return key and value of a record as texts: messages as JSON, else a printable text or hex digits."""
        if is_control:
            return "", _control_text(record)
        if self.source is None:
            return plain_text(record.key), plain_text(record.value)
        keys, values = self.key_schema(record.key), self.value_schema(record)
        return self._text(keys, record.key), self._text(values, record.value)

    def _text(self, schema: MessageSchema | None, wire: bytes | None) -> str:
        if self.hides and wire is not None and (schema is None or not self.is_sound(schema, wire)):
            return hidden(len(wire))
        if schema is None or wire is None:
            return plain_text(wire)
        reader = LenientReader(wire)
        try:
            self._read_prefix(reader)
            read = wire_type_of(schema).read(reader)
        except CodecError as error:
            return f"{schema.message} v{schema.version}: {error}"
        value = to_json(schema, read)
        if not self.shows_secrets:
            value |= {name: hidden(len(read[name])) for name in SECRETS.get(schema.message, ()) if name in read}
        return f"{schema.message} v{schema.version} {json.dumps(value)}"

    def _of_control(self, record: RecordContents) -> Explanation | None:
        number = _int16(record.key[PREFIX:]) if record.key is not None and len(record.key) >= 2 * PREFIX else -1
        if record.value is None or not 0 <= number < len(TYPES):
            return None
        if TYPES[number] in MARKERS:
            return _of_layout("end of a transaction", END_TRANSACTION_MARKER, record.value, lambda _span, _piece: "")
        schema = self.release.schema(MESSAGES[TYPES[number]], 0)
        return explain_message(schema, record.value)


PREFIX = 2


def _int16(data: bytes) -> int:
    return int.from_bytes(data[:PREFIX], "big", signed=True)


@cache
def _named(release: Release, source: str, kind: str) -> dict[int | None, str]:
    names = (name for name in release.messages if release.source(name) == source)
    return {each.api_key: each.name for each in map(release.definition, names) if each.kind == kind}


def _control_type(span: Span, piece: bytes) -> str:
    number = _int16(piece)
    is_type = span.path == "type" and 0 <= number < len(TYPES)
    return f" ({TYPES[number]})" if is_type else ""


def _of_layout(title: str, layout: Layout, wire: bytes, more: Callable[[Span, bytes], str]) -> Explanation:
    """Return the explanation of a fixed layout, which may be longer in later versions. `more` adds to a number."""

    def read(reader: LenientReader) -> None:
        layout.read(reader)
        reader.read()

    def describe(span: Span, piece: bytes) -> Caption:
        number = int.from_bytes(piece, "big", signed=True)
        return Caption(f"int{8 * len(piece)}", f"{number}{more(span, piece)}")

    traced = trace(wire, read)
    return Explanation(
        title, wire, body_parts(lambda _: None, wire, traced, describe), conclusion_of(traced, None, RELEASED)
    )


def without_secrets(explanation: Explanation, message: str) -> Explanation:
    """Return an explanation of a message without its secrets."""
    names = SECRETS.get(message, ())
    return emptied(explanation, lambda part: part.role == "payload" and part.path.rpartition(".")[2] in names)


def emptied(explanation: Explanation, is_hidden: Callable[[WirePart], bool]) -> Explanation:
    """Return an explanation with zeros in the place of some parts, and a text there with the number of bytes."""
    wire, parts = bytearray(explanation.wire), []
    for part in explanation.parts:
        parts.append(replace(part, value=hidden(part.end - part.start)) if is_hidden(part) else part)
        if is_hidden(part):
            wire[part.start : part.end] = bytes(part.end - part.start)
    if bytes(wire) == explanation.wire:
        return explanation
    verdict = replace(explanation.verdict, canonical=None)
    return replace(explanation, wire=bytes(wire), parts=tuple(parts), verdict=verdict)


def hidden(size: int) -> str:
    """Return the text in the place of a secret."""
    return f"{size:,} bytes that are a secret (--secrets shows them)"


def _control_text(record: RecordContents) -> str:
    try:
        control = decode_control(record.key, record.value)
    except CodecError as error:
        return f"control record: {error}"
    return f"control record {json.dumps(control, default=repr)}"


LONGEST = 1_000
"""The number of bytes shown of a key or a value."""


def plain_text(wire: bytes | None) -> str:
    """Return bytes as a quoted text if they are a printable one, else as hex digits."""
    if wire is None:
        return "null"
    more = "" if len(wire) <= LONGEST else f"… ({len(wire):,} bytes)"
    try:
        text = wire[:LONGEST].decode()
    except UnicodeDecodeError:
        return wire[:LONGEST].hex() + more
    if not text.isprintable():
        return wire[:LONGEST].hex() + more
    is_plain = '"' not in text and "\\" not in text
    return (f'"{text}"' if is_plain else json.dumps(text, ensure_ascii=False)) + more


RECORD_PART = re.compile(r"(.*\.records\[\d+\])\.(key|value)")


def with_contents(explanation: Explanation, contents: LogContents, *, is_control: bool) -> Explanation:
    """Return the explanation of a batch with the messages in its records, those of a compressed stream as well."""
    inside = tuple(_with_contents(each, contents, is_control=is_control) for each in explanation.inside)
    whole = _with_contents(replace(explanation, inside=inside), contents, is_control=is_control)
    is_secret = any(each.wire != old.wire for each, old in zip(inside, explanation.inside, strict=True))
    whole = emptied(whole, lambda part: is_secret and part.type == STREAM)
    is_changed = whole.wire != explanation.wire
    return replace(whole, verdict=replace(whole.verdict, canonical=None)) if is_changed else whole


STREAM = "compressed-stream"
MEANINGLESS = {"payload", NOT_READ, CUT, TRAILING}
"""The roles of bytes that may be anything."""


def _with_contents(explanation: Explanation, contents: LogContents, *, is_control: bool) -> Explanation:
    found: dict[WirePart, Explanation] = {}
    records = _records_in(explanation)
    for part, record, name in records:
        read = contents.of_key if name == "key" else contents.of_value
        if (explained := read(record, is_control=is_control)) is not None:
            found[part] = explained
    whole = emptied(explanation, lambda part: contents.hides and part.role in MEANINGLESS and part not in found)
    wire, parts = bytearray(whole.wire), list[WirePart]()
    for part, shown in zip(explanation.parts, whole.parts, strict=True):
        if part in found:
            wire[part.start : part.end] = found[part].wire
            parts += [each.within(part.start, part.path) for each in found[part].parts]
        else:
            parts.append(shown)
    inside = (each.within(part.start, part.path) for part, each in found.items())
    return replace(whole, wire=bytes(wire), parts=tuple(parts), inside=(*inside, *explanation.inside))


def _records_in(explanation: Explanation) -> list[tuple[WirePart, RecordContents, str]]:
    """Return the parts that are a key or a value, each with its record, and with its name."""
    named = [(part, match) for part in explanation.parts if (match := _payload(part))]
    contents: dict[str, dict[str, bytes]] = {match[1]: {} for _, match in named}
    for part, match in named:
        contents[match[1]][match[2]] = explanation.wire[part.start : part.end]
    return [
        (part, RecordContents(*map(contents[match[1]].get, RecordContents._fields)), match[2]) for part, match in named
    ]


def _payload(part: WirePart) -> re.Match[str] | None:
    return RECORD_PART.fullmatch(part.path) if part.role == "payload" else None
