"""The suite kills each mutant of headers and frames, and blames it on its rule."""

from __future__ import annotations

import pytest

from conformance.checks.framing import check_framing
from conformance.checks.implementation import Implementation
from conformance.checks.tally import Tally
from conformance.checks.violations import Findings
from conformance.rules import catalogue
from tests.mutants.framing import MUTANTS, FramingMutant


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_is_killed_and_blamed_on_its_rule(mutant: FramingMutant) -> None:
    """The first finding names the one rule that the mutant breaks."""
    implementation, findings = Implementation(mutant.adapter()), Findings()
    for schema in mutant.schemas():
        for violation in check_framing(implementation, mutant.release(), schema, Tally()):
            findings.add(violation)
    blamed = [finding.rule for finding in findings.ordered()]
    assert blamed
    assert blamed[0] == mutant.rule, blamed


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_rule_of_a_mutant_is_in_the_catalogue(mutant: FramingMutant) -> None:
    """What is blamed can be looked up."""
    assert mutant.rule in catalogue()
