"""The vectors of stored messages: coordinator keys and values, consumer protocol data, records of the metadata log.

The bodies have vectors of their own: here is what stands before them, an int16 or the three numbers of a record. What
is no record at all, of an unknown type or with something behind it, has no reason of the list, and no vector.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.checks.stored import is_stored
from conformance.generate.stored import broken_prefixed, broken_records
from conformance.golden.flags import flags_of_rules
from conformance.golden.slugs import slug
from conformance.implementation.targets import StoredForm
from reference import Malformed, MessageSchema, Result, encode_prefixed, encode_record, load_release, minimal, to_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reference import Release

Json = dict[str, Any]

LONGEST_CUT = 3
"""Bytes of the longest stored message that is cut: the vectors of bodies are cut everywhere."""


def stored_group(release: str, message: str, version: int) -> Json | None:
    """The vectors of one pair as it is stored; None if it is not stored behind anything."""
    source = load_release(release)
    schema = source.schema(message, version)
    if not is_stored(schema):
        return None
    return {"version": version, "flexible": schema.flexible, "vectors": list(_vectors(source, schema))}


def _vectors(release: Release, schema: MessageSchema) -> Iterator[Json]:
    write = encode_record if schema.stored_form == "record" else encode_prefixed
    smallest = write(schema, minimal(schema))
    sound = {"smallest": smallest}
    broken = dict(broken_records(smallest) if schema.stored_form == "record" else broken_prefixed(smallest))
    seen: set[bytes] = set()
    for flag, wires in (("Stored", sound), ("TamperedPrefix", broken)):
        for name, wire in wires.items():
            is_known = wire in seen or (name.startswith("cut/") and len(wire) > LONGEST_CUT)
            vector = None if is_known else _vector(release, schema, slug(name.replace("/", "-")), wire, flag)
            seen.add(wire)
            if vector is not None:
                yield vector


def _vector(release: Release, schema: MessageSchema, name: str, wire: bytes, flag: str) -> Json | None:
    """One stored message with its verdict; None where it has no reason, or where it is another message."""
    known = _verdict(release, schema, wire)
    if known["result"] == Result.UNSPECIFIED:
        return None
    flags = list(dict.fromkeys((flag, *known.pop("flags"))))
    return {"id": name, "result": known.pop("result"), "wire": wire.hex(), "flags": flags, **known}


def stored_verdict(release: str, message: str, version: int, wire: bytes) -> Json:
    """What a vector of a stored message says of its bytes: see `conformance.golden.lines.verdict_of`."""
    source = load_release(release)
    return _verdict(source, source.schema(message, version), wire)


def _verdict(release: Release, schema: MessageSchema, wire: bytes) -> Json:
    try:
        read = StoredForm(schema, release).read(wire)
    except Malformed as error:
        if error.reason is None:
            return {"result": str(Result.UNSPECIFIED), "flags": []}
        flags = list(flags_of_rules((error.rule,)))
        parts = {"reason": str(error.reason), "offset": error.offset, "path": error.path}
        return {"result": str(Result.INVALID), "flags": flags, **parts}
    if (read.message, read.version) != (schema.message, schema.version):
        return {"result": str(Result.UNSPECIFIED), "flags": []}
    return {"result": str(Result.VALID), "flags": [], "value": to_json(schema, read.value)}
