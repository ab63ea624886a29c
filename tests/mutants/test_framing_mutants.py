from collections.abc import Iterable

import pytest

from conformance.catalogue.rules import catalogue, rules_of
from conformance.checks.frames import check_frames
from conformance.checks.stored import check_stored
from conformance.findings.finding import Findings
from conformance.findings.violations import Violation
from conformance.implementation.driver import Implementation
from conformance.implementation.session import Session
from tests.mutants import framing, records, stored
from tests.mutants.evidence import UNREACHABLE, AnyMutant
from tests.mutants.framing import FramingMutant
from tests.mutants.stored import StoredMutant

MUTANTS: tuple[AnyMutant, ...] = (*framing.MUTANTS, *stored.MUTANTS, *records.MUTANTS)
RULES = {mutant.rule for mutant in MUTANTS}


def blamed(violations: Iterable[Violation]) -> set[str]:
    findings = Findings()
    for violation in violations:
        findings.add(violation)
    return {finding.rule for finding in findings.ordered()}


@pytest.mark.parametrize("mutant", framing.MUTANTS, ids=lambda mutant: mutant.name)
def test_a_framing_mutant_is_blamed_on_its_rule_and_on_no_other(mutant: FramingMutant) -> None:
    implementation = Implementation(mutant.adapter())
    found = [
        violation
        for schema in mutant.schemas()
        for violation in check_frames(Session(implementation, mutant.release), schema)
    ]
    assert blamed(found) == {mutant.rule}


@pytest.mark.parametrize("mutant", stored.MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_of_stored_messages_is_blamed_on_its_rule_and_on_no_other(mutant: StoredMutant) -> None:
    implementation = Implementation(mutant.adapter())
    found = [
        violation
        for schema in mutant.schemas()
        for violation in check_stored(Session(implementation, stored.RELEASE), schema)
    ]
    assert blamed(found) == {mutant.rule}


@pytest.mark.parametrize("rule", sorted(RULES))
def test_rule_of_a_mutant_is_in_the_catalogue(rule: str) -> None:
    assert rule in catalogue()


@pytest.mark.parametrize(
    "rule",
    [
        rule
        for rule in rules_of().values()
        if rule.level == "must" and rule.id.startswith(("frame.", "header.", "prefix.", "record."))
        if rule.id not in UNREACHABLE
    ],
    ids=lambda rule: rule.id,
)
def test_each_rule_about_what_is_around_a_message_has_a_mutant(rule: object) -> None:
    assert getattr(rule, "id", None) in RULES
