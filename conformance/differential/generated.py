"""Definitions without a release compared with Apache Kafka: its generator makes classes, which write and read values.

They are drawn (`conformance.generate.definitions.strategy`), since the messages of releases use few features of
definitions, and fewer of them together; or those of a folder, as of a fork. The reference is compared with the classes
byte for byte, as with those of a release.
"""

from __future__ import annotations

import json
import math
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from conformance.differential.bodies import compare_bodies
from conformance.generate.definitions.strategy import Features, sample_definition
from conformance.harnesses.apache_kafka import ApacheKafka
from conformance.harnesses.kafka_generator import KafkaGenerator
from reference.definitions.canonical import canonical_json
from reference.definitions.parse import parse_definition
from reference.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from conformance.differential.comparison import Comparison
    from conformance.harnesses.kafka_generator import Refusal
    from reference import FieldSchema, MessageSchema, Release

PREFIX = "Given"
"""Before the name of a message that a released class may have already."""

WITH_VERSIONS = Features(given_up=False)
UNREADABLE = "an array has elements of no bytes, which Apache Kafka writes and does not read (rule 1.3.19)"
UNWRITABLE = "a field of other versions is NaN by default, which Apache Kafka takes for a set value (rule 4.3.3)"


def generated_definitions(count: int) -> dict[str, str]:
    """Return `count` sound definitions, always the same, by the names of their messages."""
    definitions = {}
    for number in range(count):
        definition = sample_definition(f"bytes/{number}", WITH_VERSIONS)
        name = definition["name"].replace("Sample", f"Sample{number}X")
        definitions[name] = json.dumps({**definition, "name": name, "listeners": []})
    return definitions


def schemas_of(definitions: dict[str, str]) -> Iterator[MessageSchema]:
    """Yield every version of every message."""
    for name, text in definitions.items():
        definition = parse_definition(text, name)
        yield from (resolve(definition, version) for version in definition.valid_versions)


class Given(NamedTuple):
    """The definitions of a folder, by names that no class of Apache Kafka's jars has."""

    texts: dict[str, str]
    """Those that have classes."""
    schemas: list[MessageSchema]
    """The pairs that are compared."""
    refused: dict[str, Refusal]
    """Why the others have no classes, by message."""


def given_definitions(release: Release, selected: Sequence[MessageSchema]) -> Given:
    """Return the definitions of the selected messages, as Apache Kafka's generator and the Java compiler take them.

    Listeners are left out: which there are differs between generators, and no byte depends on them.
    """
    names = list(dict.fromkeys(schema.message for schema in selected))
    definitions = (replace(release.definition(name), name=f"{PREFIX}{name}", listeners=()) for name in names)
    texts = {definition.name: canonical_json(definition) for definition in definitions}
    with KafkaGenerator() as generator:
        refusals = dict(zip(texts, generator.refusals(list(texts.values()), compiled=True), strict=True))
    accepted = {name: text for name, text in texts.items() if refusals[name] is None}
    wanted = {(f"{PREFIX}{schema.message}", schema.version) for schema in selected}
    schemas = [schema for schema in schemas_of(accepted) if (schema.message, schema.version) in wanted]
    refused = {name.removeprefix(PREFIX): refusal for name, refusal in refusals.items() if refusal is not None}
    return Given(accepted, schemas, refused)


def compare_generated(
    definitions: dict[str, str],
    values: int,
    comparison: Comparison,
    *,
    schemas: Iterable[MessageSchema] | None = None,
    edges: bool = False,
) -> Iterator[MessageSchema]:
    """Compare the reference with classes that Apache Kafka's generator makes of `definitions`, texts by unique name.

    Yields each pair of message and version when it is done: those of `schemas`, or all. Pairs with a reason of
    `left_out` are not compared.
    """
    with tempfile.TemporaryDirectory() as folder:
        jar = Path(folder) / "generated.jar"
        with KafkaGenerator() as generator:
            generator.jar(definitions, jar)
        compared = [schema for schema in schemas or schemas_of(definitions) if left_out(schema) is None]
        with ApacheKafka(generator.release, jars=[jar]) as kafka:
            yield from compare_bodies(kafka, compared, values, comparison, edges=edges)


def left_out(schema: MessageSchema) -> str | None:
    """Return why Apache Kafka cannot write and read all values of a pair; None if it can: the pair is compared."""
    structs = list(_structs(schema.body))
    if any(field.element is not None and _has_no_bytes(field.element) for each in structs for field in each.fields):
        return UNREADABLE
    if any(_has_nan(absent.default) for struct in structs for absent in struct.absent_fields):
        return UNWRITABLE
    return None


def _structs(struct: FieldSchema) -> Iterator[FieldSchema]:
    """Yield a struct, and every struct in it."""
    yield struct
    for field in (*struct.fields, *struct.absent_fields):
        if field.item.type == "struct":
            yield from _structs(field.item)


def _has_no_bytes(element: FieldSchema) -> bool:
    if element.type != "struct" or element.flexible:
        return False
    return all(_has_no_bytes(field) and not field.nullable for field in element.fields)


def _has_nan(default: object) -> bool:
    if isinstance(default, dict):
        return any(map(_has_nan, default.values()))
    return isinstance(default, float) and math.isnan(default)
