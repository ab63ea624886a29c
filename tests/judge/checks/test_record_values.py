import gzip
from collections.abc import Callable
from typing import Any

import lz4.frame
import pytest

from conformance.adapter import Unrepresentable
from conformance.codec.session import Session
from conformance.generate import record_building as building
from conformance.generate.record_building import changed as with_field
from conformance.judge.case import Violation
from conformance.judge.checks.record_cases import records_case, records_value_cases
from conformance.judge.count_lines import Inconclusive, OutcomeCount, Untried
from conformance.judge.tally import Tally
from conformance.targets import RECORD_GROUPS, RecordsField
from conformance.targets.records.records_edges import records_edges
from reference import Unencodable, decode_records, encode_records
from reference.records.compression import gzip_members
from tests.helpers.records import Recorder, Value, changed, records_session, refuse_all
from tests.helpers.sessions import tried
from tests.second_codec.records import write_field
from tests.second_codec.steps import Output
from tests.second_codec.ways import ContentWay, Misstep

EDGES = {edge.name: edge for edge in records_edges()}
SOUND: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.decompress, "lz4": lz4.frame.decompress}


def compressing(codec: str, compress: Callable[[bytes], bytes]) -> Callable[[Value], bytes]:
    """Return a writer with another compressor."""
    misstep = Misstep(f"{codec}.stream", ContentWay(raw=lambda stream: compress(SOUND[codec](stream))))
    return lambda value: write_field(Output(misstep), value)


def linked_blocks(data: bytes) -> bytes:
    frame: bytes = lz4.frame.compress(data, block_linked=True, store_size=False)
    return frame


def counted(session: Session, group: str) -> tuple[list[Violation], Tally]:
    return tried(session, records_value_cases(session, group))


def violations(session: Session, *groups: str) -> list[Violation]:
    return [violation for group in groups or RECORD_GROUPS for violation in counted(session, group)[0]]


def names(found: list[Violation]) -> set[str]:
    return {violation.case.name for violation in found}


def records_of(value: Value) -> list[Value]:
    return [record for batch in value["batches"] for record in batch.get("records", ())]


@pytest.mark.parametrize("group", RECORD_GROUPS)
def test_a_sound_codec_breaks_nothing(group: str) -> None:
    assert violations(records_session(), group) == []


def test_codec_without_a_reader_is_not_asked_to_read() -> None:
    found, tally = counted(records_session(decode=None), "batches")
    assert found == []
    assert {direction for direction, _ in tally.of(OutcomeCount)} == {"encode"}


def test_unrepresentable_value_is_counted_and_no_violation() -> None:
    def without_headers(value: Value) -> bytes:
        if any(record["headers"] for record in records_of(value)):
            raise Unrepresentable("no headers", "batches")
        return encode_records(value)

    found, tally = counted(records_session(without_headers, None), "batches")
    assert found == []
    assert tally.of(OutcomeCount)["encode", "unrepresentable"] > 0


def test_refused_value_is_a_violation() -> None:
    def without_headers(value: Value) -> bytes:
        if any(record["headers"] for record in records_of(value)):
            raise Unencodable("missing-field", "", "", "")  # type: ignore[arg-type]  # only its class matters
        return encode_records(value)

    [violation] = violations(records_session(without_headers, None), "batches")
    assert (violation.case.name, violation.outcome) == ("header", "rejected")


def test_values_based_on_a_failing_one_are_inconclusive() -> None:
    found, tally = counted(records_session(refuse_all, refuse_all), "batches")
    assert names(found) == {"smallest"}
    assert tally.of(Inconclusive)


def test_values_of_other_groups_are_inconclusive_as_well() -> None:
    assert violations(records_session(refuse_all, refuse_all), "gzip") == []


def test_value_based_on_an_inconclusive_one_is_inconclusive() -> None:
    """A value may pass though a simpler one fails, but values based on it are inconclusive nevertheless."""

    def without_two_records(data: bytes) -> Value:
        if data in (EDGES["key-and-value"].wire, EDGES["log-append-time"].wire):
            refuse_all()
        return decode_records(data)

    assert names(violations(records_session(decode=without_two_records), "batches")) == {"key-and-value"}


def test_a_failure_in_the_other_direction_makes_no_value_inconclusive() -> None:
    def without_key(value: Value) -> None:
        for record in records_of(value):
            record["key"] = None

    found = violations(records_session(refuse_all, changed(without_key)), "batches")
    assert {("encode", "smallest"), ("decode", "key-and-value")} <= {(each.direction, each.case.name) for each in found}


def test_a_difference_is_about_the_rule_of_the_value() -> None:
    def without_epoch(value: Value) -> None:
        for batch in value["batches"]:
            batch["partitionLeaderEpoch"] = -1

    [violation] = violations(records_session(decode=changed(without_epoch)), "batches")
    assert (violation.rule, violation.path) == ("batch.crc-scope", "batches[0].partitionLeaderEpoch")


def test_lost_null_is_about_null_in_every_value() -> None:
    def without_null(value: Value) -> None:
        for record in records_of(value)[1:]:
            record["value"] = record["value"] or b""

    found = violations(records_session(decode=changed(without_null)), "batches")
    assert {violation.rule for violation in found} == {"record.null"}


@pytest.mark.parametrize("level", [0, 1, 9])
def test_any_sound_stream_of_a_compressed_batch_will_do(level: int) -> None:
    def gzip_of_a_level(data: bytes) -> bytes:
        return gzip.compress(data, level, mtime=level)

    assert violations(records_session(compressing("gzip", gzip_of_a_level)), "gzip") == []


