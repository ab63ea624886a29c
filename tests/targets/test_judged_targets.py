from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.adapter import FrameContent
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.targets import (
    DECODE,
    EVERYTHING,
    Ask,
    Body,
    Claims,
    StoredForm,
    Target,
    WholeFrame,
    WireTypeTarget,
)
from conformance.targets.body.message_body import CONTENTS_KEPT, LastForms
from conformance.targets.outcome import Kind
from reference import (
    ApacheKafka,
    NotJsonForm,
    Reason,
    Result,
    load_release,
    minimal,
    newest_release,
    primitive,
    primitives,
    to_json,
)
from tests.helpers.releases import NEWEST

RELEASE = load_release(newest_release())
API_VERSIONS = WholeFrame(RELEASE.schema("ApiVersionsRequest", 0), RELEASE)
FRAME = bytes.fromhex("0000000c00120000000000070002636c")
NO_OP = StoredForm(RELEASE.schema("NoOpRecord", 0), RELEASE)
OFFSET_VALUE = StoredForm(RELEASE.schema("OffsetCommitValue", 3), RELEASE)
TARGETS: list[Target] = [
    Body(API_VERSIONS.schema),
    API_VERSIONS,
    WholeFrame(RELEASE.schema("ApiVersionsResponse", 4), RELEASE),
    OFFSET_VALUE,
    StoredForm(RELEASE.schema("TopicRecord", 0), RELEASE),
    *(WireTypeTarget(primitive(name)) for name in primitives()),
]


@pytest.mark.parametrize("target", TARGETS, ids=str)
@given(wire=st.binary(max_size=40))
def test_any_bytes_have_a_verdict(target: Target, wire: bytes) -> None:
    """A verdict never raises, and names a reason exactly where the bytes are invalid."""
    verdict = target.judge(wire)
    assert (verdict.reason is not None) == (verdict.result is Result.INVALID)


def test_a_valid_frame_has_its_content() -> None:
    verdict = API_VERSIONS.judge(FRAME)
    assert verdict.result is Result.VALID
    assert API_VERSIONS.write(verdict.value) == FRAME


def test_a_cut_frame_is_invalid_with_its_offset() -> None:
    verdict = API_VERSIONS.judge(FRAME[:-1])
    assert (verdict.result, verdict.reason, verdict.offset) == (Result.INVALID, Reason.LENGTH_EXCEEDS_INPUT, 0)


@pytest.mark.parametrize(("message", "version"), [("ApiVersionsRequest", 1), ("HeartbeatRequest", 0)])
def test_a_frame_of_another_message_is_unspecified(message: str, version: int) -> None:
    """A request states its own API key and version, so these bytes are sound, but no frame of this message."""
    other = WholeFrame(RELEASE.schema(message, version), RELEASE)
    wire = other.write(FrameContent(7, "cl", minimal(other.schema), ()))
    assert API_VERSIONS.judge(wire).result is Result.UNSPECIFIED


def test_a_frame_of_an_unknown_api_is_unspecified() -> None:
    assert API_VERSIONS.judge(FRAME[:4] + b"\x03\xe7" + FRAME[6:]).result is Result.UNSPECIFIED


def test_a_stored_message_of_another_version_is_unspecified() -> None:
    older = StoredForm(RELEASE.schema("OffsetCommitValue", 1), RELEASE)
    wire = older.write(older.content_of(minimal(older.schema)))
    assert older.judge(wire).result is Result.VALID
    assert OFFSET_VALUE.judge(wire).result is Result.UNSPECIFIED


@pytest.mark.parametrize(
    ("name", "wire", "does"),
    [
        ("unsigned-varint", "8100", ApacheKafka.ACCEPTS),
        ("compact-nullable-array-of-int32", "8180808008", ApacheKafka.REJECTS),
        ("tag-section", "0205000100", ApacheKafka.REJECTS),
    ],
)
def test_verdict_of_an_unspecified_wire_type_states_the_conduct_of_apache_kafka(
    name: str, wire: str, does: ApacheKafka
) -> None:
    """Apache Kafka's classes for single wire types refuse some bytes accepted in its messages."""
    verdict = WireTypeTarget(primitive(name)).judge(bytes.fromhex(wire))
    assert (verdict.result, verdict.apache_kafka) == (Result.UNSPECIFIED, does)
    assert (verdict.value is None) == (does is ApacheKafka.REJECTS)


class _Broken:
    """A frame with unreadable tags, and without counts."""

    correlation_id, client_id, value = 7, None, minimal(API_VERSIONS.schema)

    @property
    def header_tags(self) -> object:
        return None.get  # type: ignore[attr-defined]


def test_failing_property_is_a_fault_of_the_adapter() -> None:
    """A left-out property is no fault, as it is never read."""
    adapter = LoadedAdapter("", "broken", "0", {"encode": {}, "decode": {}}, decode_frame=lambda *_: _Broken())
    outcome = PythonCodec(adapter).perform(Ask(DECODE, API_VERSIONS, FRAME))
    assert outcome.kind is Kind.PROTOCOL_ERROR
    assert "attribute 'get'" in outcome.text


