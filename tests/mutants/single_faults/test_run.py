"""Runs of the command, and its comparison with the table of known misses."""

import pytest
from click.testing import CliRunner

from tests.mutants.single_faults.__main__ import accused, counts_of, main, sampled
from tests.mutants.single_faults.fault import Fault, Seen
from tests.mutants.single_faults.table import TABLE, Miss, miss_of, misses_of

FAULT = Fault("records", "checks/read/batch.crc/left-out", "read")
OTHER = Fault("records", "legal/read/batch.crc/compared", "read", legal=True)
SHOWN = Seen(differs=True, fixed="batch.crc", generated="", vectors="records/1", first="batch.crc")
HIDDEN = Seen(differs=True, fixed="", generated="", vectors="", first="")
SAME = Seen(differs=False, fixed="", generated="", vectors="", first="")
BY_ALL = Miss("records", FAULT.name, ("fixed", "generated", "vectors"))


def test_sample_reports_its_cost() -> None:
    """The command ends well on known misses."""
    done = CliRunner().invoke(main, ["--family", "records", "--sample", "2", "--workers", "1"])
    assert done.exit_code == 0, done.output
    assert "CPU seconds" in done.output


def test_fault_shown_by_nothing_is_missed_by_all() -> None:
    """A fault shown by generated checks is missed by the fixed ones alone."""
    assert miss_of(FAULT, HIDDEN) == BY_ALL
    assert miss_of(FAULT, SHOWN) is None
    assert miss_of(FAULT, Seen(True, "", "batch.crc", "records/1", "batch.crc")) == Miss(*BY_ALL.key, ("fixed",))  # noqa: FBT003


@pytest.mark.parametrize("fault", [FAULT, OTHER])
def test_fault_equal_on_all_inputs_is_not_missed(fault: Fault) -> None:
    """It is not counted."""
    assert miss_of(fault, SAME) is None
    assert counts_of({fault: SAME}) == {}


def test_a_miss_without_an_entry_is_new() -> None:
    """The run fails on it."""
    assert misses_of([], {FAULT: HIDDEN}, [FAULT]).new == (BY_ALL,)


def test_entry_of_a_shown_fault_is_stale() -> None:
    """The run fails on it."""
    assert misses_of([BY_ALL], {FAULT: SHOWN}, [FAULT]).stale == (BY_ALL,)


def test_entry_of_a_removed_fault_is_stale() -> None:
    """A fault with another name is another fault."""
    assert misses_of([BY_ALL], {}, [OTHER]).stale == (BY_ALL,)


def test_entry_of_an_untried_fault_is_left() -> None:
    """A sample has no results for the rest."""
    assert misses_of([BY_ALL], {}, [FAULT]).stale == ()


def test_a_legal_variant_with_a_finding_is_accused() -> None:
    """A fault with one is not."""
    assert accused({OTHER: SHOWN, FAULT: SHOWN}) == [OTHER]


def test_a_sample_has_each_kind_before_a_second_of_one() -> None:
    """A small sample covers them."""
    faults = [Fault("records", f"{kind}/read/{at}", "read") for kind in ("a", "b", "c") for at in range(5)]
    assert {fault.kind for fault in sampled(faults, 3)} == {"a", "b", "c"}


def test_every_entry_has_a_reason_of_the_head() -> None:
    """The entry has its letter."""
    assert [miss for miss in TABLE.read() if miss.reason not in set("ABCDEFG")] == []


def test_the_table_is_updated_by_whole_runs_alone() -> None:
    """A sample does not know the other misses."""
    done = CliRunner().invoke(main, ["--sample", "1", "--update"])
    assert done.exit_code == 2
