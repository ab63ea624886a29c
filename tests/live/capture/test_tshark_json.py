"""Packets as tshark prints them in JSON give the same frames as the pcap.

The files are tshark 4.0.17's output for the packets of `conversation_of(1, 2)`, by `-T json -j "frame ip tcp"` and by
`-T ek`, with the same layers.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.live.capture.packet_segments import BadPackets
from conformance.live.capture.tshark_json import has_tshark_json, segments_in
from tests.live.capture.exchanges import exchange, imported, sent_frames
from tests.live.capture.test_sessions import SESSIONS

TSHARK = Path(__file__).parent / "tshark"
FILES = ("two.json", "two.ek")


@pytest.mark.parametrize("name", FILES)
def test_frames_are_those_of_the_pcap(name: str) -> None:
    frames, troubles = imported(TSHARK / name)
    assert sent_frames(frames) == exchange(1, 2)
    assert troubles == []


def test_other_json_is_no_capture_of_tshark() -> None:
    assert not any(has_tshark_json(path) for path in SESSIONS.glob("*.jsonl"))


@pytest.mark.parametrize(
    ("content", "error"),
    [
        ('[{"_source": {"layers": {"tcp": {}, "ip": {}}}}]', "packet 1: no packet of tshark's JSON"),
        ('[{"_source": ', "no packet of tshark's JSON"),
    ],
)
def test_damaged_json_is_an_error_with_the_number_of_the_packet(tmp_path: Path, content: str, error: str) -> None:
    path = tmp_path / "packets.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(BadPackets, match=error):
        list(segments_in(path))
