import pytest

from conformance.catalogue.rules import catalogue
from conformance.findings.causes import causes_of
from conformance.findings.finding import Findings
from conformance.findings.violations import Key
from conformance.implementation.driver import Implementation
from conformance.suite.hooks import WAYS
from tests.helpers.sessions import session_of
from tests.mutants import catalogue as messages
from tests.mutants import wire_types
from tests.mutants.mutant import Mutant
from tests.mutants.wire_types import WireTypeMutant

MUTANTS = (*messages.MUTANTS, *wire_types.MUTANTS)
MAXIMUM_PAIRS = 12


def findings_of(mutant: Mutant | WireTypeMutant) -> Findings:
    """What the deterministic checks find in a mutant, in this process."""
    findings = Findings()
    for violation in mutant.check(session_of(Implementation(mutant.adapter()))):
        findings.add(violation)
    return findings


def blame_of(mutant: Mutant | WireTypeMutant) -> list[Key]:
    """The causes of these findings, the gravest first."""
    return [cause.finding.key for cause in causes_of(findings_of(mutant).ordered(), WAYS)]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_killed_and_blamed_on_its_rule(mutant: Mutant | WireTypeMutant) -> None:
    blamed = blame_of(mutant)
    assert blamed
    assert blamed[0].rule == mutant.rule, blamed


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_names_a_rule_and_few_pairs(mutant: Mutant | WireTypeMutant) -> None:
    assert mutant.rule in catalogue()
    assert 1 <= len(mutant.places) <= MAXIMUM_PAIRS


def test_names_of_mutants_are_unique() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
