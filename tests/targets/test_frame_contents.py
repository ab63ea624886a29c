from collections.abc import Iterator

import pytest

from conformance.adapter import FrameContent
from conformance.generate.edge_values import populated
from conformance.generate.origin import CaseOrigin
from conformance.judge.checks.frame_cases import frame_case
from conformance.judge.checks.stored_cases import is_stored, stored_case
from conformance.targets import StoredForm, WholeFrame
from conformance.targets.listed import WHOLE
from conformance.targets.stored.stored_contents import types_of_others
from reference import (
    MessageSchema,
    Result,
    Unencodable,
    encode_frame,
    encode_prefixed,
    encode_record,
    load_release,
    minimal,
)
from tests.helpers.releases import BASE

RELEASE = load_release(BASE)
REQUEST = RELEASE.schema("MetadataRequest", 9)
RESPONSE = RELEASE.schema("MetadataResponse", 9)
OLD_REQUEST = RELEASE.schema("MetadataRequest", 8)
STORED = [schema for schema in RELEASE.schemas() if is_stored(schema)]


def contents(schema: MessageSchema) -> list[FrameContent]:
    return [content for _, content in WholeFrame(schema, RELEASE).contents()]


def test_a_request_is_tried_with_all_kinds_of_client_ids() -> None:
    lengths = {None if each.client_id is None else len(each.client_id) for each in contents(REQUEST)}
    assert {None, 0, 127, 128} <= lengths


def test_a_response_has_no_client_id() -> None:
    assert {each.client_id for each in contents(RESPONSE)} == {None}


def test_correlation_ids_reach_both_ends() -> None:
    """Of an int32."""
    found = [each.correlation_id for each in contents(RESPONSE)]
    assert (min(found), max(found)) == (-(2**31), 2**31 - 1)


def test_only_flexible_headers_have_tags() -> None:
    assert not any(each.header_tags for each in contents(OLD_REQUEST))
    assert {0, 1, 2} <= {len(each.header_tags) for each in contents(REQUEST)}


@pytest.mark.parametrize("schema", [REQUEST, RESPONSE, OLD_REQUEST], ids=str)
def test_sound_codec_and_the_reference_write_the_same_frames(schema: MessageSchema) -> None:
    codec = WholeFrame(schema, RELEASE).codec
    for content in contents(schema):
        parts = (content.correlation_id, content.client_id, content.value)
        api = (RELEASE, schema.kind, schema.api_key or 0, schema.version)
        wire = encode_frame(*api, *parts, header_tags=content.header_tags)  # type: ignore[arg-type]  # a kind of both
        assert codec.write(content) == wire
        assert codec.read(wire) == (content, len(wire))


def _broken(schema: MessageSchema) -> Iterator[tuple[CaseOrigin, bytes]]:
    target = WholeFrame(schema, RELEASE)
    return target.damages(FrameContent(7, "kafka" if schema.kind == "request" else None, minimal(schema), ()))


@pytest.mark.parametrize("schema", [REQUEST, RESPONSE, OLD_REQUEST], ids=str)
def test_no_broken_frame_is_sound(schema: MessageSchema) -> None:
    """The reference refuses each, except for a negative length of a client id other than -1, which is unspecified."""
    cases = list(_broken(schema))
    errors = {origin.name: frame_case(WholeFrame(schema, RELEASE), "", wire).refusal for origin, wire in cases}
    assert len(errors) == len(cases)
    assert None not in errors.values()
    assert {name for name, error in errors.items() if error and not error.is_due} <= {
        "client-id-negative",
        "client-id-other-sign",
    }


def _names(schema: MessageSchema) -> set[str]:
    contents = WholeFrame(schema, RELEASE).contents()
    return {origin.name for origin, _ in contents}


@pytest.mark.parametrize("name", ["client-id-length-32767", "header-tag-of-65536-bytes", "header-tag-of-falling-sizes"])
def test_whole_messages_get_every_frame(name: str) -> None:
    """Others get some in turn, and each frame is tried with some message."""
    found = {
        name: {schema.message for schema in RELEASE.schemas() if schema.kind == "request" and name in _names(schema)}
    }
    assert {each for each in WHOLE if each.endswith("Request") and each != "ControlledShutdownRequest"} <= found[name]
    assert found[name] - WHOLE


