"""Files of packets of every kind become the frames of client and server."""

from __future__ import annotations

import gzip
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from syrupy.assertion import SnapshotAssertion

from conformance.live.capture import packet_segments as segments
from conformance.live.capture.capture import read_capture
from conformance.live.capture.packet_segments import BadPackets
from reference.inputs.files import MEBIBYTE
from tests.live.capture.broker import SIZE, request
from tests.live.capture.test_sessions import SESSIONS
from tests.live.capture.wire import (
    ETHERNET,
    LOOPBACK,
    RAW,
    SLL,
    SLL2,
    START,
    Conversation,
    write_pcap,
    write_pcapng,
)

if TYPE_CHECKING:
    from pathlib import Path
from tests.live.capture.exchanges import asked, conversation_of, exchange, imported, sent_frames

LENGTH_AT = 32
"""The offset of the length of the first packet in a pcap."""


def test_each_frame_is_as_it_was_written(tmp_path: Path) -> None:
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", conversation_of(1, 2).close().packets))
    assert sent_frames(frames) == exchange(1, 2)
    assert [round(frame.at, 3) for frame in frames] == [0.002, 0.003, 0.004, 0.005]
    assert [frame.number for frame in frames] == [1, 2, 3, 4]
    assert troubles == []


def test_damaged_length_of_a_packet_reserves_no_memory(tmp_path: Path) -> None:
    path = write_pcap(tmp_path / "a.pcap", conversation_of(1).packets)
    content = bytearray(path.read_bytes())
    content[LENGTH_AT : LENGTH_AT + 4] = bytes.fromhex("ffffff7f")
    path.write_bytes(content)
    tracemalloc.start()
    try:
        assert len(list(segments.read_packets(path))) == 1
        assert tracemalloc.get_traced_memory()[1] < MEBIBYTE
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("link", [ETHERNET, RAW, SLL, SLL2, LOOPBACK])
def test_packets_of_every_common_link_are_read(tmp_path: Path, link: int) -> None:
    path = write_pcap(tmp_path / "a.pcap", conversation_of(1).packets, link=link)
    assert sent_frames(imported(path)[0]) == exchange(1)


def test_ipv6_is_read(tmp_path: Path) -> None:
    conversation = conversation_of(1, conversation=Conversation(("::1", 40_000), ("::1", 9092)))
    assert sent_frames(imported(write_pcap(tmp_path / "a.pcap", conversation.packets))[0]) == exchange(1)


def test_each_interface_of_pcapng_has_its_own_link_and_clock(tmp_path: Path) -> None:
    path = write_pcapng(tmp_path / "a.pcapng", conversation_of(1, 2).packets, (ETHERNET, RAW))
    frames, troubles = imported(path)
    assert sent_frames(frames) == exchange(1, 2)
    assert [round(frame.at, 3) for frame in frames] == [0.002, 0.003, 0.004, 0.005]
    assert troubles == []


def test_other_packets_are_counted_by_kind(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    conversation = conversation_of(1)
    fragment = bytearray(conversation.packets[2][1])
    fragment[6] |= 0x20
    packets = [*conversation.packets, (START, bytes(fragment)), (START, conversation.packets[0][1][:30])]
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", packets))
    assert sent_frames(frames) == exchange(1)
    assert troubles == snapshot


def test_file_with_a_truncated_packet_is_read_up_to_it(tmp_path: Path) -> None:
    path = write_pcapng(tmp_path / "a.pcapng", conversation_of(1, 2).packets, (ETHERNET,))
    path.write_bytes(path.read_bytes()[:-20])
    frames, troubles = imported(path)
    assert sent_frames(frames) == [*exchange(1), ("client", asked(2))]
    assert f"{path} is damaged" in "".join(troubles)


def test_a_compressed_file_is_read_as_the_file_in_it(tmp_path: Path) -> None:
    path = write_pcap(tmp_path / "a.pcap", conversation_of(2).packets)
    packed = tmp_path / "a.pcap.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert imported(packed) == imported(path)


def test_damaged_compressed_file_is_named_as_one(tmp_path: Path) -> None:
    path = write_pcap(tmp_path / "a.pcap", conversation_of(2).packets)
    path.write_bytes(gzip.compress(path.read_bytes())[:-20])
    frames, troubles = imported(path)
    assert frames
    assert "a damaged gzip file" in " ".join(troubles)


def test_missing_library_is_named_with_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_pcap(tmp_path / "a.pcap", conversation_of(1).packets)

    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(segments, "import_module", missing)
    with pytest.raises(BadPackets, match=r"dpkt.*\[packets\]"):
        imported(path)


def test_secrets_are_not_in_the_frames(tmp_path: Path) -> None:
    conversation = Conversation().open()
    conversation.ask(request(36, 1, 1, AuthBytes=b"\0user\0secret"))
    frames, _ = imported(write_pcap(tmp_path / "a.pcap", conversation.packets))
    assert len(frames) == 1
    assert b"secret" not in frames[0].payload


@pytest.mark.parametrize("name", ["sarama", "kafka-clients"])
def test_a_session_of_a_client_is_the_same_through_packets(tmp_path: Path, name: str) -> None:
    original = [frame for frame in read_capture(SESSIONS / f"{name}.jsonl").frames if not (frame.cut or frame.is_rest)]
    talks: dict[int, Conversation] = {}
    packets = []
    for frame in original:
        if frame.connection not in talks:
            talks[frame.connection] = Conversation(("127.0.0.1", 40_000 + frame.connection)).open()
            packets += talks[frame.connection].packets
        conversation, data = talks[frame.connection], len(frame.payload).to_bytes(SIZE) + frame.payload
        for at in range(0, len(data), 1400):
            (conversation.ask if frame.sender == "client" else conversation.answer)(data[at : at + 1400])
            packets.append(conversation.packets[-1])
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", packets))
    assert [(frame.sender, frame.payload) for frame in frames] == [(each.sender, each.payload) for each in original]
    assert troubles == []
