"""Stored messages, made of values after valid prefixes, and bytes without such a message."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from conformance.generate.drawn_values import sample, unknown_tags
from conformance.generate.edge_values import populated
from conformance.generate.origin import CaseOrigin, CasePart
from conformance.generate.tampering import mistakable_numbers, mistakable_varints, share_of, tamperings
from reference import TAGS, MessageSchema, Release, encode_record, minimal
from reference.wire.varints import unsigned_varint

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.targets.target import Contents, Damages
    from reference import Span

OF_ANOTHER_LOG = "record-of-another-log"
"""The part before the message of another log's record."""
HEAD = "head"
"""The base of a stored message with a changed number before its body."""
SAMPLES = 3
"""The number of random values of each message."""
CASTS = (127, 128, 255, 256)
"""Types around the ends of a byte, with a sign and without."""

NUMBERS = {
    "truncated": "",
    "cut": "80",
    "0": "00",
    "2": "02",
    "overlong-1": "8100",
    "32767": "ffff01",
    "32768": "808002",
    "65536": "808004",
    "65537": "818004",
    "highest": "ffffffff07",
    "lowest": "8080808008",
    "negative-1": "8180808008",
    "minus-one": "ffffffff0f",
    "excess-bits-1": "8180808010",
    "six-bytes": "818080808000",
}
"""The replacements of a number before a record; `negative-1` is one whose low 16 bits are 1."""


def stored_values(schema: MessageSchema) -> Contents:
    """Yield the smallest value, one with an unknown tagged field, the populated one, and a few random ones."""
    yield CaseOrigin("smallest"), minimal(schema)
    if schema.flexible:
        yield CaseOrigin("unknown-tag"), {**minimal(schema), TAGS: [(unknown_tags(schema.struct)[0], b"\xca\xfe")]}
    yield CaseOrigin("populated"), populated(schema)
    for index in range(SAMPLES):
        yield CaseOrigin(f"sample-{index}"), sample(schema, f"stored/{index}")


def stored_damages(schema: MessageSchema, others: TypesOfOthers | None, wire: bytes, spans: Sequence[Span]) -> Damages:
    """Yield the changes of a stored message, with the types of other logs for a record."""
    if others is None:
        yield from chain(broken_prefixed(wire), head_damages(wire, spans))
        return
    yield from broken_records(wire, others.unknown)
    yield from ((CaseOrigin(name, OF_ANOTHER_LOG), data) for name, data in others.foreign)
    yield from share_of(schema, head_damages(wire, spans))


def head_damages(wire: bytes, spans: Sequence[Span]) -> Damages:
    """Yield a stored message with each number before its body changed in every way for numbers of its form."""
    for span in (each for each in spans if not each.path.startswith("body")):
        piece = wire[span.start : span.end]
        ways = tamperings(span, piece) if span.form == "varint" else mistakable_numbers(piece)
        for way, other in ways:
            origin = CaseOrigin(way, base=HEAD, place=str(span.start), rule=span.rule)
            yield origin, wire[: span.start] + other + wire[span.end :]


def broken_records(wire: bytes, types: Iterable[int]) -> Damages:
    """Yield a record with each number before it replaced, cut anywhere, or with bytes after it, by origin.

    Args:
        wire: the bytes of a valid record.
        types: types without a record in this log; they are written before the body of this record.
    """
    for place, part in enumerate(("frame-version", "type", "version")):
        for name, form in _other_numbers(wire[place]):
            yield CaseOrigin(name, part), wire[:place] + form + (wire[place + 1 :] if form else b"")
    for record_type in types:
        yield CaseOrigin(str(record_type), "unknown-type"), wire[:1] + unsigned_varint(record_type) + wire[2:]
    yield from _cut(wire)
    yield CaseOrigin("trailing-byte"), wire + b"\0"
    yield CaseOrigin("trailing-bytes"), wire + b"\1\2"


def _other_numbers(sound: int) -> Iterator[tuple[str, bytes]]:
    """Yield the bytes of other numbers, and other forms of the valid one, which is less than 128."""
    yield from ((name, bytes.fromhex(digits)) for name, digits in NUMBERS.items())
    yield from ((f"own-{way}", form) for way, form in mistakable_varints(sound))
    yield "highest-group-first", bytes([0x80, sound])


def _cut(wire: bytes) -> Damages:
    return ((CaseOrigin(str(end), CasePart.CUT, sign="/"), wire[:end]) for end in range(len(wire)))


class TypesOfOthers(NamedTuple):
    """The types without a record in a log."""

    unknown: tuple[int, ...]
    """Types in the holes of the list, after it up to a power of two, and at the ends of a byte."""
    foreign: tuple[tuple[str, bytes], ...]
    """The smallest records of another log's types, each with its message."""


@cache
def types_of_others(release: Release, source: str) -> TypesOfOthers:
    """Return the types without a record in the log of that source."""
    of_logs: dict[str, dict[int, str]] = {}
    for name in release.messages:
        definition = release.definition(name)
        if definition.kind == "metadata" and definition.api_key is not None:
            of_logs.setdefault(release.source(name), {})[definition.api_key] = name
    own = of_logs[source]
    foreign = {number: name for types in of_logs.values() for number, name in types.items() if number not in own}
    unknown = sorted({*range(2 ** max(own).bit_length() + 1), *CASTS} - {*own})
    return TypesOfOthers(tuple(unknown), tuple(_smallest(release, name) for name in foreign.values()))


def _smallest(release: Release, message: str) -> tuple[str, bytes]:
    schema = release.schema(message, release.definition(message).valid_versions.highest)
    return message, encode_record(schema, minimal(schema))


def broken_prefixed(wire: bytes) -> Damages:
    """Yield a prefixed message cut anywhere, with other prefixes, or before one more byte, by origin."""
    yield from _cut(wire)
    for prefix in ("7fff", "ffff", "8000"):
        yield CaseOrigin(prefix, "prefix"), bytes.fromhex(prefix) + wire[2:]
    yield CaseOrigin("trailing-byte"), wire + b"\0"
