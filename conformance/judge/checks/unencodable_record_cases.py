"""Checks on values of `records` fields that no writer may write."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.codec.session import has_form
from conformance.definitions.catalogue import UNSPECIFIED, catalogue
from conformance.judge.checks.record_cases import records_case
from conformance.judge.checks.special_values import UNENCODABLE
from conformance.judge.kinds import CaseRefusal, CaseTrial, CodecCase
from conformance.targets import ENCODE, RECORD_BATCHES, RecordsField
from conformance.targets.listed import (
    BATCHES,
    MESSAGE_SETS,
    UnencodableRecords,
    outside,
    records_edges,
    unencodable_records,
)
from conformance.targets.outcome import Kind
from reference import Unencodable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.codec.session import Session

UNENCODABLES = "unencodable record batches"


def _writes(trial: CaseTrial) -> bool:
    """Return whether a writer has any accepted value; else it refuses nothing for the right reason."""
    smallest = records_edges()[0].value
    is_written = ("written", RECORD_BATCHES)
    return trial.session.once(is_written, lambda: trial.session.encode(trial.case.target, smallest).kind is Kind.BYTES)


def _refused_or_records(case: CodecCase) -> CodecCase:
    """Return the case of a valid value if the value has bytes after all."""
    try:
        case.target.write(case.content)
    except Unencodable:
        return case
    return records_case(case.target, case.content, case.name)


UNENCODABLE_RECORDS = replace(
    UNENCODABLE,
    name="records-unencodable",
    folder="records",
    category=UNENCODABLES,
    is_base_taken=_writes,
    is_written=lambda _: True,
    forgives=lambda _: False,
    confirmed=_refused_or_records,
)


def unencodable_records_case(target: Any, content: Any, name: str, path: str, rule: str) -> CodecCase:
    """Return the case of a value that must be refused by a rule."""
    return CodecCase(UNENCODABLE_RECORDS, target, name, path, rule, content, refusal=CaseRefusal(rule, path))


def refused_records() -> Iterator[UnencodableRecords]:
    """Yield the values that every writer must refuse."""
    every = unencodable_records()
    return (one for one in every if catalogue()[one.rule].level_of(ENCODE) != UNSPECIFIED)


def unencodable_records_cases(session: Session, group: str) -> Iterator[CodecCase]:
    """Yield every unencodable value with the first group, and none with the others."""
    target, claims = RecordsField(session.release.name), session.claims
    if group != BATCHES or not session.offers(target, ENCODE):
        return
    for one in refused_records():
        is_outside = one.group == MESSAGE_SETS and outside(claims.records, one.group, writing=True)
        # Over the bridge everything has the form of a value.
        if not is_outside and (has_form(one.rule) or not claims.is_over_bridge):
            yield unencodable_records_case(target, one.value, one.name, one.path, one.rule)
