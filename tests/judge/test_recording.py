"""Traits common to the values of a finding, from failing and passing cases."""

from collections.abc import Mapping
from typing import Any

import pytest

import reference
from conformance.adapter import Decoded, Value
from conformance.codec.bridge.loading import load_codec
from conformance.generate.traits import traits_of
from conformance.judge.checks.all_cases import violation_of
from conformance.judge.checks.value_cases import value_cases
from conformance.judge.engine import run
from conformance.judge.findings.causes import Cause
from conformance.judge.findings.results import Results
from conformance.judge.recording import record
from conformance.judge.subject import WAYS
from reference import MessageSchema
from tests.helpers.sessions import session_of

PAIRS = {"MetadataRequest": [7, 12], "CreateTopicsRequest": [4, 7]}


class Stumbles:
    """A codec that refuses to read values with a trait, and writes only readable values."""

    name = version = "1"
    rejections = (reference.Malformed, OverflowError)
    capabilities = frozenset({"unknown-tags"})
    trait = ""

    def supported(self) -> Mapping[str, list[int]]:
        return PAIRS

    def decode(self, schema: MessageSchema, data: bytes) -> Decoded:
        decoded = reference.decode(schema, data)
        self.stumble(schema, decoded.value)
        return Decoded(decoded.value, decoded.consumed)

    def stumble(self, schema: MessageSchema, value: Value) -> None:
        if self.trait in traits_of(schema, value):
            raise OverflowError("too much")


class StumblesOverNull(Stumbles):
    """A codec that refuses null of every type."""

    trait = "a null"


class StumblesOverLongLengths(Stumbles):
    """A codec that refuses lengths with a varint of two bytes."""

    trait = "a length of 128 or more"


class RefusesMost(Stumbles):
    """A codec with refusals of negative numbers, and of all but the smallest value of one message."""

    def stumble(self, schema: MessageSchema, value: Value) -> None:
        is_small = schema.message != "CreateTopicsRequest" or value == reference.minimal(schema)
        if not is_small or "a negative number" in traits_of(schema, value):
            raise OverflowError("too much")


class StumblesOverUnknownTags(Stumbles):
    """A codec that wrongly refuses unknown tagged fields."""

    trait = "an unknown tagged field"


def causes(adapter: str) -> list[Cause]:
    session = session_of(load_codec(f"{__name__}:{adapter}"))
    results = Results((), lambda event: violation_of(event, session.release), ways=WAYS)
    for message, versions in PAIRS.items():
        for version in versions:
            schema = session.release.schema(message, version)
            record(results, "values", str(schema), run(session, value_cases(session, schema)))
    return results.causes


def test_pair_with_hardly_any_accepted_value_contradicts_others() -> None:
    assert all("a negative number" not in cause.finding.traits for cause in causes("RefusesMost"))


@pytest.mark.parametrize("adapter", ["StumblesOverNull", "StumblesOverLongLengths", "StumblesOverUnknownTags"])
def test_a_trait_of_failing_cases_only_is_reported_for_their_one_cause(adapter: str) -> None:
    """It is reported for every field, form and rule."""
    trait: Any = globals()[adapter].trait
    assert [cause.finding.traits for cause in causes(adapter)] == [[trait]]
