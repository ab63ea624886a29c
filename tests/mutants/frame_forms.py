"""Frames in forms that are wrong in one way, and how to get the sound ones back."""

import struct
from dataclasses import dataclass

from reference import FrameDirection, Malformed, MessageSchema, Reason

SIZE = struct.Struct(">i")


@dataclass(frozen=True)
class Around:
    """What is known of a frame before its bytes are looked at."""

    direction: FrameDirection
    api_key: int
    api_version: int
    header: MessageSchema
    client_id: str | None = None
    """Of a frame that is written."""


def framed(payload: bytes) -> bytes:
    return SIZE.pack(len(payload)) + payload


def refuse() -> Malformed:
    """What a reader raises that does not find what it expects."""
    return Malformed("frame.size", Reason.TRUNCATED, 0, "size")


def same(frame: bytes, _around: Around) -> bytes:
    return frame


def size_counts_itself(frame: bytes, _around: Around) -> bytes:
    """The size counts its own four bytes (rule 5.10)."""
    return SIZE.pack(len(frame)) + frame[4:]


def size_does_not_count_itself(frame: bytes, _around: Around) -> bytes:
    """The other way round: what a reader makes of such a frame."""
    end = SIZE.unpack(frame[:4])[0]
    if not 4 <= end <= len(frame):
        raise refuse()
    return framed(frame[4:end])


def size_too_low(frame: bytes, _around: Around) -> bytes:
    return SIZE.pack(len(frame) - 8) + frame[4:]


def size_raised(frame: bytes, _around: Around) -> bytes:
    end = SIZE.unpack(frame[:4])[0] + 8
    if not 4 <= end <= len(frame):
        raise refuse()
    return framed(frame[4:end])


def size_ignored(frame: bytes, _around: Around) -> bytes:
    """Everything that is there is read, whatever the size says."""
    return framed(frame[4:])


def missing_zeros(frame: bytes, _around: Around) -> bytes:
    """A frame that ends too early is read as if zeros followed."""
    return framed(frame[4:] + b"\0" * 12) if frame == framed(frame[4:]) and len(frame) < 12 else frame


def header_tags_refused(frame: bytes, around: Around) -> bytes:
    at = section_at(frame, around)
    if around.header.flexible and frame[at : at + 1] != b"\0":
        raise refuse()
    return frame


def compact_client_id(frame: bytes, around: Around) -> bytes:
    """The client id of a request has a compact length (rule 5.5)."""
    if around.direction != "request":
        return frame
    length = struct.unpack(">h", frame[12:14])[0]
    return framed(frame[4:12] + varint(length + 1) + frame[14:])


def legacy_client_id(frame: bytes, around: Around) -> bytes:
    if around.direction != "request":
        return frame
    if len(frame) < 14:
        raise refuse()
    width = 2 if frame[12] >= 0x80 else 1
    length = (frame[12] & 0x7F | (frame[13] << 7 if width == 2 else 0)) - 1
    return framed(frame[4:12] + struct.pack(">h", length) + frame[12 + width :])


def without_client_id(frame: bytes, around: Around) -> bytes:
    return framed(frame[4:12] + frame[client_id_end(frame) :]) if around.direction == "request" else frame


def with_client_id(frame: bytes, around: Around) -> bytes:
    return framed(frame[4:12] + b"\xff\xff" + frame[12:]) if around.direction == "request" else frame


def section_at(frame: bytes, around: Around) -> int:
    """Where the tag section of a flexible header is, or would be."""
    return client_id_end(frame) if around.direction == "request" else 8


def section_missing(frame: bytes, around: Around) -> bytes:
    """The header of a flexible message has no tag section."""
    at = section_at(frame, around)
    return framed(frame[4:at] + frame[at + 1 :]) if around.header.flexible else frame


def section_added(frame: bytes, around: Around) -> bytes:
    at = section_at(frame, around)
    return framed(frame[4:at] + b"\0" + frame[at:]) if around.header.flexible else frame


def section_behind(frame: bytes, around: Around) -> bytes:
    """The tag section of a header stands behind the body."""
    return framed(section_missing(frame, around)[4:] + b"\0") if around.header.flexible else frame


def section_in_front(frame: bytes, around: Around) -> bytes:
    if not around.header.flexible:
        return frame
    if frame[-1:] != b"\0":
        raise refuse()
    return section_added(framed(frame[4:-1]), around)


def api_versions_section(frame: bytes, around: Around) -> bytes:
    """A response to ApiVersions has the header of any flexible response (rule 5.2)."""
    is_lie = (around.direction, around.api_key) == ("response", 18) and around.api_version > 2
    return framed(frame[4:8] + b"\0" + frame[8:]) if is_lie else frame


def no_api_versions_section(frame: bytes, around: Around) -> bytes:
    is_lie = (around.direction, around.api_key) == ("response", 18) and around.api_version > 2
    return framed(frame[4:8] + frame[9:]) if is_lie else frame


def oldest_header_with_client_id(frame: bytes, around: Around) -> bytes:
    """A request with header 0 has a client id (rule 5.1)."""
    if around.header.version != 0:
        return frame
    client_id = b"\xff\xff" if around.client_id is None else struct.pack(">h", len(around.client_id.encode()))
    return framed(frame[4:12] + client_id + (around.client_id or "").encode() + frame[12:])


def oldest_header_without_client_id(frame: bytes, around: Around) -> bytes:
    return framed(frame[4:12] + frame[client_id_end(frame) :]) if around.header.version == 0 else frame


def client_id_end(frame: bytes) -> int:
    if len(frame) < 14:
        raise refuse()
    return 14 + max(int.from_bytes(frame[12:14], signed=True), 0)


def varint(number: int) -> bytes:
    return bytes([number]) if number < 0x80 else bytes([number & 0x7F | 0x80, number >> 7])
