"""A message body, the target of most checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.codec.given_types import right_names
from conformance.codec.targets.target import Json, SchemaTarget, body_difference, kept, pair
from reference import Difference, NotJsonForm, Verdict, decode, encode, from_json, judge, to_json
from reference.values.json_form import with_other_forms

if TYPE_CHECKING:
    from conformance.adapter import Direction
    from conformance.codec.driver import Implementation
    from conformance.codec.outcome import Outcome
    from conformance.codec.targets.target import Claims
    from reference import MessageSchema, Span


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

    def __str__(self) -> str:
        return str(self.schema)

    def function(self, direction: Direction) -> str:
        return direction

    def is_offered(self, implementation: Implementation, direction: Direction) -> bool:
        return implementation.offers(direction, self.schema)

    def encode(self, implementation: Implementation, content: Any) -> Outcome:
        return implementation.encode(self.schema, content)

    def decode(self, implementation: Implementation, wire: bytes) -> Outcome:
        return implementation.decode(self.schema, wire)

    def size(self, implementation: Implementation, content: Any) -> int | Outcome | None:
        return None if implementation.adapter.size is None else implementation.size(self.schema, content)

    def write(self, content: Any) -> bytes:
        return encode(self.schema, content)

    def read(self, wire: bytes) -> Any:
        return decode(self.schema, wire).value

    def spans(self, wire: bytes) -> tuple[Span, ...]:
        return decode(self.schema, wire).spans

    def judge(self, wire: bytes) -> Verdict:
        return judge(self.schema, wire)

    def expected(self, implementation: Claims, content: Any) -> Any:
        return kept(implementation, self.schema, content)

    def difference(self, implementation: Claims, expected: Any, actual: Any) -> Difference | None:
        return body_difference(implementation, self.schema, expected, actual)

    def to_json(self, content: Any) -> Any:
        return to_json(self.schema, content)

    def from_json(self, form: Any) -> Any:
        return from_json(self.schema, form)

    def write_request(self, content: Any) -> Json:
        return {"op": "encode", **pair(self.schema), "value": _FORMS.of(self.schema, content)}

    def read_request(self, wire: bytes) -> Json:
        return {"op": "decode", "message": self.schema.message, "version": self.schema.version, "wire": wire.hex()}

    def parse(self, reply: Json) -> Any:
        try:
            return from_json(self.schema, reply["value"])
        except NotJsonForm as error:
            error.value = with_other_forms(self.schema.body, reply["value"], right_names)
            raise
