"""Connections for tests, and the results of their import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.definitions.defining_releases import Definitions
from conformance.live.capture.capture import CapturedFrame
from conformance.live.capture.capture_judgement import CaptureJudge, CaptureSubject
from conformance.live.capture.packet_files import PacketImport
from tests.live.capture.broker import METADATA, RELEASE, SIZE, request, response
from tests.live.capture.wire import Conversation

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


def imported(path: Path, *ports: int) -> tuple[list[CapturedFrame], list[str]]:
    """Return the frames in a file of packets, and the troubles of reading it."""
    packets = PacketImport(path, DEFINITIONS, ports or (9092,))
    return list(packets.frames()), packets.troubles


def sent_frames(frames: list[CapturedFrame]) -> list[tuple[str, bytes]]:
    """Return sender and bytes of each frame, sizes included."""
    return [(frame.sender, len(frame.payload).to_bytes(SIZE) + frame.payload) for frame in frames]


def rules_broken(frames: list[CapturedFrame]) -> set[str]:
    """Return the broken rules of the frames, as judged."""
    judgement = CaptureJudge(CaptureSubject("", DEFINITIONS))
    for _ in judgement.take_all(frames):
        pass
    judgement.close()
    return {violation.rule for violation, _, _ in judgement.results.violations}


def exchange(*numbers: int) -> list[tuple[str, bytes]]:
    """Return requests of these correlation ids, each followed by its response."""
    return [pair for number in numbers for pair in (("client", asked(number)), ("server", answered(number)))]


def conversation_of(*numbers: int, conversation: Conversation | None = None) -> Conversation:
    """Return a connection with these requests and responses, a segment each."""
    conversation = (conversation or Conversation()).open()
    for number in numbers:
        conversation.ask(asked(number))
        conversation.answer(answered(number))
    return conversation
