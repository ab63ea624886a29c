"""Consequences of a single mistake, which is one cause."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from conformance.codec.python_codec import PythonCodec
from conformance.judge.blame.consequences import same_mistake
from conformance.judge.engine import counted
from conformance.judge.findings.causes import Cause, causes_of
from conformance.judge.findings.finding import Findings
from conformance.judge.tally import Tally
from reference import PrimitiveType
from tests.helpers.sessions import session_of
from tests.mutants.mutant import Mutant

if TYPE_CHECKING:
    from conformance.judge.findings.causes import Way
    from reference import FieldSchema, MessageSchema


def as_int64(field: FieldSchema) -> FieldSchema:
    """The field, eight bytes wide if it is the generation."""
    return replace(field, data_type=PrimitiveType("int64")) if field.name == "GenerationId" else field


def wide(schema: MessageSchema) -> MessageSchema:
    """Return the schema of a codec with an int32 in place of each int64."""
    return replace(schema, fields=tuple(as_int64(field) for field in schema.fields))


def causes(mutant: Mutant, *ways: Way) -> list[Cause]:
    """Return the findings of the deterministic checks on a mutant, by cause."""
    findings = Findings()
    events = mutant.check(session_of(PythonCodec(mutant.adapter())))
    for violation in counted(events, Tally()):
        findings.add(violation)
    return causes_of(findings.ordered(), ways)


@pytest.fixture(scope="module")
def of_wide_field() -> list[Cause]:
    """The causes of a codec with one integer of the wrong width, in writing and in reading."""
    return causes(Mutant("wide", "int.width-and-order", "HeartbeatRequest-v0", schema=wide), same_mistake)


def test_wrong_width_is_the_cause_of_all_its_findings(of_wide_field: list[Cause]) -> None:
    """Followers are sound bytes refused, and numbers out of range written."""
    [cause] = of_wide_field
    assert cause.finding.rule == "int.width-and-order"
    findings = (cause.finding, *(link.finding for link in cause.followers))
    assert {(finding.rule, finding.outcome) for finding in findings} >= {
        ("int.width-and-order", "rejected"),
        ("int.width-and-order", "bytes"),
        ("number.range", "bytes"),
    }


def test_the_reason_names_the_field(of_wide_field: list[Cause]) -> None:
    [reason] = {link.why for link in of_wide_field[0].followers}
    assert "int.width-and-order" in reason
    assert "GenerationId" in reason
