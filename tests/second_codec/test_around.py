"""The codecs of frames, stored messages and wire types agree with the vectors, with the suite and with the book."""

from typing import Any

import pytest

from conformance.adapter import FrameContent
from conformance.codec.python_codec import PythonCodec
from conformance.generate.edge_values import populated
from conformance.judge.engine import violations
from conformance.vectors.tree.vector_files import read_file
from conformance.vectors.tree.vector_paths import committed_vectors, groups_of, vector_files
from conformance.vectors.verification.runner import VectorResults, run_group
from reference import decode_control, encode_control, load_release, minimal
from reference.records.control import MESSAGES
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of
from tests.mutants.around import KINDS
from tests.second_codec.control import ControlCodec
from tests.second_codec.frames import FrameCodec
from tests.second_codec.steps import Input
from tests.second_codec.stored import StoredCodec
from tests.second_codec.wire_types import WireTypeCodec

RELEASE = load_release(BASE)
FRAMED = ("ApiVersionsRequest", "ApiVersionsResponse", "FetchResponse", "MetadataRequest", "VoteRequest")


@pytest.mark.parametrize("kind", ["frames", "stored", "wire types"])
def test_codec_fails_no_vector(kind: str) -> None:
    codec, folder, results = KINDS[kind].codec(RELEASE), KINDS[kind].folder, VectorResults()
    session = session_of(PythonCodec(codec.adapter("sound")), RELEASE)
    files = [file for file in vector_files() if file.folder == folder and file.release == BASE]
    for file in files:
        if kind != "frames" or file.message in FRAMED:
            for group in groups_of({file.path: read_file(committed_vectors() / file.path)}):
                run_group(session, group, results)
    assert {"valid", "invalid"} <= results.counts.keys()
    assert not results.failures


@pytest.mark.parametrize(
    ("kind", "selection"),
    [
        ("frames", "HeartbeatRequest-v3..4,ApiVersionsResponse-v3,ListGroupsRequest-v0"),
        ("stored", "OffsetCommitKey,OffsetCommitValue-v4,NoOpRecord,RegisterBrokerRecord-v4"),
        ("wire types", "int32,nullable-string,compact-nullable-bytes,tag-section,varlong,uuid"),
    ],
)
def test_codec_is_not_accused_by_the_suite(kind: str, selection: str) -> None:
    session = session_of(PythonCodec(KINDS[kind].codec(RELEASE).adapter("sound")), RELEASE)
    for subject in KINDS[kind].subjects(BASE, selection):
        assert not list(violations(session, KINDS[kind].checks(session, subject)))


def test_a_frame_is_written_as_the_book_has_it() -> None:
    """Statement 5.10 has these bytes."""
    schema = RELEASE.schema("ApiVersionsRequest", 0)
    wire = FrameCodec(RELEASE).write(schema, FrameContent(7, "cl", minimal(schema)))
    assert wire.hex(" ") == "00 00 00 0c 00 12 00 00 00 00 00 07 00 02 63 6c"


def test_a_record_is_written_as_the_book_has_it() -> None:
    """Statement 5.16 has these bytes."""
    assert StoredCodec(RELEASE).write(RELEASE.schema("NoOpRecord", 0), {}).hex(" ") == "01 14 00 00"


@pytest.mark.parametrize(
    ("name", "value", "wire"),
    [
        ("varlong", -300, "d704"),
        ("compact-string", "é", "03c3a9"),
        ("nullable-bytes", None, "ffffffff"),
        ("compact-array-of-string", ["a", ""], "03026101"),
        ("tag-section", [(0, b""), (300, b"\1")], "020000ac020101"),
    ],
)
def test_a_wire_type_is_written_as_the_book_has_it(name: str, value: Any, wire: str) -> None:
    """Chapters 1 and 2 have these bytes, and the reader takes them back."""
    codec = WireTypeCodec(RELEASE)
    assert codec.write(name, value).hex() == wire
    assert codec.read(name, Input(bytes.fromhex(wire))) == value


@pytest.mark.parametrize("name", MESSAGES)
def test_a_control_record_is_written_and_read_as_by_the_reference(name: str) -> None:
    codec, message = ControlCodec(RELEASE), populated(RELEASE.schema(MESSAGES[name], 0))
    key, value = encode_control({"type": name, "message": message})
    assert codec.write("key", codec.read("key", Input(key))) == key
    assert codec.write(MESSAGES[name], message) == value
    assert decode_control(key, value) == {"type": name, "message": codec.read(MESSAGES[name], Input(value))}


def test_the_marker_of_a_transaction_is_written_and_read_as_by_the_reference() -> None:
    content = {"version": 0, "coordinatorEpoch": -7}
    _, value = encode_control({"type": "commit", **content})
    codec = ControlCodec(RELEASE)
    assert codec.write("end-transaction-marker", content) == value
    assert codec.read("end-transaction-marker", Input(value + b"\0")) == content
