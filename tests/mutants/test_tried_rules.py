"""A rule for which a mutant is killed counts as tried: else a report would say that nothing has tested it."""

from collections.abc import Callable, Iterator

import pytest

from conformance.checks.frames import check_frames
from conformance.checks.stored import check_stored
from conformance.findings.violations import Violation
from conformance.implementation.driver import Implementation
from conformance.implementation.session import Session
from tests.helpers.sessions import session_of
from tests.mutants import catalogue as messages
from tests.mutants import framing, records, stored, wire_types
from tests.mutants.framing import FramingMutant
from tests.mutants.mutant import Mutant
from tests.mutants.records_forms import RecordsMutant
from tests.mutants.stored import StoredMutant
from tests.mutants.wire_types import WireTypeMutant

WHOLE = (*messages.MUTANTS, *wire_types.MUTANTS, *records.MUTANTS)


@pytest.mark.parametrize("mutant", WHOLE, ids=lambda mutant: mutant.name)
def test_the_rule_of_a_mutant_is_tried(mutant: Mutant | WireTypeMutant | RecordsMutant) -> None:
    session = session_of(Implementation(mutant.adapter()))
    found = [violation.rule for violation in mutant.check(session)]
    assert mutant.rule in session.tally.tried, found


@pytest.mark.parametrize("mutant", framing.MUTANTS, ids=lambda mutant: mutant.name)
def test_the_rule_of_a_framing_mutant_is_tried(mutant: FramingMutant) -> None:
    session = Session(Implementation(mutant.adapter()), mutant.release)
    assert mutant.rule in tried(session, mutant, check_frames)


@pytest.mark.parametrize("mutant", stored.MUTANTS, ids=lambda mutant: mutant.name)
def test_the_rule_of_a_mutant_of_stored_messages_is_tried(mutant: StoredMutant) -> None:
    session = Session(Implementation(mutant.adapter()), stored.RELEASE)
    assert mutant.rule in tried(session, mutant, check_stored)


def tried(
    session: Session, mutant: FramingMutant | StoredMutant, check: Callable[..., Iterator[Violation]]
) -> set[str]:
    """Return the rules that a check tries on all messages of a mutant."""
    for schema in mutant.schemas():
        for _ in check(session, schema):
            pass  # what is found is for other tests
    return session.tally.tried
