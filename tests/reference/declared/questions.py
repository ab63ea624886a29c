"""The contents and bytes given to both encodings, by area."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

from conformance.campaign.proof.proven_definitions import generated_definitions, schemas_of
from conformance.generate.drawn_records import sample_message_set, sample_records
from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import with_unknown_tags
from conformance.generate.hostile_bodies import hostile_cases, mutated_sample
from conformance.generate.unusual_values import absent_cases, unencodable_variations, unspecified_variations
from conformance.targets import Body, RecordsField, StoredForm, Target, WholeFrame
from conformance.targets.records.hostile_records import hostile_message_set, hostile_records
from conformance.targets.records.record_bases import record_bases
from conformance.targets.records.record_tampering import tampered_records
from conformance.targets.records.records_edges import records_edges
from conformance.targets.records.unencodable_records import unencodable_records
from conformance.vectors.enumeration.frame_vectors import frame_cases, stored_cases
from conformance.vectors.enumeration.vector import VectorBytes
from conformance.vectors.tree.vector_files import read_tree
from conformance.vectors.tree.vector_paths import committed_vectors, groups_of
from reference import MessageSchema, Unencodable, load_release, minimal, newest_release, proposals, releases
from reference.declared_text import name_of, program
from tests.reference.declared.comparison import Asked

HOSTILE = 16
"""The damaged inputs of each generated definition."""
DEFINITIONS = 600


def vectors() -> Iterator[Asked]:
    """Yield every golden vector of every release and proposal, of wire types and of records."""
    for group in groups_of(read_tree(committed_vectors())):
        target = group.target
        forms = [vector[key] for vector in group.vectors for key in ("value", "given") if key in vector]
        wires = [bytes.fromhex(vector["wire"]) for vector in group.vectors if "wire" in vector]
        yield Asked(target, [target.from_json(form) for form in forms], wires)


def values() -> Iterator[Asked]:
    """Yield drawn and unusual values of every message, and its damaged bytes."""
    for name in (*releases(), *proposals()):
        for schema in load_release(name).schemas():
            drawn = [sample(schema, f"declared/{number}", absent=number % 2 == 1) for number in range(8)]
            wires = [case.wire for case in hostile_cases(schema)]
            yield Asked(Body(schema), [*drawn, *unusual_values(schema)], wires)


def unusual_values(schema: MessageSchema) -> list[Any]:
    """Return values with fields of other versions, of other types, or with bytes that readers need not accept."""
    cases = (*absent_cases(schema), *unencodable_variations(schema), *unspecified_variations(schema))
    tagged = with_unknown_tags(schema.body, minimal(schema))
    return [*(variation.value for _, variation in cases), tagged, *mistyped(schema)]


def mistyped(schema: MessageSchema) -> Iterator[dict[str, Any]]:
    """Yield the smallest value with an object of any type in each field of this and of other versions."""
    objects: tuple[Any, ...] = (True, False, 0, 1, 1.0, "", "x", b"", [], [True], {}, None, UUID(int=0))
    for field in (*schema.fields, *schema.absent_fields):
        for other in objects:
            yield {**minimal(schema), field.name: other}


def definitions() -> Iterator[Asked]:
    """Yield drawn values and damaged bytes of generated definitions."""
    for number, schema in enumerate(schemas_of(generated_definitions(DEFINITIONS))):
        drawn = [sample(schema, f"declared/{number}/{seed}", absent=seed % 2 == 1) for seed in range(4)]
        yield Asked(Body(schema), [*drawn, *unusual_values(schema)], [*damaged(schema, number)])


def programs() -> Iterator[Asked]:
    """Yield drawn values and damaged bytes for the printed program of every version of a message."""
    for name in (newest_release(), *proposals()):
        for number, schema in enumerate(load_release(name).schemas()):
            names: dict[str, Any] = {"__name__": "program"}
            exec(program(schema), names)  # noqa: S102  # the text is to be what Python takes it for
            drawn = [sample(schema, f"program/{seed}", absent=True) for seed in range(3)]
            wires = [*damaged(schema, number)][:3]
            yield Asked(Body(schema), drawn, wires, names[name_of(schema)])


def damaged(schema: MessageSchema, number: int) -> Iterator[bytes]:
    """Yield damaged encodings of drawn values, but for values without bytes."""
    for seed in range(HOSTILE):
        try:
            yield mutated_sample(schema, f"declared/{number}/{seed}", str(seed))
        except Unencodable:
            continue


def records() -> Iterator[Asked]:
    """Yield edge cases, drawn fields and damaged bytes of records in every codec."""
    edges = [edge.value for edge in records_edges()] + [each.value for each in unencodable_records()]
    drawn = [of(f"declared/{number}") for number in range(300) for of in (sample_records, sample_message_set)]
    wires = [of(f"declared/{number}") for number in range(3000) for of in (hostile_records, hostile_message_set)]
    wires += [each.wire for base in record_bases() for each in tampered_records(base)]
    yield Asked(RecordsField(newest_release()), [*edges, *drawn], wires)


def frames() -> Iterator[Asked]:
    """Yield frames and stored messages of every message of the newest release, whole and broken."""
    release = load_release(newest_release())
    for schema in release.schemas():
        if schema.kind in {"request", "response"} and schema.api_key is not None:
            target = WholeFrame(schema, release)
            contents = [content for _, content in target.contents()]
            yield _with_cases(target, contents, frame_cases(target))
        elif schema.stored_form is not None:
            stored = StoredForm(schema, release)
            yield _with_cases(stored, [], stored_cases(stored))


def _with_cases(target: Target, contents: list[Any], cases: Iterator[Any]) -> Asked:
    given = list(cases)
    wires = [case.wire for case in given if isinstance(case, VectorBytes)]
    return Asked(target, contents + [case.value for case in given if not isinstance(case, VectorBytes)], wires)


AREAS: dict[str, Callable[[], Iterator[Asked]]] = {
    "vectors": vectors,
    "values": values,
    "definitions": definitions,
    "records": records,
    "frames": frames,
    "programs": programs,
}