@pytest.mark.parametrize("schema", [REQUEST, RESPONSE], ids=str)
def test_a_header_out_of_range_has_no_frame(schema: MessageSchema) -> None:
    """Each refused frame is wrong in one field of its header."""
    for _, content in WholeFrame(schema, RELEASE).refused():
        with pytest.raises(Unencodable) as caught:
            WholeFrame(schema, RELEASE).write(content)
        assert caught.value.path in {"header.CorrelationId", "header.ClientId"}


def test_a_count_with_wrong_high_bits_is_invalid_though_tags_after_it_are_unspecified() -> None:
    """A reader without a check of the order of tags stops at the end of the frame."""
    schema = RELEASE.schema("HeartbeatRequest", 4)
    verdict = WholeFrame(schema, RELEASE).judge(
        dict(_broken(schema))[CaseOrigin("count-plus-16384", "section", sign="-")]
    )
    assert (verdict.result, verdict.rules[-1]) == (Result.INVALID, "input.truncated")


@pytest.mark.parametrize("schema", STORED, ids=str)
def test_the_sound_codec_of_stored_messages_is_the_reference_s(schema: MessageSchema) -> None:
    codec = StoredForm(schema, RELEASE).codec
    encode_stored = encode_record if schema.kind == "metadata" else encode_prefixed
    for _, content in StoredForm(schema, RELEASE).contents():
        wire = codec.write(content)
        assert wire == encode_stored(schema, content.value)
        assert codec.read(wire) == (content, len(wire))


def test_records_are_broken_in_every_way_with_a_rule() -> None:
    target = StoredForm(RELEASE.schema("TopicRecord", 0), RELEASE)
    wires = dict(target.damages(target.content_of(populated(target.schema))))
    errors = [stored_case(target, "", wire).refusal for wire in wires.values()]
    must = {error.rule for error in errors if error and error.is_due}
    left_open = {error.rule for error in errors if error} - must
    assert must >= {"record.frame-version", "record.type", "record.version", "record.trailing-bytes", "input.truncated"}
    assert left_open >= {"record.negative-varint", "record.unknown-version", "varint.overlong"}


def test_types_missing_in_a_log_are_its_holes_and_types_of_others() -> None:
    """A type of the metadata log alone is foreign to the log of remote storage."""
    metadata, storage = (types_of_others(RELEASE, source) for source in ("kafka-metadata", "kafka-storage"))
    assert {6, 13, 16, 30, 31, 32, 127, 128, 255, 256} <= set(metadata.unknown)
    assert metadata.foreign == ()
    assert "NoOpRecord" in dict(storage.foreign)


def test_prefixed_messages_are_cut_and_put_after_unknown_prefixes() -> None:
    target = StoredForm(RELEASE.schema("OffsetCommitValue", 3), RELEASE)
    wires = dict(target.damages(target.content_of(populated(target.schema))))
    cases = (stored_case(target, "", wire) for wire in wires.values())
    rules = {case.refusal.rule for case in cases if case.refusal}
    assert rules >= {"input.truncated", "prefix.unknown", "input.trailing-bytes"}


def test_numbers_before_a_stored_message_are_mistaken_for_others() -> None:
    """Those of a prefix in each message, and those of a record in turn."""
    target = StoredForm(RELEASE.schema("OffsetCommitValue", 3), RELEASE)
    names = {origin.name for origin, _ in target.damages(target.content_of(populated(target.schema)))}
    assert {"head/0/plus-128", "head/0/other-sign"} <= names
    records = [StoredForm(schema, RELEASE) for schema in STORED if schema.stored_form == "record"]
    ways = {origin.way for each in records for origin, _ in each.damages(next(each.contents())[1]) if origin.base}
    assert {"varint-overlong", "varint-minus-one", "varint-huge"} <= ways


@pytest.mark.parametrize("message", ["HeartbeatRequest", "HeartbeatResponse"])
def test_the_header_of_a_whole_message_is_changed_in_every_way(message: str) -> None:
    schema = RELEASE.schema(message, 4)
    names = {origin.name for origin, _ in _broken(schema) if origin.base == "header"}
    assert {name.rpartition("/")[2] for name in names} >= {"varint-huge", "varint-six-bytes", "unknown-descending"}


def test_a_changed_header_leaves_the_body_alone() -> None:
    target = WholeFrame(RELEASE.schema("HeartbeatRequest", 4), RELEASE)
    paths = [target.judge(wire).path for origin, wire in _broken(target.schema) if origin.base]
    assert paths
    assert not any(path.startswith("body") for path in paths)
