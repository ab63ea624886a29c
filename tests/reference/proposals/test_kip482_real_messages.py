import pytest

from conformance.generate.drawn_values import sample
from conformance.generate.edge_values import populated, with_unknown_tags
from reference import Result, decode, difference, encode, judge, load_release
from reference.resolution import resolve
from tests.helpers.releases import BASE
from tests.helpers.sweeps import swept
from tests.reference.proposals.kip482 import FIRST, SECOND
from tests.reference.proposals.kip482_restated import restated
from tests.second_codec.dialects import verdict, write

RELEASE = load_release(BASE)
SAMPLES = 2

TAGGED_ARRAYS_OF_STRUCTS = {
    "ApiVersionsResponse.FinalizedFeatures",
    "ApiVersionsResponse.SupportedFeatures",
    "BeginQuorumEpochResponse.NodeEndpoints",
    "EndQuorumEpochResponse.NodeEndpoints",
    "FetchResponse.NodeEndpoints",
    "FetchSnapshotResponse.NodeEndpoints",
    "ProduceResponse.NodeEndpoints",
    "StreamsGroupMetadataValue.LastAssignmentConfigs",
    "VoteResponse.NodeEndpoints",
}


@pytest.mark.parametrize("dialect", [FIRST, SECOND])
def test_restated_message_survives_a_round_trip(dialect: str) -> None:
    for released in swept(RELEASE.name):
        schema = resolve(restated(RELEASE.definition(released.message), dialect).definition, released.version)
        full = with_unknown_tags(schema.body, populated(schema))
        for value in (full, *(sample(schema, str(index)) for index in range(SAMPLES))):
            wire = encode(schema, value)
            assert difference(schema, value, decode(schema, wire).value) is None, str(schema)
            assert judge(schema, wire).result is Result.VALID, str(schema)
            assert write(schema.struct, value) == wire, str(schema)
            assert verdict(schema, wire).result == "valid", str(schema)


def test_first_draft_leaves_out_arrays_of_structs_and_nothing_else() -> None:
    left_out = {
        f"{message}.{name}"
        for message in RELEASE.messages
        for name in restated(RELEASE.definition(message), FIRST).left_out
    }
    assert left_out == TAGGED_ARRAYS_OF_STRUCTS


def test_second_draft_leaves_nothing_out() -> None:
    assert not any(restated(RELEASE.definition(message), SECOND).left_out for message in RELEASE.messages)


def test_first_tag_of_a_restated_message_is_1() -> None:
    before, after = (
        {field.name: field.tag for field in schema.fields if field.tag is not None}
        for schema in (
            RELEASE.schema("FetchRequest", 17),
            resolve(restated(RELEASE.definition("FetchRequest"), SECOND).definition, 17),
        )
    )
    assert after == {name: tag + 1 for name, tag in before.items() if tag is not None}
