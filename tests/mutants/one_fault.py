"""`python -m tests.mutants.one_fault`: is each invalid input wrong in one thing?

An input shows one fault of a reader only if a reader with just that fault accepts the whole of it. Each input of the
suite, or each golden vector, is given to such a reader, chosen by the rule that the input breaks. The table counts
inputs, and those that are accepted, by rule and layout. A kind of which no input is accepted needs a reason.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import click

from conformance.codec.targets import Body, WireTypeTarget
from conformance.generate.clean_faults import PREFIXED
from conformance.generate.edge_values import Bases
from conformance.generate.refused_bytes import fields_at, invalid_bytes
from conformance.generate.structure import structural_tamperings
from conformance.vectors.enumeration.enumerate import group_of
from conformance.vectors.enumeration.pairs import base_release, pairs_of
from conformance.vectors.tree.vector_paths import PRIMITIVES
from reference import (
    TAGS,
    Malformed,
    Result,
    encode_with_spans,
    judge,
    load_release,
    primitive,
    primitives,
    releases,
)
from reference.codec import trace_message
from reference.protocols import wire_type_of
from reference.wire.stream import LenientReader
from reference.wire.varints import CONTINUES, unsigned_varint
from tests.helpers.sweeps import covering, every_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from conformance.codec.targets import Target
    from reference import FieldSchema, MessageSchema, Verdict
    from reference.errors import Reason
    from reference.paths import Path

MASK_32 = 2**32 - 1
MISSING = 64
"""Zeros that stand in for what is missing, at the most."""
HARMLESS = frozenset(("tag.explicit-default",))

REASONS: dict[tuple[str, str], str] = {}
"""Why no input of a kind can be wrong in one thing."""


class Kind(NamedTuple):
    """What an invalid input is wrong in."""

    rule: str
    layout: str
    """The type of the field, or `tag section`; empty where the input just ends."""


class OverlookingReader(LenientReader):
    """A reader that does not know one rule: what breaks it is read on."""

    def __init__(self, data: bytes, rule: str) -> None:
        super().__init__(data)
        self.rule = rule

    def malformed(  # type: ignore[override]  # a sound reader does not return
        self, rule: str, reason: Reason, offset: int, path: Path, detail: str = ""
    ) -> None:
        """Go on if it is the rule."""
        if rule != self.rule:
            super().malformed(rule, reason, offset, path, detail)


def is_accepted(schema: MessageSchema, wire: bytes, verdict: Verdict) -> bool:
    """Return whether a reader with the one fault that the verdict names accepts the whole input."""
    readers = _READERS.get(verdict.rules[-1], (_overlooking,))
    return any(reader(schema, wire, verdict) for reader in readers)


def _overlooking(schema: MessageSchema, wire: bytes, verdict: Verdict) -> bool:
    reader = OverlookingReader(wire, verdict.rules[-1])
    try:
        wire_type_of(schema).read(reader)
    except Malformed:
        return False
    return reader.tell() == reader.size and HARMLESS.issuperset(deviation.rule for deviation in reader.deviations)


def _padding(schema: MessageSchema, wire: bytes, verdict: Verdict) -> bool:
    """Take what is missing for zeros."""
    return any(_is_valid(schema, wire + bytes(count)) for count in range(1, MISSING))


def _of_any_width(schema: MessageSchema, wire: bytes, verdict: Verdict) -> bool:
    """Read varints of any number of bytes."""
    return _is_valid(schema, with_shortest(wire, verdict.offset or 0))


def with_shortest(wire: bytes, start: int) -> bytes:
    """Return bytes with the shortest form of the varint from `start` on, of its lowest 32 bits."""
    end = _end_of_varint(wire, start)
    number = sum((byte & 0x7F) << 7 * index for index, byte in enumerate(wire[start:end]))
    return wire[:start] + unsigned_varint(number & MASK_32) + wire[end:]


def _end_of_varint(wire: bytes, start: int) -> int:
    return next((index for index in range(start, len(wire)) if wire[index] < CONTINUES), len(wire)) + 1


def _unsigned(schema: MessageSchema, wire: bytes, verdict: Verdict) -> bool:
    """Take the length of a text for a number without a sign."""
    start = verdict.offset or 0
    end = start + 2 + int.from_bytes(wire[start : start + 2], "big")
    return end <= len(wire) and _is_valid(schema, wire[:start] + b"\0\x01a" + wire[end:])


def _stopping(schema: MessageSchema, wire: bytes, verdict: Verdict) -> bool:
    """Take an array that ends the message for ended where the input is."""
    start = verdict.offset or 0
    compact = _field(schema, verdict.path).compact
    end = _end_of_varint(wire, start) if compact else start + 4
    for count in (0, 1):
        whole = wire[:start] + (bytes([1 + count]) if compact else bytes([0, 0, 0, count])) + wire[end:]
        if _is_valid(schema, whole) and trace_message(schema, whole).spans[-1].path.startswith(verdict.path):
            return True
    return False


def _is_valid(schema: MessageSchema, wire: bytes) -> bool:
    return judge(schema, wire).result is Result.VALID


_READERS: dict[str, tuple[Callable[[MessageSchema, bytes, Verdict], bool], ...]] = {
    "count.within-input": (_stopping,),
    "input.truncated": (_padding,),
    "length.negative": (_overlooking, _unsigned),
    "varint.too-long": (_of_any_width,),
}
"""The faulty readers, by rule; for all others one that overlooks the rule."""


def suite_inputs(schema: MessageSchema) -> Iterator[bytes]:
    """Yield the deterministic invalid inputs of the suite."""
    for value in filter(None, Bases.usual(schema)):
        yield from (tampering.wire for tampering in structural_tamperings(encode_with_spans(schema, value)))
    yield from (case.wire for case in invalid_bytes(schema))


def vector_inputs(name: str, schema: MessageSchema) -> Iterator[bytes]:
    """Yield the bytes of the invalid golden vectors of a message, of those that the release has itself."""
    if name == PRIMITIVES:
        target: Target = WireTypeTarget(primitive(schema.message))
    elif (schema.message, schema.version) in pairs_of(name):
        target = Body(schema)
    else:
        return
    vectors = group_of(base_release() if name == PRIMITIVES else name, target)["vectors"]
    yield from (bytes.fromhex(vector["wire"]) for vector in vectors if vector["result"] == "invalid")


def counted(schema: MessageSchema, inputs: Iterable[bytes], counts: Counter[Kind], accepted: Counter[Kind]) -> None:
    """Add the invalid inputs of a message to `counts`, and those that a one-fault reader accepts to `accepted`."""
    for wire in dict.fromkeys(inputs):
        verdict = judge(schema, wire)
        if verdict.result is Result.INVALID:
            kind = _kind(schema, verdict)
            counts[kind] += 1
            accepted[kind] += is_accepted(schema, wire, verdict)


def _kind(schema: MessageSchema, verdict: Verdict) -> Kind:
    rule, path = verdict.rules[-1], verdict.path
    if rule == "input.truncated":
        return Kind(rule, "")
    field = _field(schema, path) if path and TAGS not in path else schema.body
    if field.type not in PREFIXED:
        return Kind(rule, "tag section")
    return Kind(rule, f"compact {field.type}" if field.compact else field.type)


def _field(schema: MessageSchema, path: str) -> FieldSchema:
    field = fields_at(schema, path)[-1]
    return field.item if path.endswith("]") else field


def unexplained(counts: Counter[Kind], accepted: Counter[Kind]) -> list[Kind]:
    """Return the kinds without an accepted input that have no reason."""
    return sorted(kind for kind in counts if not accepted[kind] and kind not in REASONS)


def schemas_of(name: str, *, every: bool) -> list[MessageSchema]:
    """Return the messages of a release, or some that have every form of field, or the wire types."""
    if name == PRIMITIVES:
        return [schema for each in primitives() if (schema := primitive(each).schema) is not None]
    schemas = load_release(name).schemas()
    return list(schemas) if every else covering(schemas, every_form)


@click.command()
@click.option("--vectors", is_flag=True, help="Ask it of the golden vectors, not of the suite's inputs.")
@click.option("--all", "every", is_flag=True, help="Every message, not some with every form of field.")
@click.argument("names", nargs=-1)
def main(names: tuple[str, ...], *, vectors: bool, every: bool) -> None:
    """Print, by kind of fault, how many invalid inputs are accepted whole by a reader with that one fault."""
    counts: Counter[Kind] = Counter()
    accepted: Counter[Kind] = Counter()
    for name in names or (PRIMITIVES, *releases()):
        for schema in schemas_of(name, every=every):
            counted(schema, vector_inputs(name, schema) if vectors else suite_inputs(schema), counts, accepted)
    for kind in sorted(counts):
        note = "" if accepted[kind] else f"  {REASONS.get(kind, 'NO INPUT WITH THIS FAULT ALONE')}"
        click.echo(f"{kind.rule:24} {kind.layout:16} {counts[kind]:8,} inputs {accepted[kind]:8,} accepted whole{note}")
    sys.exit(bool(unexplained(counts, accepted)))


if __name__ == "__main__":
    main()
