"""Files of packets with gaps, by the tools of Wireshark, with every whole frame found and nobody accused.

`packets/whole.pcap` has 80 frames of two clients with one address, in 204 packets. The others are made of it:

    tshark -Y "tcp.dstport==9092" -w requests-alone.pcap        (responses-alone: tcp.srcport)
    editcap -r whole.pcap middle.pcap 40-400
    editcap whole.pcap lost.pcap 30 51 52 77 90 120 150
    editcap -s 154 whole.pcap snaplen.pcap                      100 bytes of TCP in each packet
    mergecap -w out-of-order.pcap odd.pcap even-2.5-ms-later.pcap
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.live.capture.exchanges import imported, rules_broken, sent_frames

PACKETS = Path(__file__).parent / "packets"

WHOLE = {
    "whole": (40, 40),
    "out-of-order": (40, 40),
    "middle": (37, 37),
    "lost": (37, 34),
    "requests-alone": (40, 0),
    "responses-alone": (0, 0),
    "snaplen": (36, 10),
}
"""The requests, and the responses to them, of which all bytes are in a file."""


@pytest.mark.parametrize("name", WHOLE)
def test_whole_frames_are_found_and_no_others(name: str) -> None:
    frames, _ = imported(PACKETS / f"{name}.pcap")
    assert Counter(frame.sender for frame in frames) == Counter(client=WHOLE[name][0], server=WHOLE[name][1])
    everything, _ = imported(PACKETS / "whole.pcap")
    assert Counter(sent_frames(frames)) <= Counter(sent_frames(everything))


@pytest.mark.parametrize("name", WHOLE)
def test_gap_breaks_no_rule(name: str) -> None:
    frames, _ = imported(PACKETS / f"{name}.pcap")
    assert rules_broken(frames) == set()
