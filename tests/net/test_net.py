"""The net of a redesign, with its lines, its comparison and its walk."""

import pytest

from tests.mutants.mutant import Mutant
from tests.mutants.records import RecordsMutant
from tests.net.comparison import Comparison, Line
from tests.net.comparison import compare as compare_lines
from tests.net.keeping import kept
from tests.net.subjects import MUTANTS_DRAWN, WHOLE, Subject, drawn_mutants, subjects
from tests.net.walk import WALKS, walked

CALL = ("kio", "call", "value", "minimal", "messages/FetchRequest-v1", "c0ffee", "decode", "value", "r", "", "judged")
SKIPPED = (*CALL[:-1], "skipped")
NEW = (*CALL[:3], "populated", *CALL[4:])


def compare(before: list[Line], after: list[Line]) -> Comparison:
    return compare_lines(map("\t".join, before), map("\t".join, after))


def test_equal_nets_have_no_difference() -> None:
    assert compare([CALL, NEW], [NEW, CALL]) == ([], [], [], 0)


def test_case_with_another_state_is_changed() -> None:
    assert compare([CALL], [SKIPPED]).changed == [(CALL, SKIPPED)]


def test_case_of_one_net_alone_is_gone_or_new() -> None:
    assert compare([CALL], [NEW]) == ([CALL], [], [NEW], 0)


def test_new_cases_are_counted_by_target_and_direction() -> None:
    assert compare([CALL], [CALL, NEW]).counts() == {("messages/FetchRequest", "decode"): 1}


def test_second_equal_line_is_new() -> None:
    assert compare([CALL], [CALL, CALL]).new == [CALL]


def test_case_without_an_answer_in_one_net_is_counted_apart() -> None:
    """Running out of memory depends on the machine, and so do the cases left out then."""
    broken = ("kio", "broken", *CALL[2:])
    not_run = (*CALL[:7], "not-run", *CALL[8:])
    assert compare([CALL, broken], [not_run]) == ([], [], [], 1)


def test_case_without_an_answer_in_both_nets_is_compared() -> None:
    crashed = (*CALL[:7], "crashed", *CALL[8:])
    assert compare([crashed], [crashed, NEW]) == ([], [], [NEW], 0)


def test_subjects_of_one_net_alone_are_left_out() -> None:
    assert compare([CALL], [("aiokafka", *NEW[1:]), CALL]) == ([], [], [], 0)


def test_a_wrong_value_is_broken_found_and_a_cause() -> None:
    lines, _ = kept(Subject("ReadsZero", "tests.fakes.faulty_codecs:ReadsZero"), ["HeartbeatResponse"], whole=True)
    assert {line.split("\t")[1] for line in lines} == {"call", "broken", "finding", "cause"}


def test_slowest_subjects_come_first() -> None:
    assert {each.name for each in subjects()[: len(WHOLE)]} == {*WHOLE}


def test_hundred_mutants_of_all_families_are_drawn() -> None:
    drawn = drawn_mutants()
    assert len({each.name for each in drawn}) == MUTANTS_DRAWN
    families = {getattr(each, "kind", type(each).__module__) for each in drawn}
    assert families >= {"frames", "stored", "wire types", Mutant.__module__, RecordsMutant.__module__}


@pytest.mark.parametrize("name", WALKS)
def test_walk_reaches_the_text_of_a_finding(name: str) -> None:
    """`walked` fails without a finding."""
    assert walked(name).calls.total() > 0
