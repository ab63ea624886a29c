import math
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.codec.python_codec import PythonCodec
from conformance.definitions.catalogue import catalogue
from conformance.generate.depth import Depth
from conformance.generate.unusual_values import absent_cases, unspecified_variations
from conformance.judge.case import Violation
from conformance.judge.checks.special_values import unspecified_value_cases
from conformance.judge.checks.value_cases import value_cases
from conformance.judge.count_lines import UnspecifiedProfile
from conformance.judge.engine import violations
from conformance.judge.tally import Tally
from conformance.report.run_lines import replay_line
from conformance.vectors.enumeration.value_vectors import value_cases as vectors_of_values
from reference import CodecError, MessageSchema, Refusal, Unencodable, encode, load_release
from reference.definitions.parse import parse_definition
from reference.resolution import resolve
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of, tried

METADATA = load_release(BASE).schema("MetadataRequest", 12)
HEARTBEAT = load_release(BASE).schema("HeartbeatRequest", 4)


def implementation(write: Any, *capabilities: str) -> PythonCodec:
    supported = {HEARTBEAT.message: frozenset({HEARTBEAT.version})}
    return PythonCodec(
        LoadedAdapter(
            spec="",
            name="sample",
            version="0",
            supported={"encode": supported, "decode": supported},
            encode=write,
            rejections=(CodecError,),
            capabilities=frozenset(capabilities),
        )
    )


def write_anything(_schema: MessageSchema, _value: dict[str, Any]) -> bytes:
    return b""


def crash(_schema: MessageSchema, _value: dict[str, Any]) -> bytes:
    raise MemoryError


def profile_of(each: PythonCodec) -> dict[tuple[str, bool], int]:
    session = session_of(each)
    found, tally = tried(session, unspecified_value_cases(session, HEARTBEAT))
    assert found == []
    return dict(tally.of(UnspecifiedProfile))


@pytest.mark.parametrize("schema", [METADATA, HEARTBEAT], ids=str)
def test_reference_refuses_each_by_its_rule(schema: MessageSchema) -> None:
    for rule, variation in unspecified_variations(schema):
        assert catalogue()[rule].level == "unspecified"
        with pytest.raises(Unencodable) as caught:
            encode(schema, variation.value)
        assert caught.value.rule == rule


def test_message_with_text_numbers_and_tags_has_every_case() -> None:
    rules = [rule for rule, _ in unspecified_variations(HEARTBEAT)]
    assert sorted(rules) == [
        "string.unpaired-surrogate",
        *["tag.unknown-writable"] * 3,
        "value.complete",
        "value.known-fields",
        "value.type",
    ]


def test_refusals_are_in_the_profile() -> None:
    assert profile_of(implementation(encode)) == {
        ("string.unpaired-surrogate", False): 1,
        ("value.known-fields", False): 1,
        ("value.type", False): 1,
    }


def test_written_values_are_in_the_profile() -> None:
    assert profile_of(implementation(write_anything))["value.type", True] == 1


def test_unknown_tags_are_handed_over_under_their_capability() -> None:
    assert profile_of(implementation(encode, "unknown-tags"))["tag.unknown-writable", False] == 3


def test_partial_values_are_handed_over_under_their_capability() -> None:
    assert profile_of(implementation(write_anything, "partial-values"))["value.complete", True] == 1


def test_values_of_another_form_do_not_go_over_the_bridge() -> None:
    foreign = implementation(encode, "partial-values")
    foreign.claims = replace(foreign.claims, spec="stdio:a harness")
    assert profile_of(foreign) == {("string.unpaired-surrogate", False): 1}


def crashes() -> list[Violation]:
    session = session_of(implementation(crash))
    return list(violations(session, unspecified_value_cases(session, HEARTBEAT)))


def test_crash_is_a_finding() -> None:
    assert {(each.rule, each.outcome) for each in crashes()} == {
        ("string.unpaired-surrogate", "exhausted-memory"),
        ("value.known-fields", "exhausted-memory"),
        ("value.type", "exhausted-memory"),
    }


def test_value_without_a_json_form_is_replayed_by_its_name() -> None:
    line = replay_line("sample", [], crashes()[0])
    assert line.endswith("--case Unheard=unheard")


OUTSIDE, INSIDE = (
    resolve(parse_definition(text, "Sample.json"), 0)
    for text in (
        """{"type": "data", "name": "Outside", "validVersions": "0-1", "flexibleVersions": "none", "fields": [
          {"name": "Kept", "type": "int8", "versions": "0+"},
          {"name": "Soft", "type": "float64", "versions": "1+", "default": "NaN", "ignorable": true},
          {"name": "Ratio", "type": "float64", "versions": "1+", "default": "NaN"}]}""",
        """{"type": "data", "name": "Inside", "validVersions": "0-1", "flexibleVersions": "none", "fields": [
          {"name": "List", "type": "[]Part", "versions": "0+", "fields": [
            {"name": "X", "type": "int8", "versions": "0+"},
            {"name": "Ratio", "type": "float64", "versions": "1+", "default": "NaN"}]}]}""",
    )
)
"""Versions without a field that is NaN by default, and not ignorable."""


def with_all_fields(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    """Write a value as a writer with the fields of all versions, like Apache Kafka's, with untouched ones NaN."""
    whole = deepcopy(value)
    for struct in whole.get("List", [whole]):
        struct["Ratio"] = math.nan
    return encode(schema, whole)


def refuse(_schema: MessageSchema, _value: dict[str, Any]) -> bytes:
    raise Unencodable(Refusal.NULL_NOT_ALLOWED, "", "no value at all", "null.not-written")


def values_written(schema: MessageSchema, write: Any) -> tuple[set[str], Tally]:
    supported = {schema.message: frozenset({0})}
    loaded = replace(implementation(write).claims, supported={"encode": supported, "decode": {}})
    session = session_of(PythonCodec(loaded))
    found, tally = tried(session, value_cases(session, schema))
    return {violation.rule for violation in found}, tally


@pytest.mark.parametrize("schema", [OUTSIDE, INSIDE], ids=str)
def test_a_refusal_for_a_default_of_nan_in_another_version_is_a_profile(schema: MessageSchema) -> None:
    rules, tally = values_written(schema, with_all_fields)
    assert rules == set()
    assert set(tally.of(UnspecifiedProfile)) == {("message.nan-default", False)}


def test_a_value_without_the_struct_must_be_written() -> None:
    assert values_written(INSIDE, refuse)[0] == {"message.writable"}


def test_a_writer_with_the_fields_of_one_version_has_no_such_profile() -> None:
    rules, tally = values_written(OUTSIDE, encode)
    assert (rules, dict(tally.of(UnspecifiedProfile))) == (set(), {})


@pytest.mark.parametrize("schema", [OUTSIDE, INSIDE], ids=str)
def test_default_of_nan_in_another_version_is_left_out(schema: MessageSchema) -> None:
    """The reference refuses it, as Apache Kafka does, but the other values still become vectors."""
    given = [value for _, value in absent_cases(schema) if "default" in value.name]
    assert [value.name for value in given] == (["Soft=absent-default"] if schema is OUTSIDE else [])
    assert [case.id for case in vectors_of_values(schema, Depth.EVERYTHING)]
