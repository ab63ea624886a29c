"""What an implementation owes for messages as they are stored: behind an int16, or as records of the metadata log."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.adapter import DIRECTIONS, StoredMessage
from conformance.blame.bodies import Blame, blame_bytes, blame_value
from conformance.blame.layouts import explain_read, explain_written
from conformance.blame.stored_layouts import head_parts, stored_layout, stored_mistakes
from conformance.checks.reading import read_many
from conformance.findings.violations import Violation
from conformance.generate.cases import populated
from conformance.generate.stored import broken_prefixed, broken_records, stored_values
from conformance.implementation.framed import Framed
from conformance.implementation.outcome import ABSENT, FATAL, REFUSALS, Kind, Outcome
from conformance.implementation.targets import RECORD, stored_form
from reference import (
    BadRecord,
    Malformed,
    MessageSchema,
    Release,
    Stored,
    decode_prefixed,
    decode_record,
    difference,
    encode,
    to_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from conformance.bridge.isolation import IsolatedDecoder
    from conformance.findings.tally import Tally
    from conformance.implementation.driver import Implementation

KINDS = frozenset((RECORD, "data", "coordinator-key", "coordinator-value"))


def is_stored(schema: MessageSchema) -> bool:
    """Whether a message is stored behind something that says what it is."""
    return schema.kind in KINDS


def offers_stored(implementation: Implementation, schema: MessageSchema) -> bool:
    """Whether the adapter has a function for messages that are stored as this one is."""
    form = stored_form(schema)
    return any(getattr(implementation.adapter, f"{way}_{form}") is not None for way in DIRECTIONS)


@dataclass(frozen=True)
class StoredSubject:
    """An implementation, and the message that it is asked about."""

    implementation: Implementation
    decoder: IsolatedDecoder | None
    release: Release
    schema: MessageSchema

    def wire(self, value: dict[str, Any]) -> bytes:
        """The canonical bytes of a value, as it is stored."""
        return stored_layout(self.schema).write(self.content(value))

    def content(self, value: dict[str, Any]) -> StoredMessage:
        """What a reader owes of a value."""
        return StoredMessage(self.schema.message, self.schema.version, value)

    def decode_many(self, wires: list[bytes]) -> list[Outcome]:
        """Have it read bytes that may not be sound."""
        return read_many(self.implementation, self.decoder, Framed(self.schema, self.release), wires)

    def same(self, one: StoredMessage, other: Any) -> bool:
        """Whether two contents are the same; the second may be anything."""
        judged = self.implementation.judged
        return (
            isinstance(other, StoredMessage)
            and (one.message, one.version) == (other.message, other.version)
            and difference(self.schema, judged(one.value), judged(other.value)) is None
        )


def check_stored(
    implementation: Implementation,
    decoder: IsolatedDecoder | None,
    release: Release,
    schema: MessageSchema,
    tally: Tally,
) -> Iterator[Violation]:
    """Every value and every broken input of one message as it is stored."""
    subject = StoredSubject(implementation, decoder, release, schema)
    for value in stored_values(schema):
        tally.case("stored messages")
        yield from check_stored_value(subject, implementation.judged(value))
    wire = subject.wire(populated(schema))
    wires = dict(broken_records(wire) if schema.kind == RECORD else broken_prefixed(wire))
    tally.case("broken stored messages", len(wires))
    yield from check_broken_stored(subject, wires)


def check_stored_value(subject: StoredSubject, value: dict[str, Any]) -> Iterator[Violation]:
    """One value, written and read."""
    yield from _check_written(subject, subject.implementation.judged(value))
    wire = subject.wire(value)
    read = subject.implementation.decode_framed(Framed(subject.schema, subject.release), wire)
    content = subject.content(value)
    if read.kind in ABSENT or (read.kind is Kind.VALUE and subject.same(content, read.value)):
        return
    blame = _blame_read(subject, content, wire, read)
    yield _violation(subject.schema, blame, value, str(read.kind), (repr(content), str(read)), wire)


def _check_written(subject: StoredSubject, value: dict[str, Any]) -> Iterator[Violation]:
    wire, outcome = subject.wire(value), subject.implementation.encode_stored(subject.schema, value)
    if outcome.kind not in ABSENT and outcome.wire != wire:
        blame = _blame_written(subject, value, outcome)
        yield _violation(subject.schema, blame, value, str(outcome.kind), (wire.hex(), str(outcome)), wire)


def _blame_written(subject: StoredSubject, value: dict[str, Any], outcome: Outcome) -> Blame:
    """Why what was written is not the sound form, or why nothing was."""
    if outcome.wire is None:
        return Blame("message.writable", "")
    rule = explain_written(stored_mistakes(subject.schema), subject.content(value), outcome.wire)
    return Blame(rule, "") if rule else _by_place(subject.schema, value, outcome.wire)


def _by_place(schema: MessageSchema, value: dict[str, Any], actual: bytes) -> Blame:
    """By the first wrong number before a message, or by the message."""
    at = 0
    for rule, part in head_parts(schema):
        if not actual.startswith(part, at):
            return Blame(rule, "")
        at += len(part)
    return blame_bytes(schema, value, encode(schema, value), actual[at:])


def _blame_read(subject: StoredSubject, content: StoredMessage, wire: bytes, outcome: Outcome) -> Blame:
    """Why what was read is not the content, or why nothing was."""
    schema, read = subject.schema, outcome.value
    rule = explain_read(stored_mistakes(schema), subject, content, wire, outcome)
    if rule is not None:
        return Blame(rule, "")
    if not isinstance(read, StoredMessage):
        return Blame("message.accepted", "")
    if read.message != content.message:
        return Blame(head_parts(schema)[-2:][0][0], "")
    if read.version != content.version:
        return Blame(head_parts(schema)[-1][0], "")
    value = subject.implementation.judged(read.value)
    found = difference(schema, subject.implementation.judged(content.value), value)
    if found is None or not isinstance(value, dict):
        return Blame("message.accepted", "")
    return blame_value(schema, encode(schema, content.value), value, found)


def check_broken_stored(subject: StoredSubject, wires: Mapping[str, bytes]) -> Iterator[Violation]:
    """What every reader must refuse is refused; what is left open goes either way, but does no harm.

    Args:
        subject: an implementation and the message that these bytes should be.
        wires: by the name of the case.
    """
    outcomes = subject.decode_many(list(wires.values()))
    for (name, wire), outcome in zip(wires.items(), outcomes, strict=True):
        error = refusal_of_stored(subject.release, subject.schema, wire)
        if error is None or outcome.kind in REFUSALS | ABSENT:
            continue
        must_refuse = error.reason is not None or isinstance(error, BadRecord)
        if must_refuse or outcome.kind in FATAL:
            texts = ("rejected" if must_refuse else "no crash", str(outcome))
            yield _violation(subject.schema, Blame(error.rule, error.path), None, str(outcome.kind), texts, wire, name)


def refusal_of_stored(release: Release, schema: MessageSchema, wire: bytes) -> Malformed | None:
    """Why the reference does not read these bytes as such a message; None: it does."""
    try:
        read_stored_by_reference(release, schema, wire)
    except Malformed as error:
        return error
    return None


def read_stored_by_reference(release: Release, schema: MessageSchema, wire: bytes) -> Stored:
    """What the reference reads.

    Raises:
        Malformed: it does not.
    """
    if schema.kind == RECORD:
        return decode_record(release, wire, source=release.source(schema.message))
    return decode_prefixed(release, schema.message, wire)


def _violation(  # noqa: PLR0913, PLR0917  # what a violation is about
    schema: MessageSchema,
    blame: Blame,
    value: dict[str, Any] | None,
    kind: str,
    texts: tuple[str, str],
    wire: bytes,
    name: str = "stored",
) -> Violation:
    return Violation(
        rule=blame.rule,
        message=schema.message,
        version=schema.version,
        path=blame.path,
        outcome=kind,
        direction="stored",
        case=name,
        expected=texts[0],
        actual=texts[1],
        wire=wire.hex(),
        value="" if value is None else json.dumps(to_json(schema, value)),
    )
