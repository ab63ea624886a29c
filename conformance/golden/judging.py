"""Judging a vector again: what a file says of some bytes against what the reference says of them now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.golden.frames import frame_verdict
from conformance.golden.lines import verdict_of
from conformance.golden.primitives import primitive_verdict
from conformance.golden.stored import stored_verdict
from reference import CodecError, encode, from_json, load_release

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import MessageSchema

Json = dict[str, Any]


def judgement_problems(path: str, version: int, vector: Json) -> Iterator[str]:
    """What the reference says otherwise of a vector.

    Args:
        path: of the file.
        version: of the message.
        vector: one of its vectors, sound by the schema.
    """
    wire = bytes.fromhex(vector["wire"])
    first, *rest = path.removesuffix(".json").split("/")
    if first == "primitives":
        expected = primitive_verdict(rest[0], wire)
    elif rest[0] == "frames":
        expected = frame_verdict(first, rest[1], version, wire)
    elif rest[0] == "stored":
        expected = stored_verdict(first, rest[1], version, wire)
    else:
        schema = load_release(first).schema(rest[1], version)
        expected = verdict_of(first, schema, wire)
        yield from _written_otherwise(schema, vector)
    for key in ("result", "reason", "offset", "path", "value", "canonical", "observed"):
        if vector.get(key) != expected.get(key):
            yield f"{key} is {vector.get(key)!r:.80}; the reference says {expected.get(key)!r:.80}"
    missing = [flag for flag in expected["flags"] if flag not in vector["flags"]]
    if missing:
        yield f"lacks the flags {', '.join(missing)}"


def _written_otherwise(schema: MessageSchema, vector: Json) -> Iterator[str]:
    """Values that are not written as the vector says."""
    for key, written in (("value", vector.get("canonical", vector["wire"])), ("given", vector["wire"])):
        if key not in vector:
            continue
        try:
            wire = encode(schema, from_json(schema, vector[key])).hex()
        except CodecError as error:
            yield f"{key} cannot be written: {error}"
        else:
            if wire != written:
                yield f"{key} is written as {wire:.80}"
