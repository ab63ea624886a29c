"""Checks on fields that a version lacks, for implementations that declare that they take such values."""

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
    """A value with a field that only other versions have, and that is dropped: the rest is written."""

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
    """Yield each field of other versions: dropped if it is ignorable or at its default, else a reason to refuse."""
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
