"""The command `python -m tests.mutants.one_fault`, a search for invalid inputs with more than one fault.

An input shows one fault of a reader only if a reader with just that fault accepts the whole of it. Each input of the
suite, or each golden vector, is given to such a reader, chosen by the broken rule. The table counts inputs and accepted
inputs by rule and layout. A kind without an accepted input needs a reason.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import click

from conformance.generate.clean_faults import PREFIXED
from conformance.generate.edge_values import Bases
from conformance.generate.refused_bytes import invalid_bytes
from conformance.generate.structure import structural_tamperings
from conformance.generate.value_paths import fields_at
from conformance.targets import Body, WireTypeTarget
from conformance.vectors.enumeration.enumerate import group_of
from conformance.vectors.enumeration.pairs import base_release, pairs_of
from conformance.vectors.tree.vector_paths import PRIMITIVES
from reference import (
    TAGS,
    Result,
    encode_with_spans,
    judge,
    load_release,
    primitive,
    primitives,
    releases,
)
from tests.helpers.sweeps import covering, every_form
from tests.second_codec.bodies import read
from tests.second_codec.left_out import CHECKS_LEFT_OUT
from tests.second_codec.ways import Misstep, NotTaken

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.targets import Target
    from reference import FieldSchema, MessageSchema, Verdict

REASONS: dict[tuple[str, str], str] = {}
"""The reasons for kinds without an input of one fault."""


class Kind(NamedTuple):
    """The rule and layout of an invalid input."""

    rule: str
    layout: str
    """The type of the field, or `tag section`, empty where the input just ends."""


def is_accepted(schema: MessageSchema, wire: bytes, verdict: Verdict) -> bool:
    """Return whether a reader with the one fault named by the verdict accepts the whole input."""
    return any(_takes(misstep, schema, wire) for misstep in CHECKS_LEFT_OUT.get(verdict.rules[-1], ()))


def _takes(misstep: Misstep, schema: MessageSchema, wire: bytes) -> bool:
    try:
        _, source = read(schema.struct, wire, misstep)
    except NotTaken:
        return False
    return source.at >= len(wire) and not source.is_open


def suite_inputs(schema: MessageSchema) -> Iterator[bytes]:
    """Yield the deterministic invalid inputs of the suite."""
    for value in filter(None, Bases.usual(schema)):
        yield from (tampering.wire for tampering in structural_tamperings(encode_with_spans(schema, value)))
    yield from (case.wire for case in invalid_bytes(schema))


def vector_inputs(name: str, schema: MessageSchema) -> Iterator[bytes]:
    """Yield the bytes of the invalid golden vectors of a message, without those of other releases."""
    if name == PRIMITIVES:
        target: Target = WireTypeTarget(primitive(schema.message))
    elif (schema.message, schema.version) in pairs_of(name):
        target = Body(schema)
    else:
        return
    vectors = group_of(base_release() if name == PRIMITIVES else name, target)["vectors"]
    yield from (bytes.fromhex(vector["wire"]) for vector in vectors if vector["result"] == "invalid")


def counted(schema: MessageSchema, inputs: Iterable[bytes], counts: Counter[Kind], accepted: Counter[Kind]) -> None:
    """Add the invalid inputs of a message to `counts`, and those accepted by a one-fault reader to `accepted`."""
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
    """Return the kinds without an accepted input or a reason."""
    return sorted(kind for kind in counts if not accepted[kind] and kind not in REASONS)


def schemas_of(name: str, *, every: bool) -> list[MessageSchema]:
    """Return the messages of a release, some with every form of field, or the wire types."""
    if name == PRIMITIVES:
        return [schema for each in primitives() if (schema := primitive(each).schema) is not None]
    schemas = load_release(name).schemas()
    return list(schemas) if every else covering(schemas, every_form)


@click.command()
@click.option("--vectors", is_flag=True, help="Ask it of the golden vectors, not of the suite's inputs.")
@click.option("--all", "every", is_flag=True, help="Every message, not some with every form of field.")
@click.argument("names", nargs=-1)
def main(names: tuple[str, ...], *, vectors: bool, every: bool) -> None:
    """Print by kind of fault the number of invalid inputs accepted whole by a reader with that one fault."""
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
