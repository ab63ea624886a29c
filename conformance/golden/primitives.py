"""The vectors of each wire type alone: what a codec in another language starts with."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from conformance.generate.edges import UNKNOWN_TAGS
from conformance.generate.primitives import SECTIONS, VARINTS
from conformance.golden.byte_cases import byte_cases
from conformance.golden.flags import flags_of_rules
from conformance.golden.identities import Depth
from conformance.golden.lines import Case, vectors_of, verdict_of, with_unique_ids
from conformance.golden.slugs import slug
from conformance.golden.value_cases import value_cases
from reference import TAGS, Malformed, MessageSchema, Primitive, Result, encode, newest_release, primitive
from reference.primitives import TAG_SECTION, VALUE
from reference.wire.varints import as_int32

if TYPE_CHECKING:
    from collections.abc import Iterator

Json = dict[str, Any]

_SECTION = MessageSchema(TAG_SECTION, 0, "data", None, flexible=True, fields=(), absent_fields=())
"""A message that is nothing but its tag section."""


def primitive_group(name: str) -> Json:
    """The vectors of one wire type, as one group of version 0.

    Raises:
        UnknownPrimitive: there is no such type.
    """
    each = primitive(name)
    if each.range is not None:
        vectors = list(_numbers(each))
    else:
        schema = each.schema or _SECTION
        key = VALUE if each.schema else TAGS
        vectors = [_alone(name, vector, key) for vector in vectors_of(newest_release(), schema, _cases(schema))]
    return {"version": 0, "flexible": False, "vectors": with_unique_ids(name, vectors)}


def _cases(schema: MessageSchema) -> Iterator[Case]:
    if schema is _SECTION:
        yield from _sections()
    yield from value_cases(schema, Depth.EVERYTHING)
    yield from byte_cases(schema, Depth.EVERYTHING)


def _sections() -> Iterator[Case]:
    """Every unknown tag at once, two hundred of them, and sections that announce more than they have."""
    everything = {"every-width": UNKNOWN_TAGS, "two-hundred": range(200)}
    for name, tags in everything.items():
        yield Case(slug(TAGS, name), encode(_SECTION, {TAGS: [(tag, b"") for tag in tags]}), ("UnknownTag",))
    for digits in filter(None, SECTIONS):
        yield Case(f"bytes-{digits}", bytes.fromhex(digits), ("TamperedTagSection",))


def _alone(name: str, vector: Json, key: str) -> Json:
    """A vector whose values are those of the one field, or the tag section, of a message."""
    if "value" in vector:
        vector["value"] = vector["value"].get(key, [])
    for observed in vector.get("observed", {}).values():
        if "value" in observed:
            observed["value"] = observed["value"].get(key, [])
    return {**vector, "observed": {_RUN: {"accepts": False}}} if _is_refused_alone(name, vector) else vector


def _numbers(each: Primitive) -> Iterator[Json]:
    """Variable-length numbers: both sides of every power of two, and bytes that are no sound number."""
    for number in _around_powers(*each.range or (0, 0)):
        yield _number(each, Case(slug("number", f"={number}"), each.encode(number), ("NumberEdge",)))
    for digits in VARINTS:
        yield _number(each, Case(slug("bytes", digits or "none"), bytes.fromhex(digits), ("TamperedNumber",)))


def _around_powers(lowest: int, highest: int) -> list[int]:
    bits = (highest - lowest).bit_length()
    near = {sign * (2**power) + step for power in range(bits) for sign in (1, -1) for step in (-1, 0)}
    return sorted(number for number in {*near, lowest, highest} if lowest <= number <= highest)


def primitive_verdict(name: str, wire: bytes) -> Json:
    """What a vector of a wire type says of its bytes: see `conformance.golden.lines.verdict_of`."""
    each = primitive(name)
    if each.range is not None:
        return _number_verdict(each, wire)
    return _alone(name, verdict_of(newest_release(), each.schema or _SECTION, wire), VALUE if each.schema else TAGS)


_RUN = f"apache-kafka-{newest_release()}"


def _is_refused_alone(name: str, known: Json) -> bool:
    """Whether Apache Kafka's classes for single wire types refuse what those of its messages read.

    They take no count of 2^31 and more for null in a compact array, and no tag that is not above the one before it,
    with a sign. `kafka-conformance prove` puts every vector to them.
    """
    observed = known.get("observed", {}).get(_RUN, {})
    if not observed.get("accepts"):
        return False
    if name == TAG_SECTION:
        tags = [-1, *(as_int32(tag) for tag, _ in observed["value"])]
        return any(after <= before for before, after in pairwise(tags))
    return name.startswith("compact-nullable-array") and "OtherNegativeNull" in known["flags"]


def _number(each: Primitive, case: Case) -> Json:
    known = _number_verdict(each, case.wire)
    flags = [*case.flags, *known.pop("flags")]
    return {"id": case.id, "result": known.pop("result"), "wire": case.wire.hex(), "flags": flags, **known}


def _number_verdict(each: Primitive, wire: bytes) -> Json:
    try:
        return {"result": str(Result.VALID), "flags": [], "value": each.to_json(each.decode(wire).value)}
    except Malformed as error:
        flags = list(flags_of_rules((error.rule,)))
        if error.reason is None:
            observed = {_RUN: _observed(each, wire)}
            return {"result": str(Result.UNSPECIFIED), "flags": flags, "observed": observed}
        parts = {"reason": str(error.reason), "offset": error.offset, "path": error.path}
        return {"result": str(Result.INVALID), "flags": flags, **parts}


def _observed(each: Primitive, wire: bytes) -> Json:
    try:
        read = each.decode_leniently(wire)
    except Malformed:
        return {"accepts": False}
    canonical = each.encode(read.value).hex()
    return {"accepts": True, "consumed": read.consumed, "value": each.to_json(read.value), "canonical": canonical}
