from dataclasses import replace
from typing import Any

import pytest

from conformance.codec.driver import Implementation
from conformance.codec.loaded_adapter import LoadedAdapter
from conformance.definitions.catalogue import catalogue
from conformance.generate.unusual_values import unspecified_variations
from conformance.judge.case import Violation
from conformance.judge.checks.unspecified_values import unspecified_value_cases
from conformance.judge.engine import violations
from conformance.report.terminal.finding_texts import replay_line
from reference import CodecError, MessageSchema, Unencodable, encode, load_release
from tests.helpers.releases import BASE
from tests.helpers.sessions import session_of, tried

METADATA = load_release(BASE).schema("MetadataRequest", 12)
HEARTBEAT = load_release(BASE).schema("HeartbeatRequest", 4)


def implementation(write: Any, *capabilities: str) -> Implementation:
    supported = {HEARTBEAT.message: frozenset({HEARTBEAT.version})}
    return Implementation(
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


def profile_of(each: Implementation) -> dict[tuple[str, bool], int]:
    session = session_of(each)
    found, tally = tried(session, unspecified_value_cases(session, HEARTBEAT))
    assert found == []
    return dict(tally.profiles)


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


def test_what_is_refused_is_in_the_profile() -> None:
    assert profile_of(implementation(encode)) == {
        ("string.unpaired-surrogate", False): 1,
        ("value.known-fields", False): 1,
        ("value.type", False): 1,
    }


def test_what_is_written_is_in_the_profile() -> None:
    assert profile_of(implementation(write_anything))["value.type", True] == 1


def test_unknown_tags_are_handed_over_under_their_capability() -> None:
    assert profile_of(implementation(encode, "unknown-tags"))["tag.unknown-writable", False] == 3


def test_partial_values_are_handed_over_under_their_capability() -> None:
    assert profile_of(implementation(write_anything, "partial-values"))["value.complete", True] == 1


def test_values_of_another_form_do_not_go_over_the_bridge() -> None:
    foreign = implementation(encode, "partial-values")
    foreign.adapter = replace(foreign.adapter, spec="stdio:a harness")
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
