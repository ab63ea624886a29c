"""The codec without a fault, and without a finding by the suite, the vectors and its own inputs."""

import pytest

from conformance.definitions.catalogue import UNSPECIFIED, catalogue
from conformance.targets import RECORD_GROUPS
from reference import Result, Unencodable, encode_records, judge_records
from tests.helpers.sessions import session_of
from tests.mutants.single_faults.fault import Fault
from tests.mutants.single_faults.records.family import fixed_checks, generated_check, vectors_failed
from tests.mutants.single_faults.records.inputs import damaged_inputs
from tests.mutants.single_faults.records.reach import does, steps_of_reading
from tests.mutants.single_faults.records.steps import SOUND_STEP, decode, encode, faulty_codec, steps
from tests.mutants.single_faults.records.unwritable import unwritable_values
from tests.mutants.single_faults.records.values import batch, field, record
from tests.second_codec.steps import Input
from tests.second_codec.ways import CHECK, CheckWay, Misstep, NotTaken, never


def test_the_checks_of_the_suite_find_nothing() -> None:
    """Neither the fixed ones nor the generated ones accuse the sound codec."""
    session = session_of(faulty_codec())
    found = [violation for check in (*fixed_checks(SOUND_STEP), generated_check) for violation in check(session)]
    assert len(RECORD_GROUPS) < len(list(fixed_checks(SOUND_STEP)))
    assert found == []


def test_inputs_left_out_of_a_fault_are_read_soundly() -> None:
    """Bytes without the step are read as by the sound one."""
    step = steps()["numbers/read/record.key/cut-at-7"]
    wires = [wire for wire, _ in damaged_inputs("batch.length") if not does(steps_of_reading(wire), step)]
    assert wires
    assert [read(wire, step) for wire in wires] == [read(wire, SOUND_STEP) for wire in wires]


def read(wire: bytes, step: Fault) -> object:
    """Return the value read by a codec, or None if it refuses the bytes."""
    try:
        return decode(wire, step)
    except NotTaken:
        return None


def test_the_vectors_find_nothing() -> None:
    """The sound codec fails no vector of records."""
    assert vectors_failed(SOUND_STEP) == ""


@pytest.mark.parametrize("place", ["record.key", "batch.length", "message.crc", "lz4.header", "zstd.frames"])
def test_damaged_bytes_are_judged_as_the_reference_judges_them(place: str) -> None:
    """Invalid bytes are refused, and valid bytes are read."""
    for wire, _ in damaged_inputs(place)[:300]:
        expected = judge_records(wire).result
        try:
            decode(wire)
        except NotTaken:
            assert expected is not Result.VALID, wire.hex()
        else:
            assert expected is not Result.INVALID, wire.hex()


def test_values_are_refused_as_the_reference_refuses_them() -> None:
    """No value beyond the format is written."""
    for value in unwritable_values():
        try:
            expected = encode_records(value)
        except Unencodable as error:
            if catalogue()[error.rule].level_of("encode") == UNSPECIFIED:
                continue
            with pytest.raises(NotTaken):
                encode(value)
        else:
            assert encode(value) == expected


def test_a_step_is_done_wrong_in_its_context_alone() -> None:
    """The first record is read as it is."""
    wire = encode(field(batch(record(value=None), record(1, value=None))))
    step = steps()["contexts/read/record.value/null-as-empty/second-record"]
    assert [each["value"] for each in decode(wire, step)["batches"][0]["records"]] == [None, b""]


def test_a_context_ends_with_its_part() -> None:
    left_out = CheckWay(never)
    source = Input(b"", Misstep("batch.crc", left_out, context="second-batch"))
    with source.within("second-batch"):
        assert source.way("batch.crc", CHECK) is left_out
    assert source.way("batch.crc", CHECK) is CHECK
