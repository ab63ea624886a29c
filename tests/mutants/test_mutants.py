"""The suite kills each mutant, and blames it on its rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conformance.checks.deterministic import check_all
from conformance.checks.implementation import Implementation
from conformance.checks.tally import Tally
from conformance.checks.violations import Findings
from conformance.rules import catalogue
from tests.mutants.catalogue import MUTANTS

if TYPE_CHECKING:
    from tests.mutants.mutant import Mutant

MAXIMUM_PAIRS = 12


def findings_of(mutant: Mutant) -> Findings:
    """What the deterministic checks find in a mutant, in this process."""
    implementation, findings = Implementation(mutant.adapter()), Findings()
    for schema in mutant.schemas():
        for violation in check_all(implementation, None, schema, Tally()):
            findings.add(violation)
    return findings


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_killed_and_blamed_on_its_rule(mutant: Mutant) -> None:
    """The first finding names the one rule that the mutant breaks."""
    blamed = [(finding.rule, finding.outcome, finding.count) for finding in findings_of(mutant).ordered()]
    assert blamed
    assert blamed[0][0] == mutant.rule, blamed


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_names_a_rule_and_few_pairs(mutant: Mutant) -> None:
    """A mutant's rule is in the catalogue, and at most twelve pairs show it."""
    assert mutant.rule in catalogue()
    assert 1 <= len(mutant.schemas()) <= MAXIMUM_PAIRS


def test_names_of_mutants_are_unique() -> None:
    """No two mutants have the same name."""
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
