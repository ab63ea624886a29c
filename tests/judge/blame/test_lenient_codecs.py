"""Codecs without a check have one cause for all inputs accepted in one message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from conformance.adapter import Decoded
from conformance.codec.python_codec import PythonCodec
from conformance.judge.blame.lenient_codecs import (
    CODECS,
    NULLABLE,
    PADDED,
    SLICES,
    TOO_LONG,
    LenientCodec,
    same_leniency,
)
from conformance.judge.case import Violation
from conformance.judge.events import REJECTION, Answered
from conformance.judge.findings.causes import causes_of
from conformance.judge.findings.finding import Finding, Findings
from conformance.judge.subject import WAYS
from reference import completed, load_release
from tests.helpers.cases import violation
from tests.helpers.releases import NEWEST
from tests.helpers.sessions import session_of
from tests.mutants.mutant import Mutant

if TYPE_CHECKING:
    from reference import MessageSchema

MESSAGES = ("JoinGroupResponse-v7", "OffsetCommitRequest-v8")


class Lenient(Mutant):
    """A codec of `CODECS`, by its number."""

    @property
    def codec(self) -> LenientCodec:
        return CODECS[int(self.name)]

    def parse(self, schema: MessageSchema, data: bytes) -> Decoded:
        reader = self.codec.reader(data)
        return Decoded(self.codec.protocol.message(schema).read(reader), reader.tell())

    def write(self, schema: MessageSchema, value: dict[str, Any]) -> bytes:
        wire: bytes = self.codec.protocol.message(schema).write(completed(schema, value))
        return wire


def findings_of(number: int, rule: str) -> list[Finding]:
    findings = Findings()
    for message in MESSAGES:
        mutant = Lenient(str(number), rule, message, release=NEWEST)
        for event in mutant.check(session_of(PythonCodec(mutant.adapter()), load_release(NEWEST))):
            if isinstance(event, Violation):
                findings.add(event)
    return findings.ordered()


def number_of(rules: frozenset[str]) -> int:
    return next(number for number, codec in enumerate(CODECS) if codec.rules == rules)


@pytest.mark.parametrize("rules", [NULLABLE, SLICES, PADDED, TOO_LONG], ids=min)
def test_inputs_accepted_for_lack_of_a_check_are_one_cause(rules: frozenset[str]) -> None:
    """The cause is one in both directions, for every broken rule."""
    findings = [each for each in findings_of(number_of(rules), min(rules)) if each.rule in rules]
    assert len(findings) > 1 or rules == SLICES
    assert len(causes_of(findings, (same_leniency,))) == 1


def test_inputs_of_two_checks_are_two_causes() -> None:
    null, cut = (findings_of(number_of(rules), min(rules)) for rules in (NULLABLE, SLICES))
    of_both = [each for each in null if each.rule in NULLABLE] + [each for each in cut if each.rule in SLICES]
    assert len(causes_of(of_both, (same_leniency,))) == 2


def test_inputs_around_bodies_show_no_codec() -> None:
    """Wire types and batches have no lenient codecs."""
    facts: dict[str, Any] = {"direction": "decode", "expectation": REJECTION, "observation": Answered("value")}
    found = [violation(rule, "nullable-bytes", **facts) for rule in sorted(SLICES)]
    findings = Findings()
    for each in found:
        findings.add(each)
    assert len(causes_of(findings.ordered(), WAYS)) == len(SLICES)
