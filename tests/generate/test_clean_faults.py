"""Inputs with one fault in one field, no bytes left over, and just this fault in the verdict of the oracle."""

import pytest

from conformance.generate.clean_faults import LONG_UNSIGNED, MARKERS, clean_faults
from conformance.generate.edge_values import populated
from conformance.generate.origin import ChangedBytes
from reference import MessageSchema, Result, encode, judge, load_release
from tests.helpers.releases import BASE
from tests.helpers.sweeps import swept

RELEASE = load_release(BASE)
NESTED = RELEASE.schema("MetadataResponse", 8)


def faults(message: str, version: int) -> dict[str, ChangedBytes]:
    schema = RELEASE.schema(message, version)
    return {fault.name: fault for fault in clean_faults(schema, populated(schema))}


def test_a_null_stands_in_the_place_of_the_length_and_the_payload() -> None:
    """The text of FindCoordinatorRequest, `topic`, is gone with its length."""
    assert faults("FindCoordinatorRequest", 0)["Key=null-alone"].wire == b"\xff\xff"


def test_the_size_of_a_tagged_field_is_right() -> None:
    """Null in a text inside of a tagged struct makes the size of the entry smaller."""
    fault = faults("UpdateRaftVoterResponse", 0)["CurrentLeader.Host=null-alone"]
    schema = RELEASE.schema("UpdateRaftVoterResponse", 0)
    verdict = judge(schema, fault.wire)
    assert verdict.rules == ("null.not-allowed",)
    assert len(encode(schema, populated(schema))) - len(fault.wire) == len("topic")


def test_a_struct_is_led_by_a_marker_or_stands_for_null() -> None:
    """Struct fields are written as if they might be null."""
    ways = {fault.origin.way for fault in faults("DescribeTopicPartitionsResponse", 0).values()}
    assert MARKERS[0] not in ways  # its only struct may be null
    sound = encode(RELEASE.schema("FetchRequest", 15), populated(RELEASE.schema("FetchRequest", 15)))
    present = faults("FetchRequest", 15)["ReplicaState=marker-present"].wire
    assert len(present) == len(sound) + 1


def test_length_without_a_sign_is_the_size_of_the_text_after_it() -> None:
    """A reader of unsigned lengths finds as many bytes as announced."""
    wire = faults("FindCoordinatorRequest", 0)[f"Key={LONG_UNSIGNED}"].wire
    assert (int.from_bytes(wire[:2], "big"), len(wire)) == (32_768, 2 + 32_768)


def test_nullable_fields_get_no_null() -> None:
    """Null in a nullable field is no fault."""
    assert not [name for name in faults("MetadataRequest", 12) if name == "Topics=null-alone"]


@pytest.mark.parametrize("schema", swept(BASE, "kip-625", "kip-482-first-draft", "kip-482-second-draft"), ids=str)
def test_the_oracle_says_the_rule_of_each_fault(schema: MessageSchema) -> None:
    """Every fault with a rule is invalid by this rule alone, in its field."""
    for fault in clean_faults(schema, populated(schema)):
        if fault.rule:
            verdict = judge(schema, fault.wire)
            assert (verdict.result, verdict.rules, verdict.path) == (Result.INVALID, (fault.rule,), fault.path)
