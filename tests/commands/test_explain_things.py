"""The command explain with one thing, its recognised kind and its verdict, if any."""

from __future__ import annotations

import gzip
import json
import os
from typing import TYPE_CHECKING

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.generate.record_building import batch, record
from reference import encode_records
from tests.commands.test_explain import shown
from tests.helpers.releases import OLDEST
from tests.helpers.runs import error_of, invoke
from tests.live.capture.broker import API_VERSIONS, METADATA, request, response
from tests.live.capture.exchanges import asked, conversation_of
from tests.live.capture.test_sessions import SESSIONS
from tests.live.capture.wire import Conversation, write_pcap
from tests.report.explain.test_log_contents import CREDENTIAL, SECRET
from tests.report.explain.test_segments import batch_at

if TYPE_CHECKING:
    from pathlib import Path

SOUND = request(API_VERSIONS, 0, 7, client=None)
LOG = "00000000000000000000.log"


def written(tmp_path: Path, name: str, content: bytes) -> str:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return str(path)


@pytest.mark.parametrize(
    "content",
    [
        SOUND,
        SOUND.hex(" ").encode(),
        f"0000000 {SOUND.hex(' ')}\n0000016\n".encode(),
        str(list(SOUND)).encode(),
        repr(SOUND).encode(),
        gzip.compress(SOUND),
        SOUND.hex(" ").encode("utf-16"),
        SOUND.hex(" ").encode("utf-8-sig"),
    ],
    ids=["bytes", "hex", "od", "list", "literal", "gzip", "UTF-16", "byte order mark"],
)
def test_frame_is_found_in_a_file_of_any_form(tmp_path: Path, content: bytes) -> None:
    text = shown(0, written(tmp_path, "frame", content))
    assert text.startswith("taken for: ApiVersionsRequest v0, ")
    assert "verdict: valid" in text


def test_frame_is_found_in_a_line_of_a_log(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    line = f"2026-11-29 12:00:00 WARN cannot read [{SOUND.hex()}] of client 12 (/192.0.2.1)"
    assert shown(0, written(tmp_path, "log", line.encode())).replace(str(tmp_path), "…") == snapshot


def test_json_is_alone_on_standard_output() -> None:
    done = invoke("explain", "--json", SOUND.hex())
    assert json.loads(done.stdout)["title"] == "ApiVersionsRequest v0, a whole frame"
    assert "taken for" in done.stderr


def test_frame_comes_from_words_and_from_standard_input() -> None:
    assert "taken for: ApiVersionsRequest v0" in shown(0, *SOUND.hex(" ").split())
    assert "taken for: ApiVersionsRequest v0" in shown(0, "-", stdin=SOUND)


def test_pipe_is_read_to_its_end() -> None:
    reading, writing = os.pipe()
    os.write(writing, SOUND)
    os.close(writing)
    assert "taken for: ApiVersionsRequest v0" in shown(0, f"/dev/fd/{reading}")
    os.close(reading)


def test_pipe_without_a_writer_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "pipe is empty" in shown(1, str(tmp_path / "pipe"))


def test_of_several_readings_none_has_a_verdict() -> None:
    text = shown(0, response(12, 1, 7).hex())
    assert "HeartbeatResponse v1-3, " in text
    assert " --api Heartbeat --version" in text
    assert "verdict: not-judged, " in text
    assert "verdict: valid" not in text


def test_damaged_frame_has_its_place_and_no_verdict(snapshot: SnapshotAssertion) -> None:
    assert shown(0, (request(METADATA, 12, 7)[:-2] + b"\xff\xff").hex()) == snapshot


FILES: dict[str, tuple[str, bytes]] = {
    "text": ("notes.txt", b"nothing of Kafka in it"),
    "picture": ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(40))),
    "empty": ("empty", b""),
    "text of tshark": ("list.txt", "1 0.0 127.0.0.1 → 127.0.0.1 TCP 54 40001 → 9092".encode()),
    "XML of tshark": ("pdml.xml", b"<pdml><packet pos='1'/></pdml>"),
    "cut list": ("list.txt", b"[0, 0, 0, 10, ...]"),
}


