"""Checks on fields of other versions, for implementations with support for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from conformance.generate.unusual_values import absent_cases
from conformance.judge.checks.body_cases import EquivalentCase
from conformance.judge.checks.unencodable_values import UnencodableCase
from reference import MessageSchema, Unencodable, decode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.codec.session import Session


CATEGORY = "absent fields"


@dataclass(frozen=True)
class AbsentFieldCase(EquivalentCase):
    """A value with a dropped field of other versions, written without it."""

    kind: ClassVar[str] = "absent-field"
    category: ClassVar[str] = CATEGORY

    def is_held(self, session: Session) -> bool:
        """Return whether the implementation takes fields of other versions."""
        return session.implementation.takes_absent_fields and super().is_held(session)

    @property
    def meant(self) -> dict[str, Any]:
        """The same value without the field."""
        value: dict[str, Any] = decode(self.schema, self.canonical).value
        return value


def absent_field_cases(session: Session, schema: MessageSchema) -> Iterator[AbsentFieldCase | UnencodableCase]:
    """Yield a case for each field of other versions.

    An ignorable field, or one at its default, is dropped; any other must be refused.
    """
    implementation = session.implementation
    if not (implementation.takes_absent_fields and implementation.offers("encode", schema)):
        return
    for rule, variation in absent_cases(schema):
        case = AbsentFieldCase(schema, variation.name, variation.path, variation.value, rule)
        try:
            case.canonical  # noqa: B018  # raises where there are no bytes
        except Unencodable:
            yield UnencodableCase(schema, case.name, case.path, case.content, rule, category=CATEGORY)
        else:
            yield case
