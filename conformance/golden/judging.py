"""Judging a vector again: what a file says of some bytes against what the reference says of them now."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from conformance.golden.frames import frame_verdict
from conformance.golden.lines import verdict_of
from conformance.golden.location import home_of
from conformance.golden.primitives import primitive_verdict
from conformance.golden.stored import stored_verdict
from reference import CodecError, encode, from_json, load_release

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import MessageSchema

Json = dict[str, Any]
PRIMITIVES = "primitives/"
BODIES = ("messages", "headers")
"""The folders whose vectors are bodies of messages."""


def judgement_problems(path: str, version: int, vector: Json) -> Iterator[str]:
    """What the reference says otherwise of a vector.

    Args:
        path: of the file.
        version: of the message.
        vector: one of its vectors, sound by the schema.
    """
    wire = bytes.fromhex(vector["wire"])
    expected = _expected(path, version, wire)
    if _is_message(path):
        yield from _written_otherwise(_schema(path, version), vector)
    for key in ("result", "reason", "offset", "path", "value", "canonical", "observed"):
        if vector.get(key) != expected.get(key):
            yield f"{key} is {vector.get(key)!r:.80}; the reference says {expected.get(key)!r:.80}"
    missing = [flag for flag in expected["flags"] if flag not in vector["flags"]]
    if missing:
        yield f"lacks the flags {', '.join(missing)}"


def _is_message(path: str) -> bool:
    return not path.startswith(PRIMITIVES) and home_of(path).section in BODIES


def _schema(path: str, version: int) -> MessageSchema:
    home = home_of(path)
    return load_release(home.release).schema(home.message, version)


def _expected(path: str, version: int, wire: bytes) -> Json:
    """What the reference says of some bytes."""
    if path.startswith(PRIMITIVES):
        return primitive_verdict(PurePosixPath(path).stem, wire)
    home = home_of(path)
    if home.section in BODIES:
        return verdict_of(home.release, _schema(path, version), wire)
    around = frame_verdict if home.section == "frames" else stored_verdict
    return around(home.release, home.message, version, wire)


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