@pytest.mark.parametrize(("name", "content"), FILES.values(), ids=FILES)
def test_file_without_wire_bytes_is_an_error(
    tmp_path: Path, name: str, content: bytes, snapshot: SnapshotAssertion
) -> None:
    done = invoke("explain", written(tmp_path, name, content))
    assert error_of(done, 1).replace(str(tmp_path), "…") == snapshot


def test_file_of_half_a_gzip_is_an_error(tmp_path: Path) -> None:
    assert "a.gz: a damaged gzip" in shown(1, written(tmp_path, "a.gz", gzip.compress(SOUND, mtime=0)[:-9]))


@pytest.mark.parametrize("word", ["MetadataRequest", "no-such-file.bin", "hello"])
def test_word_for_nothing_is_wrong_usage(word: str, snapshot: SnapshotAssertion) -> None:
    assert error_of(invoke("explain", word), 2) == snapshot


def test_file_with_the_name_of_a_message_is_taken_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "MetadataRequest", SOUND)
    text = shown(0, "MetadataRequest")
    assert text.startswith("note: ")
    assert " file MetadataRequest" in text.splitlines()[0]


def test_capture_is_a_list_with_errors_and_latency() -> None:
    lines = shown(0, str(SESSIONS / "kafka-python.jsonl")).splitlines()
    assert lines[0].split() == ["frame", "time", "conn", "from", "bytes", "ms", "message,", "errors,", "verdict"]
    assert any("MEMBER_ID_REQUIRED" in line for line in lines)
    assert "--number N " in lines[-1]


def test_list_is_narrowed_by_api_side_and_connection() -> None:
    session = str(SESSIONS / "kafka-python.jsonl")
    lines = shown(0, session, "--api", "Metadata", "--from", "client").splitlines()[1:-2]
    assert lines
    assert all("MetadataRequest" in line for line in lines)
    broken = shown(0, session, "--broken").splitlines()
    assert len(broken) < len(shown(0, session).splitlines())


@pytest.mark.parametrize("api", ["3", "MetadataRequest"])
def test_list_is_narrowed_by_each_name_of_an_api(api: str) -> None:
    session = str(SESSIONS / "kafka-python.jsonl")
    assert shown(0, session, "--api", api) == shown(0, session, "--api", "Metadata")


def test_unknown_api_of_a_capture_gets_a_suggestion() -> None:
    assert "Metadata" in shown(2, str(SESSIONS / "kafka-python.jsonl"), "--api", "Metdata")


def test_ports_of_servers_are_found(tmp_path: Path) -> None:
    conversation = conversation_of(1, conversation=Conversation(server=("127.0.0.1", 29_092)))
    path = write_pcap(tmp_path / "a.pcap", conversation.packets)
    assert "MetadataRequest-v12" in shown(0, str(path))
    assert f"MetadataRequest v12, a whole frame, {len(asked(1)) - 4} bytes" in shown(0, str(path), "--number", "1")


def test_log_is_a_line_for_each_batch(tmp_path: Path) -> None:
    path = written(tmp_path, f"topic-0/{LOG}", batch_at(0) + batch_at(3))
    lines = shown(0, path).splitlines()
    assert [line.split()[:3] for line in lines[3:5]] == [["1", "0", "0"], ["2", str(len(batch_at(0))), "3"]]
    assert lines[-1].startswith("2 batches, 6 records, ")
    assert ", offsets 0 to 5; " in lines[-1]
    documents = [json.loads(line) for line in shown(0, path, "--json").splitlines()]
    assert [(each["first"], each["last"]) for each in documents] == [(0, 2), (3, 5)]


def test_records_of_a_log_are_listed_or_chosen_by_key(tmp_path: Path) -> None:
    path = written(tmp_path, f"topic-0/{LOG}", batch_at(0) + batch_at(3))
    assert '"value 2"' in shown(0, path, "--contents")
    assert "the key 'other'" in shown(1, path, "--key", "other")


def test_batch_with_an_offset_is_explained_as_of_a_log(tmp_path: Path) -> None:
    path = written(tmp_path, f"topic-0/{LOG}", batch_at(0) + batch_at(3))
    text = shown(0, path, "--offset", "4")
    assert "record batches" in text
    assert "broker" not in text
    assert " has no batch " in shown(1, path, "--batch", "3")


