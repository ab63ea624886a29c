"""A message body, the target of most checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.targets.body_target import SchemaTarget, body_difference, kept
from conformance.targets.given_types import right_names
from conformance.targets.outcome import Kind, Outcome
from conformance.targets.plain_values import copy_of
from conformance.targets.target import DECODE, Json
from reference import Difference, NotJsonForm, Verdict, decode, encode, from_json, judge, to_json
from reference.values.json_form import with_other_forms

if TYPE_CHECKING:
    from conformance.targets.claims import Claims
    from conformance.targets.target import Contents, Damages
    from reference import FieldSchema, MessageSchema, Span


CONTENTS_KEPT = 128
"""The number of contents with a kept form: those that are sent ahead, and the same number again."""


class LastForms:
    """JSON forms by the identity of their content.

    Finding an equal content would take longer than making its form.
    """

    def __init__(self) -> None:
        self._forms: dict[int, tuple[MessageSchema, Any, Any]] = {}

    def of(self, schema: MessageSchema, content: Any) -> Any:
        """Return the form of a content.

        Neither may be changed afterwards.
        """
        known = self._forms.get(id(content))  # the table keeps the content, so its id is of no other object
        if known is not None and known[0] is schema and known[1] is content:
            return known[2]
        form = to_json(schema, content)
        if len(self._forms) >= CONTENTS_KEPT:
            del self._forms[next(iter(self._forms))]
        self._forms[id(content)] = schema, content, form
        return form


_FORMS = LastForms()


@dataclass(frozen=True)
class Body(SchemaTarget):
    """A message without anything around it."""

    @property
    def folder(self) -> str:
        return "headers" if self.schema.kind == "header" else "messages"

    def function(self, what: str) -> str:
        return what

    def is_offered(self, claims: Claims, what: str) -> bool:
        if what in claims.supported:
            return self.schema.version in claims.supported[what].get(self.schema.message, ())
        return what in claims.functions

    def arguments(self, what: str, content: Any) -> tuple[Any, ...]:  # noqa: ARG002  # they are the same for all
        return self.schema, copy_of(content)

    def checked(self, outcome: Outcome) -> Outcome:
        if outcome.kind is not Kind.VALUE or isinstance(outcome.value, dict):
            return outcome
        if outcome.text:
            return Outcome(Kind.PROTOCOL_ERROR, text=outcome.text)
        return self.other(DECODE, outcome.value, "a dict of fields")

    @property
    def defined(self) -> FieldSchema:
        return self.schema.body

    def write(self, content: Any) -> bytes:
        return encode(self.schema, content)

    def read(self, wire: bytes) -> Any:
        return decode(self.schema, wire).value

    def spans(self, wire: bytes) -> tuple[Span, ...]:
        return decode(self.schema, wire).spans

    def judge(self, wire: bytes) -> Verdict:
        return judge(self.schema, wire)

    def expected(self, claims: Claims, content: Any) -> Any:
        return kept(claims, self.schema, content)

    def difference(self, claims: Claims, expected: Any, actual: Any) -> Difference | None:
        return body_difference(claims, self.schema, expected, actual)

    def contents(self) -> Contents:
        from conformance.targets.body.body_contents import body_contents  # noqa: PLC0415  # no child needs it

        return body_contents(self.schema)

    def refused(self) -> Contents:
        from conformance.targets.body.body_contents import refused_bodies  # noqa: PLC0415  # no child needs it

        return refused_bodies(self.schema)

    def damages(self, content: Any) -> Damages:
        from conformance.targets.body.body_contents import body_damages  # noqa: PLC0415  # no child needs it

        return body_damages(self.schema, content)

    def to_json(self, content: Any) -> Any:
        return to_json(self.schema, content)

    def from_json(self, form: Any) -> Any:
        return from_json(self.schema, form)

    def identity(self, what: str) -> Json:  # noqa: ARG002  # they are the same for all
        return {"message": self.schema.message, "version": self.schema.version}

    def members(self, content: Any) -> Json:
        return {"value": _FORMS.of(self.schema, content)}

    def parse(self, reply: Json) -> Any:
        try:
            return from_json(self.schema, reply["value"])
        except NotJsonForm as error:
            error.value = with_other_forms(self.schema.body, reply["value"], right_names)
            raise
