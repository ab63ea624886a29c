from typing import Any

import pytest

from conformance.codec.session import Session
from conformance.generate.record_building import batch, changed, record, sealed, wire
from conformance.judge.case import Violation
from conformance.judge.checks.hostile_record_cases import hostile_records, hostile_records_cases, records_bytes
from conformance.judge.count_lines import Inconclusive, UnspecifiedProfile, Untried
from conformance.judge.events import REJECTION, SURVIVAL
from conformance.judge.tally import Tally
from conformance.targets import RecordsField
from reference import BoundReached, Malformed, decode_records, judge_records, newest_release
from tests.helpers.records import Recorder, Value, records_session, refuse_all
from tests.helpers.records import changed as with_change
from tests.helpers.sessions import tried

SMALLEST = wire(batch())
STALE = changed(SMALLEST, "crc", 0)
NEGATIVE = changed(SMALLEST, "recordCount", -1)
LARGE = changed(SMALLEST, "recordCount", 2**31 - 1)
EMPTY_WITH_BYTES = changed(SMALLEST, "recordCount", 0)
UNUSED = changed(SMALLEST, "attributes", 0x100)
PARTIAL = SMALLEST + bytes(3)


def counted(session: Session, *wires: bytes, base: str = "") -> tuple[list[Violation], Tally]:
    cases = [records_bytes(RecordsField(), f"case-{index}", data, "", base) for index, data in enumerate(wires)]
    return tried(session, cases)


def checked(session: Session, *wires: bytes, base: str = "") -> list[Violation]:
    return counted(session, *wires, base=base)[0]


def anything(_: bytes) -> Value:
    return {"batches": [], "partial": b""}


def leniently(data: bytes) -> Value:
    value = judge_records(data, check_crc=False).value
    if value is None:
        raise Malformed("batch.crc", None, 0, "")
    return value


def no_memory(_: bytes) -> Any:
    raise MemoryError


def crash(_: bytes) -> Any:
    raise SystemExit


def test_accepted_invalid_bytes_violate_the_rule_of_their_fault() -> None:
    [violation] = checked(records_session(decode=anything), NEGATIVE)
    assert (violation.rule, violation.expectation) == ("record.count", REJECTION)


def test_refused_invalid_bytes_are_no_violation() -> None:
    assert checked(records_session(), NEGATIVE, STALE) == []


def test_valid_bytes_of_no_writer_must_be_read() -> None:
    found = checked(records_session(decode=refuse_all), UNUSED, PARTIAL)
    assert [violation.rule for violation in found] == ["batch.attributes-unused", "field.partial-tail"]


def test_misread_valid_bytes_violate_the_rule_of_the_misread_part() -> None:
    def without_tail(value: Value) -> Value:
        return value | {"partial": b""}

    [violation] = checked(records_session(decode=with_change(without_tail)), PARTIAL)
    assert (violation.rule, violation.path) == ("field.partial-tail", "partial")


@pytest.mark.parametrize(("read", "accepts"), [(leniently, True), (refuse_all, False)])
def test_reaction_to_unspecified_bytes_is_the_profile(read: Any, accepts: bool) -> None:  # noqa: FBT001  # a column
    violations, tally = counted(records_session(decode=read), EMPTY_WITH_BYTES)
    assert violations == []
    assert dict(tally.of(UnspecifiedProfile)) == {("batch.empty-with-bytes", accepts): 1}


def test_memory_for_a_claimed_count_is_a_violation() -> None:
    [violation] = checked(records_session(decode=no_memory), LARGE)
    assert (violation.rule, violation.expectation) == ("record.count-bound", SURVIVAL)


def test_crash_is_about_the_only_broken_rule() -> None:
    [violation] = checked(records_session(decode=crash), NEGATIVE)
    assert violation.rule == "record.count"


def test_a_crash_on_valid_bytes_is_about_survival() -> None:
    [violation] = checked(records_session(decode=crash), SMALLEST)
    assert violation.rule == "codec.survival"


def test_a_bad_batch_after_a_good_one_breaks_a_rule_of_its_own() -> None:
    [violation] = checked(records_session(decode=anything), SMALLEST + STALE)
    assert (violation.rule, violation.path) == ("field.bad-batch-later", "batches[1].crc")


def test_reader_without_crc_check_may_read_a_stale_crc() -> None:
    assert checked(records_session(decode=leniently, check_crc="never"), STALE) == []
    assert checked(records_session(decode=leniently), STALE) != []


def test_changes_to_a_misread_field_are_inconclusive() -> None:
    session = records_session(decode=refuse_all)
    base = records_bytes(RecordsField(), "base", SMALLEST, "", "base")
    tampered = records_bytes(RecordsField(), "base/tampered", UNUSED, "", "base")
    violations, tally = tried(session, [base, tampered])
    assert [violation.case.name for violation in violations] == ["base"]
    assert tally.of(Inconclusive).total() == 1


def test_a_fatal_outcome_is_conclusive() -> None:
    session = records_session(decode=crash)
    base = records_bytes(RecordsField(), "base", SMALLEST, "", "base")
    tampered = records_bytes(RecordsField(), "base/tampered", UNUSED, "", "base")
    violations, _ = tried(session, [base, tampered])
    assert len(violations) == 2


def test_group_of_an_unsupported_codec_is_not_tried() -> None:
    reader = Recorder()
    session = records_session(decode=reader, codecs=["none"])
    violations, tally = tried(session, hostile_records(session, "lz4"))
    assert violations == []
    assert reader.asked == []
    assert tally.of(Untried)


def test_codec_without_a_reader_has_no_cases() -> None:
    assert list(hostile_records(records_session(decode=None), "batches")) == []


def test_reader_may_refuse_a_size_beyond_its_own_bound() -> None:
    data = next(case.input for case in hostile_records_cases(newest_release(), "zstd") if "beyond" in case.name)
    assert judge_records(data).bound_reached
    with pytest.raises(BoundReached):
        decode_records(data)
    assert checked(records_session(), data) == []


def test_batch_with_a_new_crc_is_judged_by_its_records() -> None:
    data = wire(batch(record(key=b"k")))
    assert checked(records_session(decode=anything), sealed(data[:-1]))[0].rule != "batch.crc"
