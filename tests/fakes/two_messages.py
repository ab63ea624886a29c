"""The reference with two messages only, for a short reply to hello."""

from types import SimpleNamespace

from conformance.adapters import reference

FRAMES = ("encode_frame", "decode_frame", "header_version")
OFFERED = ("encode", "decode", "size", "encode_primitive", "decode_primitive", *FRAMES, "rejections")

adapter = SimpleNamespace(
    name="example",
    version="1.0",
    capabilities=frozenset({"unknown-tags"}),
    supported=lambda: {"ApiVersionsRequest": [0, 3], "HeartbeatResponse": [0, 1]},
    **{name: getattr(reference, name) for name in OFFERED},
)
