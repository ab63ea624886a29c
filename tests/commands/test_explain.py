"""The command explain, with its forms of bytes, its output, and its errors for other input."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from syrupy.assertion import SnapshotAssertion

from conformance.commands.main import main
from conformance.generate.record_building import batch, record
from conformance.live.capture.capture import CapturedFrame, CaptureHeader, write_capture
from reference import encode_records
from reference.explained.explanation import SCHEMA
from tests.helpers.releases import NEWEST
from tests.helpers.runs import error_of, invoke
from tests.live.capture.broker import API_VERSIONS, METADATA, SIZE, request, response
from tests.live.capture.exchanges import asked, conversation_of
from tests.live.capture.test_sessions import SESSIONS
from tests.live.capture.wire import write_pcap

if TYPE_CHECKING:
    from pathlib import Path

BATCH = batch(baseTimestamp=1_700_000_000_000, maxTimestamp=1_700_000_000_000)
SOUND = request(METADATA, 12, 7, client="cl")
ANSWER = response(METADATA, 12, 7)


def shown(status: int, *words: str, stdin: bytes | None = None) -> str:
    """Return the output of a command, after a check of its status."""
    done = CliRunner().invoke(main, ["explain", *words], input=stdin)
    assert done.exit_code == status, done.output
    return done.output


def documents(*words: str) -> list[dict[str, Any]]:
    """Return the output of --json, checked by its schema."""
    text = shown(0, *words, "--json")
    found = [json.loads(line) for line in text.splitlines()] if "--capture" in words else [json.loads(text)]
    schema = json.loads((files("reference.explained") / SCHEMA).read_text(encoding="utf-8"))
    for document in found:
        Draft202012Validator(schema).validate(document)
    return found


def test_a_row_has_offset_bytes_field_type_value_and_rule(snapshot: SnapshotAssertion) -> None:
    assert shown(0, "MetadataRequest", "12", "01010000") == snapshot


def test_bytes_may_be_several_words() -> None:
    assert shown(0, "MetadataRequest", "12", "02", "0000", "00") == shown(0, "MetadataRequest", "12", "02000000")


def test_error_stands_below_its_bytes_and_the_rest_is_not_read(snapshot: SnapshotAssertion) -> None:
    assert shown(0, "VoteRequest", "2", "0261ff") == snapshot


def test_a_message_is_not_read_after_a_bad_length() -> None:
    [document] = documents("HeartbeatRequest", "0", "7fff616263")
    roles = [(part["start"], part["end"], part["role"]) for part in document["parts"]]
    assert roles == [(0, 2, "length"), (2, 5, "not-read")]
    assert document["parts"][0]["deviation"].startswith("length.within-input: ")


def test_request_names_its_own_message() -> None:
    text = shown(0, "--frame", SOUND.hex())
    assert f"MetadataRequest v12, a whole frame, {len(SOUND)} bytes" in text
    assert "3 (Metadata)" in text


def test_a_response_is_explained_by_its_request_or_by_api_and_version() -> None:
    by_request = shown(0, "--frame", ANSWER.hex(), "--response-to", SOUND.hex())
    assert "MetadataResponse v12, a whole frame" in by_request
    for api in ("Metadata", "3", "MetadataResponse"):
        assert shown(0, "--frame", ANSWER.hex(), "--api", api, "--version", "12") == by_request


@pytest.mark.parametrize(
    ("asked_for", "digits", "read"),
    [
        (4, "002300000001001200000003", 0),
        (3, "0023010000000000", 3),
        (3, "002300000000", 0),
        (1, "000000000000", 0),
    ],
)
def test_answer_to_api_versions_is_explained_in_the_version_of_its_client(
    tmp_path: Path, asked_for: int, digits: str, read: int
) -> None:
    """The request, its API and version, and a capture of both agree."""
    question, answer = request(API_VERSIONS, asked_for, 7), bytes.fromhex("00000007" + digits)
    frame = ("--frame", (len(answer).to_bytes(SIZE) + answer).hex())
    capture = tmp_path / "session.jsonl"
    write_capture(
        capture,
        CaptureHeader(),
        [CapturedFrame(1, "client", 0.0, question[SIZE:]), CapturedFrame(1, "server", 0.1, answer)],
    )
    texts = (
        shown(0, *frame, "--response-to", question.hex()),
        shown(0, *frame, "--api", "ApiVersions", "--version", str(asked_for)),
        shown(0, "--capture", str(capture), "--number", "2"),
    )
    for text in texts:
        assert f"ApiVersionsResponse v{read}, a whole frame" in text
        assert "verdict: valid" in text
        assert ("read as version 0, " in text) == (read != asked_for)


def test_answer_to_an_unknown_version_is_explained_in_version_0() -> None:
    frame = ("--frame", "0000000a000000070023" + "00000000", "--api", "ApiVersions", "--version", "99")
    assert "ApiVersionsResponse v0, a whole frame" in shown(0, *frame)


def test_frames_without_a_size_are_explained_if_asked() -> None:
    text = shown(0, "--frame", SOUND[SIZE:].hex(), "--without-size")
    assert f"MetadataRequest v12, a whole frame, {len(SOUND) - SIZE} bytes" in text
    assert "verdict: valid" in text


def test_frame_without_its_size_gets_advice() -> None:
    text = shown(0, "--frame", request(18, 0, 7, client="").hex()[2 * SIZE :])
    assert "read as ApiVersionsRequest v0, " in text
    assert " --without-size --frame" in text


def test_a_response_in_the_place_of_a_request_is_named() -> None:
    text = shown(0, "--frame", response(METADATA, 12, 7, ClusterId="a cluster of some name").hex())
    assert "read as MetadataResponse v12, " in text
    assert "--api Metadata --version 12" in text


def test_a_response_of_a_named_api_is_read_in_each_version() -> None:
    text = shown(0, "--frame", response(12, 2, 7).hex(), "--api", "Heartbeat")
    assert "taken for HeartbeatResponse v1-3, " in text
    assert "\nHeartbeatResponse v3, " in text


def test_bytes_after_a_frame_are_not_part_of_it() -> None:
    [document] = documents("--frame", SOUND.hex() + "00ff")
    assert document["verdict"]["result"] == "valid"
    part = document["parts"][-1]
    assert (part["role"], part["end"] - part["start"]) == ("trailing", 2)
    assert {name for name, text in part.items() if text == ""} == {"path", "type", "rule", "deviation"}


def test_record_batches_are_explained_with_their_compressed_records() -> None:
    wire = encode_records({"batches": [{**BATCH, "compression": "gzip", "records": [record(value=b"hello")]}]})
    text = shown(0, "--records", wire.hex())
    assert "decompressed batches[0].records" in text
    assert '"hello"' in text
    assert "'s broker accepts\n" in text


def test_a_dump_has_every_byte(snapshot: SnapshotAssertion) -> None:
    text = shown(0, "--frame", asked(1).hex(), "--dump")
    lines = [line for line in text.splitlines() if re.match(r"[0-9a-f]{8}  ", line)]
    assert "".join(line[10:57].replace(" ", "") for line in lines) == asked(1).hex()
    assert text == snapshot


@pytest.mark.parametrize(
    ("content", "bytes_of_it"),
    [(b"01 01\n00:00\n", 4), (bytes.fromhex("01010000"), 4), (b"0x01010000", 4)],
)
def test_bytes_come_from_standard_input_or_a_file_as_hex_or_as_they_are(
    tmp_path: Path, content: bytes, bytes_of_it: int
) -> None:
    path = tmp_path / "message"
    path.write_bytes(content)
    expected = f"MetadataRequest v12, {bytes_of_it} bytes"
    assert expected in shown(0, "MetadataRequest", "12", f"@{path}")
    assert expected in shown(0, "MetadataRequest", "12", "-", stdin=content)


ERRORS: dict[str, tuple[str, ...]] = {
    "mistyped message": ("MetdataRequest", "1", "00"),
    "unknown version": ("MetadataRequest", "99", "00"),
    "no version": ("MetadataRequest", "twelve", "00"),
    "no hex": ("MetadataRequest", "1", "0g"),
    "half a byte": ("MetadataRequest", "1", "000"),
    "no file": ("MetadataRequest", "1", "@/no/such/file"),
    "no bytes": ("MetadataRequest", "1"),
    "nothing": (),
    "two things": ("--frame", "00", "--records", "00"),
    "no request": ("--frame", "0000"),
    "unknown API": ("--frame", "0000000a03e7000000000007ffff"),
    "unknown version of an API": ("--frame", "0000000a00030063000000070000"),
    "mistyped API": ("--frame", "00", "--api", "Metdata", "--version", "1"),
    "no response": ("--frame", "00", "--api", "Metadata"),
    "version without an API": ("--frame", "00", "--version", "1"),
    "API of records": ("--records", "00", "--api", "Metadata"),
    "number of records": ("--records", "00", "--number", "1"),
    "missing frame": ("--capture", str(SESSIONS / "sarama.jsonl"), "--number", "9999"),
}


@pytest.mark.parametrize("words", ERRORS.values(), ids=ERRORS)
def test_error_names_the_mistake_and_the_right_usage(words: tuple[str, ...], snapshot: SnapshotAssertion) -> None:
    done = invoke("explain", *words)
    error = error_of(done, done.exit_code).replace(str(SESSIONS), "…").replace(NEWEST, "…")
    assert (done.exit_code, error) == snapshot


def test_frames_of_a_capture_are_chosen_by_number_connection_correlation_id_and_sender() -> None:
    capture = ("--capture", str(SESSIONS / "sarama.jsonl"))
    [one] = documents(*capture, "--number", "12")
    assert (one["title"], one["frame"]["request"]) == ("MetadataResponse v11, a whole frame", 11)
    chosen = documents(*capture, "--connection", "3", "--correlation-id", "1")
    assert [document["frame"]["from"] for document in chosen] == ["client", "server"]
    everything = documents(*capture)
    assert len(everything) == 213
    assert len(documents(*capture, "--from", "client")) == sum(each["frame"]["from"] == "client" for each in everything)


def test_frames_of_packets_are_explained_as_those_of_a_capture(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    path = write_pcap(tmp_path / "a.pcap", conversation_of(1, 2).packets)
    assert shown(0, "--capture", str(path), "--number", "2") == snapshot


def test_header_of_an_unknown_version_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_capture(path, CaptureHeader(), [CapturedFrame(1, "client", 0.0, bytes.fromhex("001200630000000700026162ff"))])
    [document] = documents("--capture", str(path))
    assert document["verdict"]["result"] == "not-judged"
    assert document["verdict"]["detail"].startswith("unknown to ")
    values = {part["path"]: part["value"] for part in document["parts"]}
    assert (values["header.RequestApiVersion"], values["header.ClientId"]) == ("99", '"ab"')


def test_text_on_the_wire_cannot_control_a_terminal() -> None:
    text = shown(0, "--frame", request(18, 0, 7, client="\x1b[31m[red]").hex())
    assert "\x1b" not in text
    assert "\\u001b[31m[red]" in text
