from collections import defaultdict
from collections.abc import Iterable, Iterator

import pytest

from conformance.definitions.catalogue import catalogue
from tests.helpers.sweeps import swept_one
from tests.mutants import records
from tests.mutants.around import FRAMES, STORED, WIRE_TYPES, AroundMutant
from tests.mutants.catalogue import MUTANTS as BODIES
from tests.mutants.evidence import MUTANTS, AnyMutant
from tests.mutants.mutant import Mutant
from tests.mutants.records import RecordsMutant
from tests.mutants.run import Run, run_of
from tests.mutants.shown import cells_of_run, check

WHOLE: list[AnyMutant] = [*BODIES, *WIRE_TYPES, *records.MUTANTS]
AROUND: list[AnyMutant] = [*FRAMES, *STORED]
MAXIMUM_PAIRS = 12
FEWEST_OF_RECORDS = 60


def swept(mutants: Iterable[AnyMutant]) -> Iterator[AnyMutant]:
    """Yield one mutant of each rule, another one each day, or all mutants."""
    of_rules = defaultdict[str, list[AnyMutant]](list)
    for mutant in mutants:
        of_rules[mutant.rule].append(mutant)
    for of_rule in of_rules.values():
        yield from swept_one(of_rule)


def blamed_and_tried(mutant: AnyMutant) -> Run:
    """Return the run of a mutant blamed on its rule first, and with its rule tried, as in TABLE.tsv.

    Else a report would call a broken rule untested.
    """
    run = run_of(mutant)
    blamed = run.blamed
    assert blamed, "nothing is found"
    assert blamed[0].rule == mutant.rule, blamed
    assert mutant.rule in run.tried, "its rule does not count as tried"
    check(mutant, cells_of_run(mutant, run))
    return run


@pytest.mark.parametrize("mutant", [*swept(WHOLE)], ids=lambda mutant: mutant.name)
def test_mutant_is_killed_and_blamed_on_its_rule(mutant: AnyMutant) -> None:
    blamed_and_tried(mutant)


@pytest.mark.parametrize("mutant", [*swept(AROUND)], ids=lambda mutant: mutant.name)
def test_mutant_around_a_message_is_blamed_on_its_rule_and_on_no_other(mutant: AnyMutant) -> None:
    assert blamed_and_tried(mutant).rules == {mutant.rule}


def test_codec_of_record_batches_without_a_lie_is_not_blamed() -> None:
    """The reader under all mutants is as lenient as Apache Kafka's consumer."""
    assert run_of(RecordsMutant("sound", "record.layout")).rules == set()


def test_rules_of_mutants_are_in_the_catalogue() -> None:
    assert [mutant.name for mutant in MUTANTS if mutant.rule not in catalogue()] == []


def test_mutants_show_on_few_pairs() -> None:
    """A fault on many pairs is not one mistake, or takes too long to try."""
    assert [name for name, places in _places() if not 1 <= places <= MAXIMUM_PAIRS] == []


def _places() -> Iterator[tuple[str, int]]:
    for mutant in MUTANTS:
        if isinstance(mutant, Mutant | AroundMutant):
            yield mutant.name, len(mutant.places)


def test_there_are_at_least_sixty_mutants_of_record_batches() -> None:
    assert len(records.MUTANTS) >= FEWEST_OF_RECORDS
