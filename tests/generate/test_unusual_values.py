from collections import Counter
from collections.abc import Iterable

import pytest

from conformance.generate.edge_values import populated
from conformance.generate.origin import ChangedBytes
from conformance.generate.refused_bytes import invalid_bytes
from conformance.generate.unusual_values import unencodable_variations
from reference import Malformed, MessageSchema, Unencodable, decode, encode, load_release, newest_release
from tests.helpers.probes import field, message

PAIRS = (
    ("ApiVersionsRequest", 0),
    ("ApiVersionsResponse", 4),
    ("FetchRequest", 4),
    ("FetchRequest", 18),
    ("ConsumerGroupMemberMetadataValue", 0),
    ("CreateTopicsResponse", 7),
    ("FetchResponse", 17),
    ("PartitionRecord", 2),
    ("ProducerSnapshot", 1),
    ("StreamsGroupHeartbeatRequest", 0),
)


@pytest.fixture(params=PAIRS, ids=lambda pair: f"{pair[0]}-v{pair[1]}")
def schema(request: pytest.FixtureRequest) -> MessageSchema:
    return load_release(newest_release()).schema(*request.param)


def test_every_strict_prefix_of_a_full_message_is_broken_input(schema: MessageSchema) -> None:
    wire = encode(schema, populated(schema))
    wires = {case.wire for case in invalid_bytes(schema)}
    assert wires >= {wire[:end] for end in range(len(wire))}
    assert wire not in wires


def test_invalid_input_is_refused_for_a_reason(schema: MessageSchema) -> None:
    for case in invalid_bytes(schema):
        with pytest.raises(Malformed) as refused:
            decode(schema, case.wire)
        assert refused.value.reason is not None, case.name


def test_invalid_input_names_its_broken_rule(schema: MessageSchema) -> None:
    assert misnamed(schema, (case for case in invalid_bytes(schema) if not case.name.startswith("unknown-tag"))) == {}


def test_input_cut_in_unknown_tags_names_its_broken_rule() -> None:
    schema = load_release(newest_release()).schema("CreateTopicsResponse", 7)
    assert misnamed(schema, (case for case in invalid_bytes(schema) if case.name.startswith("unknown-tag"))) == {}


def misnamed(schema: MessageSchema, cases: Iterable[ChangedBytes]) -> dict[str, tuple[str, str]]:
    wrong = {}
    for case in cases:
        with pytest.raises(Malformed) as refused:
            decode(schema, case.wire)
        if refused.value.rule != case.rule:
            wrong[case.name] = (case.rule, refused.value.rule)
    return wrong


def test_no_broken_input_comes_twice(schema: MessageSchema) -> None:
    cases = list(invalid_bytes(schema))
    assert [wire for wire, count in Counter(case.wire for case in cases).items() if count > 1] == []
    assert len({case.name for case in cases}) == len(cases)


def test_unencodable_values_are_refused_by_their_named_rule(schema: MessageSchema) -> None:
    for rule, variation in unencodable_variations(schema):
        with pytest.raises(Unencodable) as refused:
            encode(schema, variation.value)
        assert (refused.value.rule, refused.value.path) == (rule, variation.path), variation.name


def test_names_of_unwritable_values_are_unique(schema: MessageSchema) -> None:
    names = [variation.name for _, variation in unencodable_variations(schema)]
    assert len(set(names)) == len(names)


def test_the_unwritable_values_of_a_small_message_are_these() -> None:
    small = message(field("Number", "int8"), field("Text", "string"), field("Maybe", "bytes", nullableVersions="0+"))
    assert [(rule, variation.name) for rule, variation in unencodable_variations(small)] == [
        ("null.not-written", "Number=null"),
        ("number.range", "Number=-129"),
        ("number.range", "Number=128"),
        ("null.not-written", "Text=null"),
        ("string.too-long", "Text=length-32768"),
        ("string.too-long", "Text=length-32768-wide"),
    ]


def test_a_number_out_of_range_also_follows_a_run_of_valid_ones() -> None:
    """A codec may write a long array at once, and a short one by its elements."""
    numbers = message(field("Numbers", "[]int8"))
    lengths = {len(variation.value["Numbers"] or ()) for _, variation in unencodable_variations(numbers)}
    assert lengths == {0, 1, 21}
