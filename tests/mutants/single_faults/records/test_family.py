"""Faults of codecs of records, and their results."""

from collections import Counter

import pytest
from click.testing import CliRunner

from reference import Result, judge_records
from tests.mutants.single_faults.__main__ import sampled
from tests.mutants.single_faults.fault import Fault
from tests.mutants.single_faults.records.__main__ import main
from tests.mutants.single_faults.records.family import RecordFaults, shown_by
from tests.mutants.single_faults.records.steps import steps

FEWEST_FAULTS, FEWEST_LEGAL = 400, 40
FAULTS = {fault.name: fault for fault in RecordFaults().faults()}
KINDS = len({(fault.kind, fault.side) for fault in FAULTS.values()})


def test_there_are_four_hundred_faults_and_forty_legal_variants() -> None:
    """No two of them have the same name."""
    counts = Counter(fault.legal for fault in FAULTS.values())
    assert counts[False] >= FEWEST_FAULTS
    assert counts[True] >= FEWEST_LEGAL
    assert len(FAULTS) == len(RecordFaults().faults())


@pytest.mark.parametrize("fault", sampled(list(FAULTS.values()), KINDS), ids=lambda fault: fault.name)
def test_a_fault_of_each_kind_differs_and_a_legal_variant_is_not_accused(fault: Fault) -> None:
    """The first result is named."""
    seen = RecordFaults().seen(fault)
    assert seen.differs
    assert seen.first == (seen.fixed or seen.generated or seen.vectors)
    assert not (fault.legal and seen.first)


def test_left_out_check_is_named_by_its_rule() -> None:
    """The suite and a vector name it."""
    seen = RecordFaults().seen(FAULTS["checks/read/batch.crc/left-out"])
    assert (seen.fixed, seen.generated) == ("batch.crc", "")
    assert seen.vectors.startswith("records/")


def test_input_of_a_fault_breaks_one_rule() -> None:
    """A length of six bytes in a record whose own length follows breaks one rule."""
    wire = shown_by(steps()["numbers/read/record.key/one-byte-more"])
    assert wire is not None
    verdict = judge_records(bytes.fromhex(wire))
    assert (verdict.result, verdict.rules) == (Result.INVALID, ("varint.too-long",))


def test_open_bytes_show_no_fault() -> None:
    """A legal variant differs on open bytes alone."""
    wire = shown_by(steps()["legal/read/record.key/overlong-refused"])
    assert wire is not None
    assert judge_records(bytes.fromhex(wire)).result is Result.UNSPECIFIED


def test_the_input_for_a_fault_is_printed() -> None:
    """A name without a fault is refused."""
    fault = "checks/read/batch.codec/5-as-none"
    assert CliRunner().invoke(main, [fault]).output.startswith(f"{fault}: 00")
    assert CliRunner().invoke(main, ["no-fault"]).exit_code == 2
