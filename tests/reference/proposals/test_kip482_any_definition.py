import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.generate.definitions.drawn_definitions import definitions, sample_definition
from conformance.generate.definitions.versions import Features
from conformance.generate.drawn_values import sample, values
from conformance.generate.mutations import mutated
from reference import MessageSchema, Result, encode, judge
from reference.definitions.errors import BrokenDefinition
from reference.definitions.parse import parse_definition
from reference.resolution import resolve
from tests.helpers.sweeps import swept_numbers
from tests.reference.proposals.kip482 import FIRST, SECOND
from tests.reference.proposals.kip482_restated import restated
from tests.second_codec.dialects import verdict, write

FEATURES = Features(given_up=False, header_versions=False)
VERSIONS_RULES = {"definition.struct-within-parent", "definition.common-struct-versions"}
"""Rules that may be broken in the first draft, since its optional fields are in more versions than before."""

SEEDS = 300
both = pytest.mark.parametrize("dialect", [FIRST, SECOND])


def schemas(properties: dict[str, Any], dialect: str) -> list[MessageSchema]:
    """Return a drawn definition in a draft at each version, or none if the first draft has no room for it."""
    definition = parse_definition(json.dumps(properties), "Drawn.json")
    try:
        drafted = restated(definition, dialect).definition
    except BrokenDefinition as error:
        if dialect == FIRST and error.problem.rule in VERSIONS_RULES:
            return []
        raise
    return [resolve(drafted, version) for version in drafted.valid_versions]


def assert_both_agree(schema: MessageSchema, value: dict[str, Any], seed: str) -> None:
    """Check that both codecs agree on the bytes of a value, on their verdict, and on that of a mutation of them."""
    wire = encode(schema, value)
    assert write(schema.struct, value) == wire
    for tried in (wire, mutated(wire, seed)):
        expected, plain = judge(schema, tried), verdict(schema, tried)
        assert plain.result == expected.result
        if expected.result is Result.INVALID:
            assert (plain.reason, plain.offset) == (expected.reason, expected.offset)


@both
@given(data=st.data())
@settings(max_examples=100, derandomize=True, deadline=None, database=None)
def test_two_codecs_agree_on_any_definition(dialect: str, data: st.DataObject) -> None:
    found = schemas(data.draw(definitions(FEATURES)), dialect)
    if found:
        schema = data.draw(st.sampled_from(found))
        assert_both_agree(schema, data.draw(values(schema)), "drawn")


@both
def test_two_codecs_agree_on_sampled_definitions(dialect: str) -> None:
    have_one, seeds = 0, swept_numbers(SEEDS)
    for seed in seeds:
        found = schemas(sample_definition(str(seed), FEATURES), dialect)
        have_one += bool(found)
        for schema in found:
            assert_both_agree(schema, sample(schema, str(seed)), str(seed))
    assert have_one >= 0.9 * len(seeds)
