from pathlib import Path

import pytest

from conformance.definitions.catalogue import catalogue
from conformance.judge.checks.hostile_record_cases import hostile_records_cases
from conformance.targets import RECORD_GROUPS
from conformance.targets.records.records_edges import records_edges
from conformance.targets.records.unencodable_records import unencodable_records
from reference import Result, judge_records, newest_release
from tests.helpers.adapters import load_adapter
from tests.mutants.catalogue import LEGAL
from tests.mutants.evidence import IMPLIED, MUTANTS, UNREACHABLE, AnyMutant, table, wire_rules
from tests.mutants.kit.rows import rows_of
from tests.mutants.run import run_of
from tests.mutants.shown import ALL, COMMAND, committed

TABLE = Path(__file__).with_name("TABLE.md")
NAMES = {mutant.name for mutant in MUTANTS}
KINDS = {type(mutant): mutant for mutant in MUTANTS}


def test_each_rule_has_a_mutant_or_a_reason_why_not() -> None:
    """The tests of the mutants see to it that the mutant is killed and blamed on this rule first."""
    broken = {mutant.rule for mutant in MUTANTS}
    assert {rule.id for rule in wire_rules()} - broken == {*IMPLIED, *UNREACHABLE}
    assert broken.isdisjoint({*IMPLIED, *UNREACHABLE})


def test_implied_rules_are_broken_by_a_mutant_of_another_rule() -> None:
    """They are marked as consequences in the catalogue, and have a check with an effect."""
    [mutant] = [each for each in MUTANTS if each.name == "compact-length-plus-two"]
    assert [rule for rule in IMPLIED if not catalogue()[rule].consequence] == []
    assert set(IMPLIED) <= run_of(mutant).rules


def test_no_case_is_about_a_rule_beyond_the_contract() -> None:
    """Cases are values, refusals, and invalid bytes of record batches."""
    cases = [case.input for group in RECORD_GROUPS for case in hostile_records_cases(newest_release(), group)]
    verdicts = [verdict for verdict in map(judge_records, cases) if verdict.result is Result.INVALID]
    values = {edge.rule for edge in records_edges()} | {value.rule for value in unencodable_records()}
    assert ({verdict.rules[-1] for verdict in verdicts} | values) & set(UNREACHABLE) == set()


def test_names_of_all_mutants_are_unique() -> None:
    freedoms = [mutant.name for mutant in LEGAL]
    assert len({*NAMES, *freedoms}) == len(MUTANTS) + len(freedoms)


def test_each_known_mistake_has_a_mutant() -> None:
    """Allowed behaviour has one without a finding, or a reason for none."""
    legal = {mutant.name for mutant in LEGAL}
    for row in rows_of(__file__, "mistakes.tsv"):
        names = row["mutants"].split()
        assert names or row["reason"]
        assert {*names} <= (legal if row["group"] == "allowed" else NAMES)


def test_table_of_rules_and_mutants_is_up_to_date() -> None:
    """`python -m tests.mutants --table` writes it anew."""
    assert TABLE.read_text(encoding="utf-8") == table()


def test_each_mutant_has_a_row_and_each_row_a_mutant() -> None:
    assert [*committed()] == [mutant.name for mutant in ALL], f"write TABLE.tsv anew: {COMMAND}"


@pytest.mark.parametrize("mutant", KINDS.values(), ids=lambda mutant: mutant.name)
def test_a_mutant_is_an_adapter_of_the_suite(mutant: AnyMutant) -> None:
    """`--impl` takes it by its name."""
    adapter = load_adapter(f"tests.mutants.adapters:{mutant.name}")
    assert adapter.encode or adapter.encode_records
