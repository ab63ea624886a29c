"""Checks on values without some fields, for implementations with support for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.generate.unusual_values import partial_cases
from conformance.judge.checks.body_cases import EquivalentCase
from reference import Malformed, MessageSchema, decode, difference, encode, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.codec.session import Session

RULE = "default.value"
CATEGORY = "partial values"


@dataclass(frozen=True)
class PartialCase(EquivalentCase):
    """A value without one of its fields, and the whole value with this field at its default."""

    kind: ClassVar[str] = "partial-value"
    category: ClassVar[str] = CATEGORY
    whole: dict[str, Any]

    @property
    def meant(self) -> dict[str, Any]:
        """The whole value."""
        return self.whole

    @cached_property
    def wire(self) -> bytes:
        """The canonical bytes of the whole value."""
        return encode(self.schema, self.whole)

    def extras(self) -> dict[str, Any]:
        """Return the whole value."""
        return {"whole": to_json(self.schema, self.whole)}

    def replay_arguments(self, direction: str) -> list[str]:  # noqa: ARG002  # it is only ever written
        """Return its name, since no other check has values without fields."""
        return ["--case", self.name]

    def is_held(self, session: Session) -> bool:
        """Return whether the implementation takes values without some fields."""
        return session.implementation.takes_partial_values and super().is_held(session)

    def is_equivalent(self, session: Session, wire: bytes) -> bool:
        """Return whether bytes mean the whole value.

        Bytes of the codec for the whole value do so as well, right or wrong.
        """
        # Other bytes of the whole value are a mistake as well, but the edge values report it.
        try:
            is_same = difference(self.schema, self.whole, decode(self.schema, wire).value) is None
        except Malformed:
            is_same = False
        return is_same or super().is_equivalent(session, wire)


def partial_value_cases(session: Session, schema: MessageSchema) -> Iterator[PartialCase]:
    """Yield the value of a message without one field, for each field with a default."""
    implementation = session.implementation
    if implementation.takes_partial_values and implementation.offers("encode", schema):
        for variation, whole in partial_cases(schema):
            yield PartialCase(schema, variation.name, variation.path, variation.value, RULE, whole)
