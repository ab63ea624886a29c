"""Stored messages compared with Apache Kafka: behind an int16, and as records of the metadata log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.differential.comparison import Question, content_difference, read, rejected, written
from conformance.generate.cases import populated
from conformance.generate.stored import broken_records, stored_values
from conformance.implementation.targets import StoredForm
from conformance.implementation.targets.stored import PREFIXES
from reference import CodecError, MessageSchema, decode_record_leniently

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from conformance.adapter import StoredMessage
    from reference import Release


def stored_questions(release: Release, schemas: Sequence[MessageSchema]) -> Iterator[Question]:
    """Yield the questions about each message of the kinds that are stored, and about bytes that may be no record."""
    for schema in schemas:
        if schema.stored_form is None:
            continue
        target = StoredForm(schema, release)
        for index, value in enumerate(stored_values(schema)):
            yield from _value_questions(target, index, target.content(value))
        if target.form == "record":
            for name, wire in broken_records(target.write(target.content(populated(schema)))):
                yield _record_question(target, f"{schema} {name}", wire)


def _value_questions(target: StoredForm, index: int, content: StoredMessage) -> Iterator[Question]:
    """Yield the questions about one value: written by both, and read by Apache Kafka."""
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
    """Return the question whether both read the same record from these bytes, or both refuse them."""
    try:
        stored = decode_record_leniently(target.release, wire, source=target.source)
    except CodecError as error:
        return Question.to_read("records not readable", name, target, wire, rejected(str(error)))
    own = StoredForm(stored.schema, target.release)
    known = target.release.definition(own.message).valid_versions

    def difference(reply: Any) -> object:
        if reply["message"] == own.message and reply["version"] not in known:  # read as the nearest version
            reply = {**reply, "version": own.version}
        return content_difference(own, own.content(stored.value), reply)

    return Question.to_read("records read", name, target, wire, read(difference))
