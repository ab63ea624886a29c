"""A message in its stored form, after an int16 or in a record of the metadata log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from conformance.adapter import StoredMessage
from conformance.targets.body_target import SchemaTarget, body_difference, part
from conformance.targets.plain_values import copy_of
from conformance.targets.target import DECODE, ENCODE, Json
from reference import (
    ApacheKafka,
    CodecError,
    Difference,
    NotJsonForm,
    Release,
    Result,
    UnknownMessage,
    Verdict,
    decode_prefixed,
    decode_record,
    decode_record_leniently,
    encode_prefixed,
    encode_record,
    from_json,
    stored_spans,
    to_json,
)
from reference.values.comparison import same_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.targets.claims import Claims
    from conformance.targets.faults.fault import FaultModel
    from conformance.targets.outcome import Outcome
    from conformance.targets.stored.stored_contents import TypesOfOthers
    from conformance.targets.stored.stored_faults import StoredCodec
    from conformance.targets.target import Contents, Damages
    from reference import MessageSchema, Span

PREFIXES = {"data": "version", "coordinator-value": "version", "coordinator-key": "type"}
"""The meaning of the int16 before a prefixed message, by the kind of the message."""


@dataclass(frozen=True)
class StoredForm(SchemaTarget):
    """A message in its stored form, after an int16 or in a record of the metadata log."""

    release: Release
    content_class: ClassVar[type[Any]] = StoredMessage
    folder = "stored"

    @property
    def form(self) -> Literal["record", "prefixed"]:
        """The stored form."""
        return self.schema.stored_form or "prefixed"

    @property
    def source(self) -> str:
        """The module with the log of a metadata record, or an empty text for a prefixed message."""
        return self.release.source(self.schema.message) if self.form == "record" else ""

    def __str__(self) -> str:
        return f"{self.schema} as it is stored"

    def function(self, what: str) -> str:
        return f"{what}_{self.form}"

    def arguments(self, what: str, content: Any) -> tuple[Any, ...]:
        if what == ENCODE:
            return self.schema, copy_of(content.value)
        return self.release, self.source or self.message, content

    def write(self, content: Any) -> bytes:
        return (encode_record if self.form == "record" else encode_prefixed)(self.schema, content.value)

    def read(self, wire: bytes) -> Any:
        if self.form == "record":
            stored = decode_record(self.release, wire, source=self.source)
        else:
            stored = decode_prefixed(self.release, self.schema.message, wire)
        return StoredMessage(stored.schema.message, stored.schema.version, stored.value)

    def spans(self, wire: bytes) -> tuple[Span, ...]:
        return stored_spans(self.schema, wire)

    def judge(self, wire: bytes) -> Verdict:
        """Return a verdict as `Target.judge` does.

        Another message, or another version of this one, is unspecified.
        """
        verdict = super().judge(wire)
        stored: Any = verdict.value
        is_own = stored is None or (stored.message, stored.version) == (self.message, self.version)
        return verdict if is_own else Verdict(Result.UNSPECIFIED, (), None)

    def observed(self, wire: bytes) -> Verdict:
        """Return the verdict of Apache Kafka's own reader on a record, which may be one of another message."""
        if self.form != "record":
            return self.judge(wire)
        try:
            stored = decode_record_leniently(self.release, wire, source=self.source)
        except CodecError:
            return Verdict(Result.UNSPECIFIED, (), ApacheKafka.REJECTS)
        content: Any = StoredMessage(stored.schema.message, stored.schema.version, stored.value)
        return Verdict(Result.UNSPECIFIED, (), ApacheKafka.ACCEPTS, value=content)

    def expected(self, claims: Claims, content: Any) -> Any:
        return self.judged(claims, content)

    def difference(self, claims: Claims, expected: Any, actual: Any) -> Difference | None:
        """Return a difference as `Target.difference` does.

        The path is the part of the stored message.
        """
        if not isinstance(actual, StoredMessage):
            return Difference("value", expected, actual, "type")
        for name in ("message", "version"):
            if not same_value(getattr(expected, name), getattr(actual, name)):
                return part(name, expected, actual)
        schema = nearest_schema(self.release, expected.message, expected.version)
        return body_difference(claims, schema, expected.value, actual.value)

    def consumed(self, outcome: Outcome) -> None:  # noqa: ARG002  # a stored message is all there is
        return None

    def to_json(self, content: Any) -> Any:
        return to_json(self.schema, content.value)

    def from_json(self, form: Any) -> Any:
        return self.content_of(from_json(self.schema, form))

    def content_of(self, value: Any) -> StoredMessage:
        return StoredMessage(self.message, self.version, value)

    def contents(self) -> Contents:
        from conformance.targets.stored.stored_contents import stored_values  # noqa: PLC0415  # no child needs it

        return ((origin, self.content_of(value)) for origin, value in stored_values(self.schema))

    @property
    def codec(self) -> StoredCodec:
        """The valid head and body."""
        from conformance.targets.stored.stored_faults import stored_codec  # noqa: PLC0415  # no child needs it

        return stored_codec(self.schema)

    @property
    def head_parts(self) -> tuple[tuple[str, bytes], ...]:
        """The valid numbers before the message, each with its rule."""
        from conformance.targets.stored.stored_faults import head_parts  # noqa: PLC0415  # no child needs it

        return head_parts(self.schema)

    def head_faults(self, header_version: int | None = None) -> Iterator[FaultModel[StoredCodec]]:  # noqa: ARG002  # of frames
        """Yield every mistake in the numbers before the message."""
        from conformance.targets.stored.stored_faults import stored_head_faults  # noqa: PLC0415  # no child needs it

        return stored_head_faults(self.codec)

    def damages(self, content: Any) -> Damages:
        from conformance.targets.stored.stored_contents import stored_damages  # noqa: PLC0415  # no child needs it

        wire = self.write(content)
        return stored_damages(self.schema, self.types_of_others if self.source else None, wire, self.spans(wire))

    @property
    def types_of_others(self) -> TypesOfOthers:
        """The types without a record in its log."""
        from conformance.targets.stored.stored_contents import types_of_others  # noqa: PLC0415  # no child needs it

        return types_of_others(self.release, self.source)

    def identity(self, what: str) -> Json:
        if what == DECODE:
            return {"source": self.source} if self.form == "record" else {"message": self.message}
        return {"message": self.message, "version": self.version}

    def parse(self, reply: Json) -> Any:
        message, version = reply.get("message"), reply.get("version")
        if type(message) is not str or type(version) is not int:
            raise NotJsonForm("", "a message and its version", f"{message}-v{version}")
        try:
            schema = nearest_schema(self.release, message, version)
        except UnknownMessage as error:
            raise NotJsonForm("", "a message of the release", f"{message}-v{version}") from error
        return StoredMessage(message, version, from_json(schema, reply["value"]))

    def reply(self, outcome: Outcome) -> Json:
        stored = outcome.value
        schema = nearest_schema(self.release, stored.message, stored.version)
        return {"message": schema.message, "version": stored.version, "value": to_json(schema, stored.value)}


def nearest_schema(release: Release, message: str, version: int) -> MessageSchema:
    """Return the schema for a value of a version, in the nearest version of the release (rule 1.2.8).

    Raises:
        UnknownMessage: the release does not have the message, or has no version of it.
    """
    return release.schema(message, release.definition(message).valid_versions.nearest(version))
