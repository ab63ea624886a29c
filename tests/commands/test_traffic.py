"""The commands capture, judge, redact and corpus import, for captured traffic."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.live.capture.capture import CapturedFrame, CaptureHeader, read_capture, write_capture
from tests.helpers.releases import NEWEST
from tests.helpers.runs import ROOT, error_of, events, invoke
from tests.live.capture.broker import API_VERSIONS, METADATA, SIZE, Broker, read_frame, request, response
from tests.live.capture.exchanges import answered, asked, conversation_of
from tests.live.capture.test_capture_judgement import produce, records
from tests.live.capture.wire import Conversation, write_pcap

if TYPE_CHECKING:
    from collections.abc import Iterable

SOUND = [
    CapturedFrame(1, "client", 0.0, request(METADATA, 12, 7)[SIZE:]),
    CapturedFrame(1, "server", 0.1, response(METADATA, 12, 7)[SIZE:]),
    CapturedFrame(1, "client", 0.2, produce(records())[SIZE:]),
]
EXTRA = CapturedFrame(1, "server", 0.3, response(METADATA, 12, 8)[SIZE:] + b"\0")
NEXT = CapturedFrame(1, "client", 0.2, request(METADATA, 12, 8)[SIZE:])
UNKNOWN = CapturedFrame(2, "client", 0.4, bytes.fromhex("0012006300000007000161"))
TOO_NEW = bytes.fromhex("00000007 0023 00000001 0012 0000 0003")
KNOWN = """
[[failure]]
rule = "message.nothing-else"
messages = "MetadataResponse"
outcome = "bytes"
reason = "writes a zero too many"
"""


def ended(status: int, *words: object) -> str:
    """Return the output of a command, after a check of its status."""
    done = invoke(*map(str, words))
    assert done.exit_code == status, done.output
    return done.output


def capture_of(folder: Path, frames: Iterable[CapturedFrame]) -> Path:
    path = folder / "session.jsonl"
    write_capture(path, CaptureHeader(), frames)
    return path


def test_a_sound_capture_has_no_findings(tmp_path: Path) -> None:
    text = ended(0, "judge", capture_of(tmp_path, SOUND))
    assert "no findings" in text
    assert "record-batches" in text


def test_a_name_with_a_dash_at_its_beginning_is_no_option_of_the_replay_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    capture_of(tmp_path, [NEXT, EXTRA]).rename(tmp_path / "-mine.jsonl")
    monkeypatch.chdir(tmp_path)
    assert " ./-mine.jsonl --frame 2" in invoke("judge", "--", "-mine.jsonl").output


def test_departure_is_a_finding_with_its_frame(tmp_path: Path) -> None:
    path = capture_of(tmp_path, [NEXT, EXTRA])
    report = tmp_path / "report.jsonl"
    text = ended(1, "judge", path, "--report", str(report))
    assert "1 cause (1 finding)" in text
    assert f"kafka-conformance judge {path} --frame 2" in text
    written = events(report)
    [found] = [event for event in written if event["event"] == "finding"]
    assert (found["rule"], found["example"]["kind"], found["example"]["frame"]) == ("message.nothing-else", "seen", 2)
    assert {event["message"] for event in written if event["event"] == "seen"} == {
        "MetadataRequest",
        "MetadataResponse",
    }


def test_answer_read_in_another_version_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    named = {"ClientSoftwareName": "a", "ClientSoftwareVersion": "1"}
    asked = CapturedFrame(1, "client", 0.0, request(API_VERSIONS, 4, 7, **named)[SIZE:])
    text = ended(0, "judge", capture_of(tmp_path, [asked, CapturedFrame(1, "server", 0.1, TOO_NEW)]), "--verbose")
    assert text.replace(str(tmp_path), "…").replace(NEWEST, "…") == snapshot


def test_an_old_answer_without_an_error_is_a_finding(tmp_path: Path) -> None:
    asked = CapturedFrame(1, "client", 0.0, request(API_VERSIONS, 1, 7)[SIZE:])
    path = capture_of(tmp_path, [asked, CapturedFrame(1, "server", 0.1, bytes.fromhex("00000007000000000000"))])
    assert "connection.version-too-new" in ended(1, "judge", path)


def test_a_known_failure_is_no_new_finding(tmp_path: Path) -> None:
    known = tmp_path / "known.toml"
    known.write_text(KNOWN, encoding="utf-8")
    path = capture_of(tmp_path, [NEXT, EXTRA])
    assert "all known" in ended(0, "judge", path, "--known-failures", str(known))
    sound = capture_of(tmp_path, SOUND)
    text = ended(0, "judge", str(sound), "--known-failures", str(known))
    [line] = [line for line in text.splitlines() if "message.nothing-else" in line]
    assert "not show: " in line


def test_only_one_side_is_judged_if_asked(tmp_path: Path) -> None:
    path = capture_of(tmp_path, [NEXT, EXTRA])
    assert "no findings" in ended(0, "judge", path, "--from", "client")


def test_unknown_versions_are_listed_as_not_tested(tmp_path: Path) -> None:
    text = ended(5, "judge", str(capture_of(tmp_path, [UNKNOWN])))
    assert "not tested: ApiVersionsRequest-v99 " in text
    assert "(1 frame) (unknown to " in text


def test_a_frame_is_shown_byte_by_byte(tmp_path: Path) -> None:
    text = ended(0, "judge", str(capture_of(tmp_path, [NEXT, EXTRA])), "--frame", "2")
    assert "body.ControllerId" in text
    assert "1 bytes more: 00" in text


def test_a_file_without_frames_is_an_error(tmp_path: Path) -> None:
    assert "has no frames" in ended(1, "judge", str(capture_of(tmp_path, [])))


def test_a_capture_is_redacted(tmp_path: Path) -> None:
    path, output = capture_of(tmp_path, SOUND), tmp_path / "public.jsonl"
    ended(0, "redact", path, "--output", str(output), "--how", "hash")
    assert read_capture(output).header.redacted == "hash"
    assert "no findings" in ended(0, "judge", str(output))


def test_a_corpus_is_made_of_a_capture_and_can_be_checked(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    output = tmp_path / "real"
    path = capture_of(tmp_path, [*SOUND, NEXT, EXTRA])
    text = ended(0, "corpus", "import", path, "--output", str(output))
    assert "4 rows of 3 messages" in text
    ended(0, "corpus", "check", str(output))


def test_packets_are_judged_as_a_capture_is(tmp_path: Path) -> None:
    path = write_pcap(tmp_path / "a.pcap", conversation_of(1, 2).packets)
    text = ended(0, "judge", path)
    assert "no findings" in text
    assert re.search(r"MetadataResponse +12 +2 +2", text)
    wrong = conversation_of(1)
    wrong.ask(len(NEXT.payload).to_bytes(SIZE) + NEXT.payload)
    wrong.answer(len(EXTRA.payload).to_bytes(SIZE) + EXTRA.payload)
    text = ended(1, "judge", write_pcap(tmp_path / "b.pcap", wrong.packets))
    assert "message.nothing-else" in text
    assert f"kafka-conformance judge {tmp_path}/b.pcap --frame 4" in text


def test_command_to_show_a_frame_of_packets_again_names_the_port(tmp_path: Path) -> None:
    conversation = conversation_of(1, conversation=Conversation(server=("127.0.0.1", 29_092)))
    conversation.ask(len(NEXT.payload).to_bytes(SIZE) + NEXT.payload)
    conversation.answer(len(EXTRA.payload).to_bytes(SIZE) + EXTRA.payload)
    text = ended(1, "judge", write_pcap(tmp_path / "a.pcap", conversation.packets), "--port", 29_092)
    assert "a.pcap --frame 4 --port 29092" in text


def test_packets_become_a_capture_for_the_other_commands(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    conversation = conversation_of(1)
    conversation.lose(asked(2))
    conversation.answer(answered(2))
    path, output = write_pcap(tmp_path / "a.pcap", conversation.packets), tmp_path / "session.jsonl"
    text = ended(0, "capture", "import", path, "--output", output)
    assert text.replace(str(tmp_path), "…") == snapshot
    assert f" {len(asked(2)):,} bytes" in text
    assert len(list(read_capture(output).frames)) == 2
    assert "no findings" in ended(0, "judge", output)


def test_packets_of_another_port_are_found_unless_a_port_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    conversation = conversation_of(1, conversation=Conversation(server=("127.0.0.1", 29_092)))
    path, output = write_pcap(tmp_path / "a.pcap", conversation.packets), tmp_path / "session.jsonl"
    write_capture(output, CaptureHeader(), [])
    before = output.read_bytes()
    done = invoke("capture", "import", str(path), "--output", str(output), "--port", "9092")
    assert error_of(done, 1).replace(str(tmp_path), "…") == snapshot
    assert output.read_bytes() == before
    ended(0, "capture", "import", path, "--output", output)
    assert len(list(read_capture(output).frames)) == 2


def test_imported_packets_can_be_redacted(tmp_path: Path) -> None:
    conversation = Conversation().open()
    conversation.ask(produce(records()))
    path, output = write_pcap(tmp_path / "a.pcap", conversation.packets), tmp_path / "session.jsonl"
    ended(0, "capture", "import", path, "--output", output, "--redact", "drop")
    assert read_capture(output).header.redacted == "drop"
    [frame] = read_capture(output).frames
    assert frame.payload != produce(records())[SIZE:]
    assert len(frame.payload) == len(produce(records())[SIZE:])


def test_a_capture_needs_its_three_options(snapshot: SnapshotAssertion) -> None:
    assert error_of(invoke("capture", "--listen", "0"), 2) == snapshot


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_capture_ends_by_a_signal_with_everything_in_it(tmp_path: Path, number: signal.Signals) -> None:
    output = tmp_path / "session.jsonl"

    async def run() -> str:
        async with Broker() as broker:
            words = ["capture", "--listen", "0", "--upstream", str(broker.address), "--output", str(output)]
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "conformance", *words), cwd=ROOT, stdout=subprocess.PIPE
            )
            assert process.stdout is not None
            line = (await process.stdout.readline()).decode()
            host, _, port = line.partition(" at ")[2].partition(";")[0].rpartition(":")
            reader, writer = await asyncio.open_connection(host, int(port))
            writer.write(request(API_VERSIONS, 3, 7))
            await read_frame(reader)
            process.send_signal(number)
            rest = (await process.stdout.read()).decode()
            assert await process.wait() == 0
            writer.close()
            return rest

    printed = asyncio.run(run())
    assert "1 frames of clients" in printed
    assert " 1 of servers " in printed
    assert [frame.sender for frame in read_capture(output).frames] == ["client", "server"]


@pytest.mark.parametrize("address", ["9092", "host:", "host:0", "host:x"])
def test_upstream_other_than_an_address_is_a_usage_error(tmp_path: Path, address: str) -> None:
    words = ("capture", "--listen", "0", "--upstream", address, "--output", str(tmp_path / "x"))
    error = error_of(invoke(*words), 2)
    assert f"{address!r}" in error
    assert "HOST:PORT" in error