def reply(message: Any, version: Any) -> dict[str, Any]:
    return {"message": message, "version": version, "value": {}}


@pytest.mark.parametrize("message", ["NoRecord", None, ["NoOpRecord"]])
def test_unknown_message_is_no_stored_message(message: Any) -> None:
    with pytest.raises(NotJsonForm, match="message"):
        NO_OP.parse(reply(message, 0))


@pytest.mark.parametrize("version", [None, "0", True])
def test_version_other_than_a_number_is_no_stored_message(version: Any) -> None:
    """A reply gives the version in the bytes as a number."""
    with pytest.raises(NotJsonForm, match="version"):
        NO_OP.parse(reply("NoOpRecord", version))


HEARTBEAT = load_release(NEWEST).schema("HeartbeatRequest", 4)
SYNC_GROUP = load_release(NEWEST).schema("SyncGroupRequest", 5)


def test_the_form_of_a_content_is_made_once() -> None:
    forms, content = LastForms(), minimal(HEARTBEAT)
    assert forms.of(HEARTBEAT, content) is forms.of(HEARTBEAT, content)


def test_an_equal_content_has_a_form_of_its_own() -> None:
    """As 1 and true are equal to Python."""
    forms = LastForms()
    assert forms.of(HEARTBEAT, minimal(HEARTBEAT)) is not forms.of(HEARTBEAT, minimal(HEARTBEAT))


def test_a_content_has_a_form_for_each_message() -> None:
    forms, content = LastForms(), {**minimal(SYNC_GROUP), **minimal(HEARTBEAT)}
    assert forms.of(SYNC_GROUP, content) == to_json(SYNC_GROUP, content)
    assert forms.of(HEARTBEAT, content) == to_json(HEARTBEAT, content)


def test_old_contents_are_forgotten() -> None:
    forms, first = LastForms(), minimal(HEARTBEAT)
    form = forms.of(HEARTBEAT, first)
    others = [minimal(HEARTBEAT) for _ in range(CONTENTS_KEPT)]
    for content in others:
        forms.of(HEARTBEAT, content)
    assert forms.of(HEARTBEAT, first) is not form


@pytest.mark.parametrize(
    ("written", "read", "is_same"),
    [(None, None, True), (None, "", True), ("", "", True), ("", None, False), (None, "a", False), (None, b"", False)],
)
def test_a_null_client_id_may_be_read_as_the_empty_text(written: Any, read: Any, *, is_same: bool) -> None:
    """Apache Kafka's broker does so (rule 5.7)."""
    sound, other = (FrameContent(7, client, minimal(API_VERSIONS.schema), ()) for client in (written, read))
    assert (API_VERSIONS.difference(EVERYTHING, sound, other) is None) == is_same


def test_empty_and_null_client_id_of_a_response_differ() -> None:
    target = WholeFrame(RELEASE.schema("ApiVersionsResponse", 4), RELEASE)
    sound, other = (FrameContent(7, client, minimal(target.schema), ()) for client in (None, ""))
    assert target.difference(EVERYTHING, sound, other) is not None


@pytest.mark.parametrize(
    ("name", "expected", "actual"),
    [
        ("int32", 1, True),
        ("int32", 0, None),
        ("float64", 1.0, 1),
        ("string", "", b""),
        ("bytes", b"", ()),
        ("array-of-int32", [1], [True]),
        ("tag-section", [(1, b"")], [(True, b"")]),
    ],
)
def test_wire_types_of_other_python_types_differ(name: str, expected: Any, actual: Any) -> None:
    claims = Claims(spec="fake", name="fake", version="1", supported={})
    assert WireTypeTarget(primitive(name)).difference(claims, expected, expected) is None
    assert WireTypeTarget(primitive(name)).difference(claims, expected, actual) is not None


@pytest.mark.parametrize("part", [{"correlation_id": True}, {"header_tags": [(True, b"")]}, {"consumed": True}])
def test_parts_of_frames_of_other_python_types_differ(part: dict[str, Any]) -> None:
    claims = Claims(spec="fake", name="fake", version="1", supported={})
    expected = FrameContent(1, "c", {}, [(1, b"")], 1)
    assert API_VERSIONS.difference(claims, expected, expected) is None
    assert API_VERSIONS.difference(claims, expected, replace(expected, **part)) is not None


@pytest.mark.parametrize(
    ("wire", "version", "does"),
    [
        ("01140000", 0, ApacheKafka.ACCEPTS),
        ("01140100", 0, ApacheKafka.ACCEPTS),
        ("01ff0f0000", None, ApacheKafka.REJECTS),
    ],
    ids=["valid", "unknown-version", "unknown-type"],
)
def test_record_is_observed_as_apache_kafka_reads_it(wire: str, version: int | None, does: ApacheKafka) -> None:
    """An unknown version is read as the nearest one (rule 1.2.8)."""
    verdict = StoredForm(RELEASE.schema("NoOpRecord", 0), RELEASE).observed(bytes.fromhex(wire))
    content: Any = verdict.value
    assert (None if content is None else content.version, verdict.apache_kafka) == (version, does)
