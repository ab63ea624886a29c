"""Packets become the frames that client and server wrote; what is missing is named, and accuses nobody."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from conformance.live.judging.definitions import Definitions
from conformance.live.packets.extra import BadPackets
from conformance.live.packets.importing import PacketImport, open_traffic
from conformance.live.traffic.capture import Frame, Header, read_capture, write_capture
from conformance.live.traffic.judgement import Judgement
from tests.live.packets.wire import (
    CLIENT,
    ETHERNET,
    LOOPBACK,
    MODULUS,
    RAW,
    SLL,
    SLL2,
    START,
    Talk,
    write_pcap,
    write_pcapng,
)
from tests.live.traffic.broker import API_VERSIONS, METADATA, RELEASE, SIZE, request, response
from tests.live.traffic.test_sessions import SESSIONS

if TYPE_CHECKING:
    from pathlib import Path

DEFINITIONS = Definitions.beginning_with(RELEASE)
LONG = "topic-of-a-name-that-takes-some-bytes-" * 5


def asked(number: int) -> bytes:
    """Return a request of Metadata, its size included."""
    return request(METADATA, 12, number, client=LONG)


def answered(number: int) -> bytes:
    """Return the response to it."""
    return response(METADATA, 12, number, ClusterId=LONG)


def imported(path: Path, *ports: int) -> tuple[list[Frame], list[str]]:
    """Return the frames in a file of packets, and what could not be read."""
    packets = PacketImport(path, DEFINITIONS, ports or (9092,))
    return list(packets.frames()), packets.troubles


def said(frames: list[Frame]) -> list[tuple[str, bytes]]:
    """Return who wrote what, sizes included."""
    return [(frame.sender, len(frame.payload).to_bytes(SIZE) + frame.payload) for frame in frames]


def rules_broken(frames: list[Frame]) -> set[str]:
    """Return the rules that a judgement on the frames finds broken."""
    judgement = Judgement(DEFINITIONS)
    for _ in judgement.take_all(frames):
        pass
    judgement.close()
    return {violation.rule for violation, _, _ in judgement.results.violations}


def exchange(*numbers: int) -> list[tuple[str, bytes]]:
    """Return requests of these correlation ids, each followed by its response."""
    return [pair for number in numbers for pair in (("client", asked(number)), ("server", answered(number)))]


def talk_of(*numbers: int, talk: Talk | None = None) -> Talk:
    """Return a connection with these requests and responses, a segment each."""
    talk = (talk or Talk()).open()
    for number in numbers:
        talk.ask(asked(number))
        talk.answer(answered(number))
    return talk


def test_each_frame_is_as_it_was_written(tmp_path: Path) -> None:
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", talk_of(1, 2).close().packets))
    assert said(frames) == exchange(1, 2)
    assert [round(frame.at, 3) for frame in frames] == [0.002, 0.003, 0.004, 0.005]
    assert [frame.number for frame in frames] == [1, 2, 3, 4]
    assert troubles == []


@pytest.mark.parametrize("link", [ETHERNET, RAW, SLL, SLL2, LOOPBACK])
def test_packets_of_every_common_link_are_read(tmp_path: Path, link: int) -> None:
    path = write_pcap(tmp_path / "a.pcap", talk_of(1).packets, link=link)
    assert said(imported(path)[0]) == exchange(1)


def test_ipv6_is_read(tmp_path: Path) -> None:
    talk = talk_of(1, talk=Talk(("::1", 40_000), ("::1", 9092)))
    assert said(imported(write_pcap(tmp_path / "a.pcap", talk.packets))[0]) == exchange(1)


def test_each_interface_of_pcapng_has_its_own_link_and_clock(tmp_path: Path) -> None:
    path = write_pcapng(tmp_path / "a.pcapng", talk_of(1, 2).packets, (ETHERNET, RAW))
    frames, troubles = imported(path)
    assert said(frames) == exchange(1, 2)
    assert [round(frame.at, 3) for frame in frames] == [0.002, 0.003, 0.004, 0.005]
    assert troubles == []


def test_a_frame_in_many_segments_and_many_frames_in_one(tmp_path: Path) -> None:
    talk = Talk().open()
    for at in range(len(asked(1))):
        talk.ask(asked(1)[at : at + 1])
    talk.ask(asked(2) + asked(3))
    talk.answer(answered(1) + answered(2) + answered(3))
    frames, _ = imported(write_pcap(tmp_path / "a.pcap", talk.packets))
    assert [pair for pair in said(frames) if pair[0] == "client"] == [("client", asked(n)) for n in (1, 2, 3)]
    assert [pair for pair in said(frames) if pair[0] == "server"] == [("server", answered(n)) for n in (1, 2, 3)]


def test_what_is_sent_again_is_taken_once(tmp_path: Path) -> None:
    talk = Talk().open()
    first = talk.ask(asked(1))
    talk.repeat(first)
    talk.answer(answered(1))
    talk.ask(asked(2))
    talk.repeat(first)
    talk.answer(answered(2))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", talk.packets))
    assert said(frames) == exchange(1, 2)
    assert troubles == []


def test_a_segment_that_overlaps_the_one_before_adds_what_is_new(tmp_path: Path) -> None:
    whole = asked(1)
    talk, again = Talk().open(), Talk().open()
    talk.ask(whole[:50])
    talk.lose(whole[50:])
    talk.repeat(again.lose(whole))
    talk.answer(answered(1))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", talk.packets))
    assert said(frames) == exchange(1)
    assert troubles == []


def test_segments_out_of_order_are_put_in_order(tmp_path: Path) -> None:
    talk, whole = Talk().open(), asked(1) + asked(2)
    late = talk.lose(whole[:30])
    later = talk.lose(whole[30:200])
    talk.ask(whole[200:])
    talk.repeat(later)
    talk.repeat(late)
    talk.answer(answered(1))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", talk.packets))
    assert said(frames) == [("client", asked(1)), ("client", asked(2)), ("server", answered(1))]
    assert troubles == []


def test_a_response_that_was_captured_before_its_request_comes_after_it(tmp_path: Path) -> None:
    talk = Talk().open()
    late = talk.lose(asked(1))
    talk.answer(answered(1))
    talk.repeat(late)
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", talk.packets))
    assert said(frames) == exchange(1)
    assert troubles == []


def test_sequence_numbers_begin_anew_at_their_end(tmp_path: Path) -> None:
    talk = talk_of(1, 2, 3, talk=Talk(first=(MODULUS - 300, MODULUS - 1)))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", talk.packets))
    assert said(frames) == exchange(1, 2, 3)
    assert troubles == []


def test_a_lost_segment_of_the_client_is_named_and_what_follows_is_read(tmp_path: Path) -> None:
    talk = talk_of(1)
    talk.ask(asked(2)[:40])
    talk.lose(asked(2)[40:])
    talk.answer(answered(2))
    talk.ask(asked(3))
    talk.answer(answered(3))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", talk.packets))
    assert said(frames) == exchange(1, 3)
    assert rules_broken(frames) == set()
    lost = len(asked(2)) - 40
    name = "connection 1 (127.0.0.1:40000 to 127.0.0.1:9092): "
    assert troubles == [
        f"{name}{lost:,} bytes of the client are not in the capture",
        f"{name}40 bytes of the client are not cut into frames",
        f"{name}1 responses are left out, whose requests are not in the capture",
    ]


def test_a_lost_segment_of_the_server_is_named_and_accuses_nobody(tmp_path: Path) -> None:
    talk = talk_of(1)
    talk.ask(asked(2))
    talk.lose(answered(2), of_server=True)
    talk.ask(asked(3))
    talk.answer(answered(3))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", talk.packets))
    assert said(frames) == [*exchange(1), ("client", asked(2)), *exchange(3)]
    assert rules_broken(frames) == set()
    assert f"{len(answered(2)):,} bytes of the server are not in the capture" in "".join(troubles)


def test_a_capture_from_the_middle_begins_with_the_first_frame(tmp_path: Path) -> None:
    talk = talk_of(1, 2, 3)
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", talk.packets[3:]))
    assert said(frames) == exchange(2, 3)
    assert rules_broken(frames) == set()
    assert sum("the beginning of what" in trouble for trouble in troubles) == 2


def test_a_capture_from_inside_of_a_frame_begins_with_the_next_one(tmp_path: Path) -> None:
    talk = Talk().open()
    for segment in (asked(1)[:20], asked(1)[20:]):
        talk.ask(segment)
    talk.answer(answered(1))
    talk.ask(asked(2))
    talk.answer(answered(2))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", talk.packets[3:]))
    assert said(frames) == exchange(2)
    assert rules_broken(frames) == set()
    assert f"{len(asked(1)) - 20:,} bytes of the client are not cut into frames" in "".join(troubles)


def test_packets_that_were_cut_at_the_capture_are_gaps(tmp_path: Path) -> None:
    talk = Talk().open()
    talk.ask(asked(1))
    talk.answer(answered(1))
    talk.ask(request(API_VERSIONS, 0, 2, client=None))
    path = write_pcap(tmp_path / "a.pcap", talk.packets, snapshot=120)
    frames, troubles = imported(path)
    assert said(frames) == [("client", request(API_VERSIONS, 0, 2, client=None))]
    assert "bytes of the client are not in the capture" in "".join(troubles)


def test_tls_is_named(tmp_path: Path) -> None:
    talk = Talk().open()
    talk.ask(bytes.fromhex("160301020001000100"))
    talk.answer(bytes.fromhex("160303007a020000"))
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", talk.packets))
    assert frames == []
    assert troubles == ["connection 1 (127.0.0.1:40000 to 127.0.0.1:9092): TLS, which cannot be read"]


def test_connections_of_one_pair_of_ports_are_told_apart(tmp_path: Path) -> None:
    first, second = talk_of(1).close(), talk_of(7, talk=Talk(first=(90_000, 70_000)))
    packets = [*first.packets, *((at + 1, packet) for at, packet in second.packets)]
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", packets))
    assert [frame.connection for frame in frames] == [1, 1, 2, 2]
    assert said(frames) == exchange(1, 7)
    assert troubles == []


def test_a_frame_that_is_cut_by_the_end_of_the_connection_is_a_rest(tmp_path: Path) -> None:
    talk = talk_of(1)
    talk.ask(asked(2)[:30])
    frames, _ = imported(write_pcap(tmp_path / "a.pcap", talk.close().packets))
    assert (frames[-1].is_rest, frames[-1].payload) == (True, asked(2)[:30])


def test_a_size_that_cannot_be_is_found_as_on_a_proxy(tmp_path: Path) -> None:
    talk = talk_of(1)
    talk.ask(bytes.fromhex("ffffffff0012"))
    frames, _ = imported(write_pcap(tmp_path / "a.pcap", talk.close().packets))
    assert rules_broken(frames) == {"frame.size"}


def test_other_ports_are_counted_and_can_be_named(tmp_path: Path) -> None:
    path = write_pcap(tmp_path / "a.pcap", talk_of(1, talk=Talk(CLIENT, ("127.0.0.1", 29_092))).packets)
    with pytest.raises(BadPackets, match="has no connection to port 9092: name the server's port"):
        imported(path)
    assert said(imported(path, 29_092)[0]) == exchange(1)


def test_other_packets_are_counted_by_kind(tmp_path: Path) -> None:
    talk = talk_of(1)
    fragment = bytearray(talk.packets[2][1])
    fragment[6] |= 0x20
    packets = [*talk.packets, (START, bytes(fragment)), (START, talk.packets[0][1][:30])]
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", packets))
    assert said(frames) == exchange(1)
    assert troubles == ["1 packets fragments of IP, which are not put together", "1 packets not of TCP"]


def test_a_file_that_ends_inside_of_a_packet_is_read_up_to_there(tmp_path: Path) -> None:
    path = write_pcapng(tmp_path / "a.pcapng", talk_of(1, 2).packets, (ETHERNET,))
    path.write_bytes(path.read_bytes()[:-20])
    frames, troubles = imported(path)
    assert said(frames) == [*exchange(1), ("client", asked(2))]
    assert "ends inside of a packet" in "".join(troubles)


def test_a_compressed_file_is_an_error_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.pcap.gz"
    path.write_bytes(gzip.compress(b"packets"))
    with pytest.raises(BadPackets, match="compressed by gzip: unpack it first"):
        imported(path)


def test_secrets_are_not_in_the_frames(tmp_path: Path) -> None:
    talk = Talk().open()
    talk.ask(request(36, 1, 1, AuthBytes=b"\0user\0secret"))
    frames, _ = imported(write_pcap(tmp_path / "a.pcap", talk.packets))
    assert len(frames) == 1
    assert b"secret" not in frames[0].payload


def test_a_capture_is_opened_as_before(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_capture(path, Header(), [Frame(1, "client", 0.0, asked(1)[SIZE:])])
    assert said(list(open_traffic(path, DEFINITIONS).frames)) == [("client", asked(1))]


@pytest.mark.parametrize("name", ["sarama", "kafka-clients"])
def test_a_session_of_a_client_is_the_same_through_packets(tmp_path: Path, name: str) -> None:
    original = [frame for frame in read_capture(SESSIONS / f"{name}.jsonl").frames if not (frame.cut or frame.is_rest)]
    talks: dict[int, Talk] = {}
    packets = []
    for frame in original:
        if frame.connection not in talks:
            talks[frame.connection] = Talk(("127.0.0.1", 40_000 + frame.connection)).open()
            packets += talks[frame.connection].packets
        talk, data = talks[frame.connection], len(frame.payload).to_bytes(SIZE) + frame.payload
        for at in range(0, len(data), 1400):
            (talk.ask if frame.sender == "client" else talk.answer)(data[at : at + 1400])
            packets.append(talk.packets[-1])
    frames, troubles = imported(write_pcap(tmp_path / "a.pcap", packets))
    assert [(frame.sender, frame.payload) for frame in frames] == [(each.sender, each.payload) for each in original]
    assert troubles == []
