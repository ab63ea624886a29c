from functools import cache

import pytest

from conformance.checks.records.hostile_bytes import hostile_records_cases
from conformance.findings.causes import causes_of
from conformance.findings.finding import Findings
from conformance.findings.violations import Key
from conformance.generate.records.edges import GROUPS, records_edges
from conformance.generate.records.unencodable import unencodable_records
from conformance.implementation.driver import Implementation
from conformance.suite.hooks import WAYS
from reference import Result, judge_records, newest_release
from tests.helpers.sessions import session_of
from tests.mutants.evidence import UNREACHABLE
from tests.mutants.records import MUTANTS
from tests.mutants.records_forms import RecordsMutant

FEWEST = 60


def blame_of(mutant: RecordsMutant) -> list[Key]:
    """The causes of what the deterministic checks find in a mutant, the gravest first."""
    findings = Findings()
    for violation in mutant.check(session_of(Implementation(mutant.adapter()))):
        findings.add(violation)
    return [cause.finding.key for cause in causes_of(findings.ordered(), WAYS)]


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_of_record_batches_is_killed_and_blamed_on_its_rule(mutant: RecordsMutant) -> None:
    blamed = blame_of(mutant)
    assert blamed
    assert blamed[0].rule == mutant.rule, blamed


def test_a_codec_without_a_lie_is_not_blamed() -> None:
    """The reader that mutants are built on is as lenient as Apache Kafka's consumer."""
    assert blame_of(RecordsMutant("sound", "record.layout")) == []


def test_there_are_at_least_sixty_mutants() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= FEWEST


@cache
def rules_of_cases() -> frozenset[str]:
    """The rules that a value, a refusal or invalid bytes are about."""
    cases = [case.data for group in GROUPS for case in hostile_records_cases(newest_release(), group)]
    verdicts = [verdict for verdict in map(judge_records, cases) if verdict.result is Result.INVALID]
    values = {edge.rule for edge in records_edges()} | {value.rule for value in unencodable_records()}
    return frozenset({verdict.rules[-1] for verdict in verdicts} | values)


@pytest.mark.parametrize("rule", UNREACHABLE)
def test_no_case_is_about_a_rule_that_the_contract_does_not_reach(rule: str) -> None:
    assert rule not in rules_of_cases()
