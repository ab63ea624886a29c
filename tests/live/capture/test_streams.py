"""TCP streams are put together, and missing bytes are named without an accusation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.live.capture.broker import API_VERSIONS, request
from tests.live.capture.wire import (
    MODULUS,
    Conversation,
    write_pcap,
)

if TYPE_CHECKING:
    from pathlib import Path
from tests.live.capture.exchanges import answered, asked, conversation_of, exchange, imported, rules_broken, sent_frames


def undisturbed(folder: Path, conversation: Conversation) -> list[tuple[str, bytes]]:
    """Return the frames of a complete connection, with their senders."""
    frames, troubles = imported(write_pcap(folder / "a.pcap", conversation.packets))
    assert troubles == []
    return sent_frames(frames)


def test_a_frame_in_many_segments_and_many_frames_in_one(tmp_path: Path) -> None:
    conversation = Conversation().open()
    for at in range(len(asked(1))):
        conversation.ask(asked(1)[at : at + 1])
    conversation.ask(asked(2) + asked(3))
    conversation.answer(answered(1) + answered(2) + answered(3))
    frames = undisturbed(tmp_path, conversation)
    assert [pair for pair in frames if pair[0] == "client"] == [("client", asked(n)) for n in (1, 2, 3)]
    assert [pair for pair in frames if pair[0] == "server"] == [("server", answered(n)) for n in (1, 2, 3)]


def test_retransmitted_segment_counts_once(tmp_path: Path) -> None:
    conversation = Conversation().open()
    first = conversation.ask(asked(1))
    conversation.repeat(first)
    conversation.answer(answered(1))
    conversation.ask(asked(2))
    conversation.repeat(first)
    conversation.answer(answered(2))
    assert undisturbed(tmp_path, conversation) == exchange(1, 2)


def test_overlapping_segment_adds_its_new_bytes(tmp_path: Path) -> None:
    whole = asked(1)
    conversation, again = Conversation().open(), Conversation().open()
    conversation.ask(whole[:50])
    conversation.lose(whole[50:])
    conversation.repeat(again.lose(whole))
    conversation.answer(answered(1))
    assert undisturbed(tmp_path, conversation) == exchange(1)


def test_segments_out_of_order_are_put_in_order(tmp_path: Path) -> None:
    conversation, whole = Conversation().open(), asked(1) + asked(2)
    late = conversation.lose(whole[:30])
    later = conversation.lose(whole[30:200])
    conversation.ask(whole[200:])
    conversation.repeat(later)
    conversation.repeat(late)
    conversation.answer(answered(1))
    assert undisturbed(tmp_path, conversation) == [("client", asked(1)), ("client", asked(2)), ("server", answered(1))]


def test_response_captured_before_its_request_comes_after_it(tmp_path: Path) -> None:
    conversation = Conversation().open()
    late = conversation.lose(asked(1))
    conversation.answer(answered(1))
    conversation.repeat(late)
    assert undisturbed(tmp_path, conversation) == exchange(1)


@pytest.mark.parametrize("late", [0, 1], ids=["client", "server"])
def test_handshake_captured_late_begins_the_connection(tmp_path: Path, late: int) -> None:
    packets = conversation_of(1, 2).close().packets
    moved = [*packets[:late], *packets[late + 1 : 4], packets[late], *packets[4:]]
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", moved))
    assert sent_frames(frames) == exchange(1, 2)
    assert {frame.connection for frame in frames} == {1}
    assert troubles == []


def test_sequence_numbers_begin_anew_at_their_end(tmp_path: Path) -> None:
    conversation = conversation_of(1, 2, 3, conversation=Conversation(first=(MODULUS - 300, MODULUS - 1)))
    assert undisturbed(tmp_path, conversation) == exchange(1, 2, 3)


def test_lost_segment_of_the_client_is_named_and_later_frames_are_read(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    conversation = conversation_of(1)
    conversation.ask(asked(2)[:40])
    conversation.lose(asked(2)[40:])
    conversation.answer(answered(2))
    conversation.ask(asked(3))
    conversation.answer(answered(3))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", conversation.packets))
    assert sent_frames(frames) == exchange(1, 3)
    assert rules_broken(frames) == set()
    assert troubles == snapshot


def test_a_lost_segment_of_the_server_is_named_and_accuses_nobody(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    conversation = conversation_of(1)
    conversation.ask(asked(2))
    conversation.lose(answered(2), of_server=True)
    conversation.ask(asked(3))
    conversation.answer(answered(3))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", conversation.packets))
    assert sent_frames(frames) == [*exchange(1), ("client", asked(2)), *exchange(3)]
    assert rules_broken(frames) == set()
    assert troubles == snapshot


def test_a_capture_from_the_middle_begins_with_the_first_frame(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    conversation = conversation_of(1, 2, 3)
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", conversation.packets[3:]))
    assert sent_frames(frames) == exchange(2, 3)
    assert rules_broken(frames) == set()
    assert troubles == snapshot


def test_a_capture_from_inside_of_a_frame_begins_with_the_next_one(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    conversation = Conversation().open()
    for segment in (asked(1)[:20], asked(1)[20:]):
        conversation.ask(segment)
    conversation.answer(answered(1))
    conversation.ask(asked(2))
    conversation.answer(answered(2))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", conversation.packets[3:]))
    assert sent_frames(frames) == exchange(2)
    assert rules_broken(frames) == set()
    assert troubles == snapshot


def test_packets_cut_by_the_snapshot_length_are_gaps(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    conversation = Conversation().open()
    conversation.ask(asked(1))
    conversation.answer(answered(1))
    conversation.ask(request(API_VERSIONS, 0, 2, client=None))
    path = write_pcap(tmp_path / "a.pcap", conversation.packets, snapshot=120)
    frames, troubles = imported(path)
    assert sent_frames(frames) == [("client", request(API_VERSIONS, 0, 2, client=None))]
    assert troubles == snapshot


def test_tls_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    conversation = Conversation().open()
    conversation.ask(bytes.fromhex("160301020001000100"))
    conversation.answer(bytes.fromhex("160303007a020000"))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", conversation.packets))
    assert frames == []
    assert troubles == snapshot


def test_connections_of_one_pair_of_ports_are_distinguished(tmp_path: Path) -> None:
    first, second = conversation_of(1).close(), conversation_of(7, conversation=Conversation(first=(90_000, 70_000)))
    packets = [*first.packets, *((at + 1, packet) for at, packet in second.packets)]
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", packets))
    assert [frame.connection for frame in frames] == [1, 1, 2, 2]
    assert sent_frames(frames) == exchange(1, 7)
    assert troubles == []


def test_frame_cut_by_the_end_of_the_connection_is_a_rest(tmp_path: Path) -> None:
    conversation = conversation_of(1)
    conversation.ask(asked(2)[:30])
    frames, _ = imported(write_pcap(tmp_path / "a.pcap", conversation.close().packets))
    assert (frames[-1].is_rest, frames[-1].payload) == (True, asked(2)[:30])


def test_impossible_size_is_found_as_on_a_proxy(tmp_path: Path) -> None:
    conversation = conversation_of(1)
    conversation.ask(bytes.fromhex("ffffffff0012"))
    frames, _ = imported(write_pcap(tmp_path / "a.pcap", conversation.close().packets))
    assert rules_broken(frames) == {"frame.size"}


def one_direction(of: str, *, handshake: str = "own") -> list[tuple[float, bytes]]:
    """Return the packets of one side, with the SYN of this side, of both or of none."""
    conversation = conversation_of(1, 2, 3).close()
    port = conversation.client[1] if of == "client" else conversation.server[1]
    sides = [int.from_bytes(packet[20:22]) == port for _, packet in conversation.packets]
    kept = {"own": sides[:2], "both": [True, True], "none": [False, False]}[handshake] + sides[2:]
    return [packet for packet, is_kept in zip(conversation.packets, kept, strict=True) if is_kept]


@pytest.mark.parametrize("handshake", ["own", "both", "none"])
def test_server_alone_accuses_nobody(tmp_path: Path, handshake: str) -> None:
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", one_direction("server", handshake=handshake)))
    assert frames == []
    size = sum(len(answered(number)) for number in (1, 2, 3))
    left_out = ("3 responses are left out", f"{size:,} bytes of the server are not cut into frames")
    assert any(text in trouble for trouble in troubles for text in left_out)


def test_direction_without_a_segment_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    texts = [
        imported(write_pcap(tmp_path / "a.pcap", one_direction(side)))[1][0].partition(": ")[2]
        for side in ("server", "client")
    ]
    assert texts == snapshot


def test_client_alone_is_judged_by_its_requests(tmp_path: Path) -> None:
    frames, _ = imported(write_pcap(tmp_path / "a.pcap", one_direction("client")))
    assert sent_frames(frames) == [("client", asked(number)) for number in (1, 2, 3)]
    assert rules_broken(frames) == set()


def test_wrong_size_of_a_client_alone_is_found(tmp_path: Path) -> None:
    conversation = Conversation().open()
    conversation.packets.pop()
    conversation.ask(asked(1))
    conversation.ask(bytes.fromhex("ffffffff0012"))
    frames, _ = imported(write_pcap(tmp_path / "a.pcap", conversation.packets))
    assert rules_broken(frames) == {"frame.size"}


def test_wrong_answer_is_found_beside_a_connection_of_one_direction(tmp_path: Path) -> None:
    whole = Conversation(("127.0.0.1", 40_001)).open()
    whole.ask(asked(1))
    whole.answer(answered(70))
    path = write_pcap(tmp_path / "a.pcap", [*one_direction("server"), *whole.packets])
    frames, troubles = imported(path)
    assert rules_broken(frames) == {"header.correlation-id"}
    assert "3 responses" in "".join(troubles)
