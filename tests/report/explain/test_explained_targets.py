"""Explanations of wire types alone and of stored messages, by the golden vectors."""

import pytest

from conformance.report.explain.explained_targets import explain_target
from conformance.targets import StoredForm, WireTypeTarget
from reference import Result, load_release, primitive, stored_spans
from reference.explained.explanation import NOT_READ, TRAILING
from tests.helpers.releases import NEWEST, OLDEST
from tests.report.explain.test_vectors import check_deviation, vectors
from tests.report.explain.tiling import check_whole, named, named_by


def test_every_byte_of_a_wire_type_is_named_as_its_spans_name_it() -> None:
    """The verdict is that of the target, and a wrong part is marked at its byte."""
    for group, vector, wire in vectors("primitives", one_in=1):
        alone, explanation = primitive(group.message), explain_target(WireTypeTarget(primitive(group.message)), wire)
        check_whole(explanation)
        assert explanation.verdict.result == vector["result"], vector["id"]
        if vector["result"] == Result.VALID:
            assert named(explanation.parts) == named_by(alone.spans(wire))
        else:
            check_deviation(explanation)
        does = WireTypeTarget(alone).judge(wire).apache_kafka
        assert explanation.verdict.readers == {"Apache Kafka": str(does)}


@pytest.mark.parametrize("release", [OLDEST, NEWEST])
def test_every_byte_of_a_stored_message_is_named_as_its_spans_name_it(release: str) -> None:
    for group, vector, wire in vectors(f"{release}/stored", one_in=2):
        schema = load_release(release).schema(group.message, group.version)
        explanation = explain_target(StoredForm(schema, load_release(release)), wire)
        check_whole(explanation)
        verdict = StoredForm(schema, load_release(release)).judge(wire)
        if vector["result"] == Result.VALID:
            assert named(explanation.parts) == named_by(stored_spans(schema, wire))
            assert explanation.verdict.result == Result.VALID
            assert explanation.verdict.canonical == wire
        else:
            check_deviation(explanation)
            assert explanation.verdict.result in {verdict.result, Result.INVALID}, vector["id"]


@pytest.mark.parametrize(
    ("wire", "rule", "offset"),
    [
        ("021400" + "00", "record.frame-version", 0),
        ("01ff0700" + "00", "record.type", 1),
        ("011400" + "00" + "ff", "record.trailing-bytes", 4),
    ],
)
def test_metadata_record_refused_by_every_reader_is_invalid_at_its_byte(wire: str, rule: str, offset: int) -> None:
    release = load_release(NEWEST)
    explanation = explain_target(StoredForm(release.schema("NoOpRecord", 0), release), bytes.fromhex(wire))
    found = explanation.verdict
    assert (found.result, found.rules[-1], found.offset) == (Result.INVALID, rule, offset)
    check_whole(explanation)
    check_deviation(explanation)


def test_bytes_after_a_record_are_no_part_of_it() -> None:
    release = load_release(NEWEST)
    last = explain_target(StoredForm(release.schema("NoOpRecord", 0), release), bytes.fromhex("01140000ffff")).parts[-1]
    assert (last.start, last.end, last.role) == (4, 6, TRAILING)


def test_an_unknown_version_is_unspecified_and_no_byte_after_it_is_read() -> None:
    release = load_release(NEWEST)
    wire = bytes.fromhex("7fff0000000000")
    explanation = explain_target(StoredForm(release.schema("ConsumerGroupMetadataValue", 0), release), wire)
    check_whole(explanation)
    assert [part.role for part in explanation.parts] == ["number", NOT_READ]
    assert (explanation.verdict.result, explanation.verdict.rules) == (Result.UNSPECIFIED, ("prefix.unknown",))
    assert not explanation.verdict.readers


def test_the_numbers_before_a_body_are_shown() -> None:
    release = load_release(NEWEST)
    record = explain_target(StoredForm(release.schema("NoOpRecord", 0), release), bytes.fromhex("01140000"))
    assert [(part.path, part.type, part.value) for part in record.parts[:3]] == [
        ("frame-version", "unsigned-varint", "1"),
        ("type", "unsigned-varint", "20"),
        ("version", "unsigned-varint", "0"),
    ]


@pytest.mark.parametrize(
    ("name", "wire", "value"), [("varint", "d704", "-300"), ("int16", "ffff", "-1"), ("compact-string", "0261", '"a"')]
)
def test_a_value_of_a_wire_type_is_shown(name: str, wire: str, value: str) -> None:
    assert explain_target(WireTypeTarget(primitive(name)), bytes.fromhex(wire)).parts[-1].value == value