def test_unspecified_value_may_be_in_any_stream() -> None:
    """No reader must accept a control record without a key, in any compression."""
    marker = building.batch(control=True, compression="gzip")
    case = records_case(RecordsField(), {"batches": [marker], "partial": b""}, group="gzip")
    session = records_session(compressing("gzip", lambda data: gzip.compress(data, 0)))
    assert tried(session, case.again(session))[0] == []


def test_written_stream_of_an_optional_form_is_a_violation() -> None:
    found = violations(records_session(compressing("lz4", linked_blocks)), "lz4")
    assert {violation.rule for violation in found} == {"lz4.independent-blocks"}


def test_truncated_stream_is_a_violation() -> None:
    def cut(data: bytes) -> bytes:
        return gzip_members.compress(data)[:-1]

    assert {each.rule for each in violations(records_session(compressing("gzip", cut)), "gzip")} == {"codec.corrupt"}


def test_sound_stream_unreadable_for_its_own_codec_is_a_violation() -> None:
    def stored(data: bytes) -> bytes:
        return gzip.compress(data, 0, mtime=0)

    def stored_alone(data: bytes) -> Value:
        if data == compressing("gzip", stored)(EDGES["gzip"].value):
            refuse_all()
        return decode_records(data)

    found = violations(records_session(compressing("gzip", stored), stored_alone), "gzip")
    assert {(violation.rule, violation.direction) for violation in found} == {("codec.round-trip", "encode")}


def without_crc() -> Session:
    """Return a session with a codec that writes no CRC and refuses batches with one."""

    def plain(data: bytes) -> bytes:
        return data[:17] + b"\0\0\0\0" + data[21:] if len(data) > 60 else data

    def read(data: bytes) -> Value:
        if data[17:21] != bytes(4):
            refuse_all()
        return decode_records(with_field(data, "attributes", 0))

    return records_session(lambda value: plain(encode_records(value)), read)


def test_reader_of_its_writers_broken_bytes_has_the_same_mistake() -> None:
    """Canonical bytes are refused because of another CRC, not because of the layout of the header."""
    found = violations(without_crc(), "batches")
    assert {violation.rule for violation in found if violation.case.name == "smallest"} == {"batch.crc"}


def test_length_does_not_hide_a_mistake_shared_by_writer_and_reader() -> None:
    """An event holds only the beginning of long bytes."""
    case = records_case(RecordsField(), EDGES["value-of-8192"].value, rule="record.layout")
    session = without_crc()
    found, _ = tried(session, case.again(session))
    assert {(each.direction, each.rule) for each in found} == {
        ("encode", "batch.crc"),
        ("decode", "batch.crc"),
    }


def test_message_sets_are_not_tried_if_they_are_not_known() -> None:
    reader = Recorder()
    found, tally = counted(records_session(refuse_all, reader, legacy_message_sets="no"), "message-sets")
    assert found == []
    assert tally.of(Untried)


def test_message_sets_supported_by_the_reader_only_are_not_written() -> None:
    found, tally = counted(records_session(refuse_all, legacy_message_sets="read"), "message-sets")
    assert found == []
    assert tally.of(OutcomeCount)["decode", "value"] > 0


def test_missing_compression_codec_is_not_tried() -> None:
    reader = Recorder()
    assert violations(records_session(decode=reader, codecs=["none", "gzip"]), "zstd") == []
    assert EDGES["zstd"].wire not in reader.asked


def hide(*members: str) -> Any:
    def change(value: Value) -> None:
        for batch in value["batches"]:
            for name in members:
                batch.pop(name, None)

    return changed(change)


def test_hidden_members_are_not_compared() -> None:
    assert violations(records_session(decode=hide("producerId"), hidden=["producerId"]), "batches") == []


def test_hidden_members_are_compared_unless_declared() -> None:
    assert violations(records_session(decode=hide("producerId")), "batches") != []


def test_headers_as_a_map_are_compared_without_their_order() -> None:
    def reverse(value: Value) -> None:
        for record in records_of(value):
            record["headers"] = [[*pair] for pair in reversed(record["headers"])]

    assert violations(records_session(decode=changed(reverse), headers="map"), "batches") == []
    assert violations(records_session(decode=changed(reverse)), "batches") != []


def flat(value: Value) -> Value:
    return {
        "records": [
            {
                "offset": batch["baseOffset"] + record["offsetDelta"],
                "timestamp": batch["maxTimestamp"]
                if batch["timestampType"] == "log-append"
                else batch["baseTimestamp"] + record["timestampDelta"],
                **{name: record[name] for name in ("key", "value", "headers")},
            }
            for batch in value["batches"]
            for record in batch["records"]
        ]
    }


def test_flattened_records_have_their_own_offsets_and_timestamps() -> None:
    assert violations(records_session(decode=changed(flat), batches="flattened"), "batches", "gzip") == []


def test_skipped_control_batches_are_expected_unless_declared() -> None:
    def skip(value: Value) -> Value:
        return value | {"batches": [batch for batch in value["batches"] if not batch["control"]]}

    assert violations(records_session(decode=changed(skip), control="skipped"), "batches") == []
    assert violations(records_session(decode=changed(skip)), "batches") != []


def test_hidden_values_need_only_be_accepted() -> None:
    assert violations(records_session(decode=changed(lambda _: {}), values="hidden"), "batches") == []
