"""Readers with just one fault against invalid inputs, to find inputs with more."""

from collections import Counter

import pytest
from click.testing import CliRunner

from reference import judge, load_release
from tests.helpers.releases import BASE
from tests.mutants.one_fault import Kind, counted, is_accepted, main, suite_inputs, unexplained

COORDINATOR = load_release(BASE).schema("FindCoordinatorRequest", 0)


def accepted(wire: str) -> bool:
    data = bytes.fromhex(wire)
    return is_accepted(COORDINATOR, data, judge(COORDINATOR, data))


@pytest.mark.parametrize("wire", ["ffff", "fffe", "8000" + "61" * 32_768])
def test_a_length_is_accepted_where_nothing_is_left_behind_it(wire: str) -> None:
    """Null, a negative length, and a length without a sign are accepted."""
    assert accepted(wire)


def test_a_null_is_not_accepted_where_its_payload_is_left() -> None:
    """A payload after it makes the input wrong in two things."""
    assert not accepted("ffff746f706963")


def test_a_kind_without_an_accepted_input_is_reported() -> None:
    """It has to be fixed, or to get a reason."""
    counts: Counter[Kind] = Counter()
    whole: Counter[Kind] = Counter()
    counted(COORDINATOR, [bytes.fromhex("ffff746f706963")], counts, whole)
    assert unexplained(counts, whole) == [Kind("null.not-allowed", "string")]
    counted(COORDINATOR, suite_inputs(COORDINATOR), counts, whole)
    assert unexplained(counts, whole) == []


def test_every_kind_of_the_wire_types_has_an_input_with_this_fault_alone() -> None:
    """The command tries all its subjects, and ends with status 0."""
    done = CliRunner().invoke(main, ["primitives"])
    assert done.exit_code == 0, done.output
    assert "NO INPUT" not in done.output
