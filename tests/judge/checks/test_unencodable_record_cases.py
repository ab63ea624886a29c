from conformance.codec.session import Session
from conformance.judge.case import Violation
from conformance.judge.checks.unencodable_record_cases import UNENCODABLES, refused_records, unencodable_records_cases
from conformance.judge.count_lines import Inconclusive, OutcomeCount
from conformance.judge.tally import Tally
from conformance.targets import RECORD_GROUPS
from conformance.targets.records.unencodable_records import unencodable_records
from reference import Unencodable, encode_records
from tests.helpers.records import Value, records_session, refuse_all
from tests.helpers.sessions import tried


def tried_on(session: Session) -> tuple[list[Violation], Tally]:
    return tried(session, (case for group in RECORD_GROUPS for case in unencodable_records_cases(session, group)))


def names(session: Session) -> set[str]:
    violations, _ = tried_on(session)
    return {violation.case.name for violation in violations}


def write_anything(value: Value) -> bytes:
    try:
        return encode_records(value)
    except Unencodable:
        return b""


def test_refused_values_are_no_violations() -> None:
    assert names(records_session()) == set()


def test_each_written_value_violates_its_rule() -> None:
    found, _ = tried_on(records_session(write_anything))
    assert [(each.case.name, each.rule) for each in found] == [(each.name, each.rule) for each in refused_records()]


def test_refusals_are_inconclusive_if_the_smallest_value_is_refused() -> None:
    violations, tally = tried_on(records_session(refuse_all))
    assert violations == []
    assert tally.cases[UNENCODABLES] == 0 < tally.of(Inconclusive).total()


def test_codec_without_a_writer_is_not_asked() -> None:
    violations, tally = tried_on(records_session(encode=None))
    assert violations == []
    assert not tally.of(OutcomeCount)


def test_messages_are_not_tried_on_a_codec_without_message_sets() -> None:
    assert "zstd-in-a-message" in names(records_session(write_anything))
    assert "zstd-in-a-message" not in names(records_session(write_anything, legacy_message_sets="no"))


def test_values_unspecified_for_writers_are_left_out() -> None:
    """Apache Kafka writes any offset, and the reference none below -1."""
    left = {one.name for one in unencodable_records()} - {one.name for one in refused_records()}
    assert left == {"baseOffset-below-null", "message-offset-below-null"}
