"""The reference with two messages only, so that its reply to hello is short."""

from conformance.adapters.reference import (
    decode,
    decode_frame,
    decode_primitive,
    encode,
    encode_frame,
    encode_primitive,
    header_version,
    rejections,
    size,
)

__all__ = [
    "decode",
    "decode_frame",
    "decode_primitive",
    "encode",
    "encode_frame",
    "encode_primitive",
    "header_version",
    "rejections",
    "size",
]

name = "example"
version = "1.0"
capabilities = frozenset({"unknown-tags"})


def supported() -> dict[str, list[int]]:
    return {"ApiVersionsRequest": [0, 3], "HeartbeatResponse": [0, 1]}