def test_secrets_of_the_metadata_log_are_shown_on_request_alone(tmp_path: Path) -> None:
    wire = encode_records({"batches": [batch(record(value=CREDENTIAL))]})
    path = written(tmp_path, f"__cluster_metadata-0/{LOG}", wire)
    hidden = shown(0, path, "--offset", "0", "--json")
    assert SECRET.hex() not in hidden
    assert "a secret (--secrets " in hidden
    assert SECRET.hex() in shown(0, path, "--offset", "0", "--json", "--secrets")


def test_folder_is_a_list_of_its_files(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    written(tmp_path, f"topic-0/{LOG}", batch_at(0))
    written(tmp_path, "topic-0/leader-epoch-checkpoint", b"0\n1\n0 0\n")
    assert shown(0, str(tmp_path)).replace(str(tmp_path), "…") == snapshot
    other = tmp_path / "other"
    other.mkdir()
    assert "a folder without" in shown(1, str(other))


def test_index_unfit_for_its_log_is_status_1(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    written(tmp_path, LOG, batch_at(0))
    path = written(tmp_path, LOG.replace("log", "index"), (9).to_bytes(4) + (7).to_bytes(4))
    assert shown(1, path).replace(str(tmp_path), "…") == snapshot


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (("OffsetCommitKey", "0", "000100016700017400000001"), "OffsetCommitKey v0 with its prefix"),
        (("ProduceRequest", "2", "0001000003e800000000"), f"Kafka {OLDEST} is the newest"),
        (("MetadataResponse", "12", "01010000"), "read as MetadataRequest"),
        (("MetadataRequest", "12", SOUND.hex()), "read as ApiVersionsRequest v0, "),
    ],
)
def test_better_reading_of_a_named_message_is_said_first(words: tuple[str, ...], note: str) -> None:
    text = shown(0, *words)
    assert text.startswith("note: ")
    assert note in text.splitlines()[0]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("{log}", "--number", "1"), "choose nothing"),
        (("{log}", "--dump"), "choose nothing"),
        (("{log}", "--offset", "0", "--contents"), "choose nothing"),
        (("{folder}", "--json"), "choose nothing"),
        (("{session}", "--offset", "1"), "choose nothing"),
        (("{frame}", "--secrets"), "choose nothing"),
        (("MetadataRequest", "12", "01010000", "--offset", "1"), "choose frames of"),
    ],
)
def test_option_without_effect_on_a_thing_is_refused(tmp_path: Path, words: tuple[str, ...], error: str) -> None:
    log = written(tmp_path, f"topic-0/{LOG}", batch_at(0))
    places = {"log": log, "folder": str(tmp_path), "session": str(SESSIONS / "sarama.jsonl"), "frame": SOUND.hex()}
    assert error in " ".join(shown(2, *(word.format(**places) for word in words)).split())


def test_capture_and_log_are_taken_from_a_pipe_and_out_of_gzip(tmp_path: Path) -> None:
    session = (SESSIONS / "sarama.jsonl").read_bytes()
    listed = shown(0, str(SESSIONS / "sarama.jsonl"))
    assert shown(0, "-", stdin=session) == listed
    assert shown(0, written(tmp_path, "sarama.jsonl.gz", gzip.compress(session))) == listed
    assert "1 batch, 3 records" in shown(0, "-", stdin=batch_at(0))


def test_bytes_from_a_pipe_are_named_as_on_the_command_line(tmp_path: Path) -> None:
    packed = written(tmp_path, "frame.gz", gzip.compress(SOUND))
    assert ": explain --frame -)" in shown(0, "-", stdin=SOUND)
    assert ": explain --frame BYTES)" in shown(0, packed)
    assert shown(0, "-", stdin=batch_at(0)).startswith("-: a log segment ")
    assert "Error: - is no " in shown(1, "-", stdin=b"a text")


def test_mistyped_name_of_a_message_is_no_base64() -> None:
    assert "mean MetadataRequest?" in shown(2, "MetadataReqest")
