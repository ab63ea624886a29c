"""Checks on random record batches, which Hypothesis draws and shrinks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.checks.records.hostile_bytes import RecordsBytesCase, check_records_bytes
from conformance.checks.records.scope import MESSAGE_SETS, outside
from conformance.checks.records.values import RecordsValueCase
from conformance.generate.choices import DrawnChoices
from conformance.generate.records import message_set_value, records_value
from conformance.generate.records_hostile import damaged_records
from conformance.implementation.targets import RecordsField

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from conformance.findings.violations import Violation
    from conformance.implementation.session import Session

GENERATED = "generated record batches"


def generated_records_cases(session: Session, group: str, draw: Callable[[Any], Any]) -> Iterator[Violation]:
    """Draw a value of a group and check it; then damage it, and check the bytes."""
    target, choices = RecordsField(session.release.name), DrawnChoices(draw)
    value = message_set_value(choices) if group == MESSAGE_SETS else records_value(choices, _codecs(group))
    if outside(session.implementation.records, group, value):
        return
    session.tally.case(GENERATED, 2)
    yield from RecordsValueCase(target, value, group=group, deterministic=False).run(session)
    if target.is_offered(session.implementation, "decode"):
        wire = damaged_records(choices, value)
        yield from check_records_bytes(session, [RecordsBytesCase(target, "generated", wire, deterministic=False)])


def _codecs(group: str) -> tuple[str, ...]:
    return ("none",) if group == "batches" else (group,)
