"""Arrays of elements without bytes are never generated, as Apache Kafka writes them and does not read them."""

from collections.abc import Iterator
from typing import Any

import pytest

from conformance.definitions.book import blocks
from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import edge_cases, populated
from conformance.generate.sized_values import sized_values
from conformance.generate.unusual_values import absent_cases, unencodable_variations
from reference import MessageSchema, Unencodable, decode, encode
from reference.definitions.parse import parse_definition
from reference.resolution import resolve

HOLLOW = """{"type": "data", "name": "Hollow", "validVersions": "0-2", "flexibleVersions": "2+", "fields": [
  {"name": "Rows", "type": "[]Row", "versions": "0+", "nullableVersions": "1+", "fields": [
    {"name": "Cells", "type": "[]Cell", "versions": "0+", "nullableVersions": "0-1", "fields": [
      {"name": "X", "type": "int8", "versions": "2+"},
      {"name": "In", "type": "Deep", "versions": "0+", "fields": [
        {"name": "Y", "type": "string", "versions": "2+", "ignorable": true}]}]}]},
  {"name": "Bare", "type": "[]Bone", "versions": "0-1", "fields": [
    {"name": "Z", "type": "int8", "versions": "2+"}]}]}"""
ONLY = """{"type": "data", "name": "Only", "validVersions": "0-1", "flexibleVersions": "1+", "fields": [
  {"name": "Parts", "type": "[]Part", "versions": "0+", "fields": [
    {"name": "X", "type": "float64", "versions": "1+"}]}]}"""
SHAPE = next(block.text for block in blocks("json") if '"Shape"' in block.text)
DEFINITIONS = [parse_definition(text, "Sample.json") for text in (SHAPE, HOLLOW, ONLY)]
SCHEMAS = [resolve(definition, version) for definition in DEFINITIONS for version in definition.valid_versions]


def values_of(schema: MessageSchema) -> Iterator[dict[str, Any]]:
    yield populated(schema)
    yield from (variation.value for variation in edge_cases(schema))
    yield from (variation.value for _, variation in absent_cases(schema))
    yield from (sample(schema, f"hollow/{index}") for index in range(40))
    yield from (made(3) for made in sized_values(schema).values())


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_a_value_with_bytes_is_read_back(schema: MessageSchema) -> None:
    for value in values_of(schema):
        try:
            wire = encode(schema, value)
        except Unencodable:
            continue
        assert decode(schema, wire).consumed == len(wire)


@pytest.mark.parametrize("schema", SCHEMAS, ids=str)
def test_a_refused_value_has_no_such_element_around_its_mistake(schema: MessageSchema) -> None:
    paths = [variation.path for _, variation in unencodable_variations(schema)]
    assert [path for path in paths if "Cells[" in path or "Bare[" in path or "Holes[" in path] == (
        [path for path in paths if "Cells[" in path] if schema.flexible else []
    )
