"""Every rule about definitions that a proposal adds has a definition that breaks it, and the error says where."""

from __future__ import annotations

import json

import pytest

from conformance.catalogue.rules import catalogue
from conformance.proposals.broken_definitions import BROKEN_PROPOSALS, BrokenProposal
from reference.protocols import loader_of


@pytest.mark.parametrize("case", BROKEN_PROPOSALS, ids=lambda case: f"{case.dialect} {case.rule}")
def test_broken_definition_names_rule_and_place(case: BrokenProposal) -> None:
    """That rule and no other, at the property that is wrong."""
    errors = loader_of(case.dialect).broken_rules(json.dumps(case.definition), "Sample.json")
    found = [(error.problem.rule, str(error.problem.place)) for error in errors]
    assert found == [(f"{case.dialect}.{case.rule}", case.place)]


def test_every_rule_has_a_broken_definition() -> None:
    """Those of the catalogue that are about definitions of proposals."""
    rules = {rule.id for rule in catalogue().values() if rule.side == "definition" and rule.dialect != "released"}
    assert {f"{case.dialect}.{case.rule}" for case in BROKEN_PROPOSALS} == rules
