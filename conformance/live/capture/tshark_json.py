"""TCP segments in the JSON of tshark, as of `tshark -T json` and `tshark -T ek`.

Its objects have some names twice, as one for each address of a packet; the last one counts.
"""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

import msgspec

from conformance.live.address import Address
from conformance.live.capture.packet_segments import BadPackets, Segment
from reference.inputs.errors import BadInput
from reference.inputs.files import opened, read_lines, read_text

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = 4_096
SYN, FIN, RST, ACK = 0x02, 0x01, 0x04, 0x10


def has_tshark_json(path: Path) -> bool:
    """Return whether a file has packets as tshark's JSON, by its first bytes, or raise OSError."""
    with opened(path) as file:
        head = file.read(HEAD).lstrip()
    return (head.startswith(b"[") and b'"_source"' in head) or _is_ek(head)


def _is_ek(head: bytes) -> bool:
    return head.startswith((b'{"index"', b'{"timestamp"')) and b'"layers"' in head


def segments_in(path: Path) -> Iterator[Segment]:
    """Yield the segments of TCP in a file.

    Raises:
        BadPackets: it is damaged, or its packets have no payload, as those of `tshark -T json -j`.
        OSError: it cannot be read.
    """
    number = 0
    try:
        for layers in _packets(path):
            number += 1
            if "tcp" in layers and ("ip" in layers or "ipv6" in layers):
                yield _segment(layers)
    except BadInput as error:
        raise BadPackets(str(error)) from error
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError, msgspec.DecodeError) as error:
        raise BadPackets(f"{path}, packet {number}: no packet of tshark's JSON: {error!r}") from error


def _packets(path: Path) -> Iterator[dict[str, dict[str, Any]]]:
    """Yield the layers of each packet, with names as `tcp.srcport`."""
    with opened(path) as file:
        is_ek = _is_ek(file.read(HEAD).lstrip())
    if not is_ek:
        yield from (packet["_source"]["layers"] for packet in msgspec.json.decode(read_text(path)))
        return
    for line in (msgspec.json.decode(text) for _, text in read_lines(path) if text):
        if "layers" in line:
            yield {
                layer: _with_dots(layer, fields) for layer, fields in line["layers"].items() if isinstance(fields, dict)
            }


def _with_dots(layer: str, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a layer with names as `tcp.seq_raw` for `tcp_tcp_seq_raw`."""
    prefix = f"{layer}_{layer}_"
    return {name.replace(prefix, f"{layer}.", 1): value for name, value in fields.items()}


def _segment(layers: dict[str, dict[str, Any]]) -> Segment:
    """Raise KeyError, ValueError or TypeError for a field that is missing, or not as in tshark's output."""
    tcp, network = layers["tcp"], layers.get("ip") or layers["ipv6"]
    name = "ip" if "ip" in layers else "ipv6"
    flags = int(str(tcp["tcp.flags"]), 0)
    data = bytes.fromhex(str(tcp.get("tcp.payload", "")).replace(":", ""))
    at = float(layers["frame"]["frame.time_epoch"])
    if not isfinite(at):
        raise ValueError(f"a time of {at}")
    return Segment(
        at,
        Address(str(network[f"{name}.src"]), _within(tcp["tcp.srcport"], HIGHEST_PORT)),
        Address(str(network[f"{name}.dst"]), _within(tcp["tcp.dstport"], HIGHEST_PORT)),
        _within(tcp["tcp.seq_raw"], HIGHEST_SEQUENCE),
        _within(tcp["tcp.ack_raw"], HIGHEST_SEQUENCE) if flags & ACK else None,
        data,
        max(0, _within(tcp["tcp.len"], HIGHEST_SEQUENCE) - len(data)),
        *(bool(flags & bit) for bit in (SYN, FIN, RST)),
    )


HIGHEST_PORT, HIGHEST_SEQUENCE = 2**16 - 1, 2**32 - 1


def _within(text: Any, highest: int) -> int:
    number = int(text)
    if not 0 <= number <= highest:
        raise ValueError(f"{number} is not from 0 to {highest}")
    return number
