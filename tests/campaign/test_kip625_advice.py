from pathlib import Path
from typing import Any

import pytest

from conformance.campaign.kip625_advice import Advice, FieldAdvice, advise, encoded, integers, kind_of, tally
from conformance.generate.drawn_values import sample
from reference import FieldSchema, MessageSchema, completed, encode, load_release
from reference.proposals.kip625 import ENCODINGS
from tests.campaign.kip625 import PAIRS, integer
from tests.helpers.releases import BASE
from tests.helpers.runs import invoke

RELEASE = BASE


def rows_of(message: str, version: int, *values: dict[str, Any]) -> list[tuple[str, int, bytes]]:
    schema = load_release(RELEASE).schema(message, version)
    return [(RELEASE, version, encode(schema, completed(schema, value))) for value in values]


def advice_on(message: str, version: int, *values: dict[str, Any]) -> Advice:
    return advise(message, tally(message, rows_of(message, version, *values)))


def fields(advice: Advice) -> dict[str, FieldAdvice]:
    return {field.path: field for field in advice.fields}


def heartbeat(generation: int) -> dict[str, Any]:
    """A request with an int32."""
    return {"GenerationId": generation}


SMALLEST = [
    ("small numbers", [1, 2, 63], "packed32", 3),
    ("a number beyond the signed limit", [1, 2, 64], "upacked32", 3),
    ("small negative numbers", [-1, 0, -64], "packed32", 3),
    ("numbers that fill 16 bits", [20000, -20000], "fixed16", 4),
    ("one of more than 16 bits", [20000, 40000], "packed32", 6),
    ("numbers that fill 32 bits", [2**31 - 1, -(2**31)], "fixed32", 8),
    ("as many bytes as today", [2**21, -(2**21)], "fixed32", 8),
    ("one large among many small ones", [*range(100), 2**31 - 1], "upacked32", 105),
]


@pytest.mark.parametrize("case", SMALLEST, ids=lambda case: case[0])
def test_the_smallest_encoding_is_advised(case: tuple[str, list[int], str, int]) -> None:
    _, numbers, name, size = case
    advice = advice_on("HeartbeatRequest", 4, *map(heartbeat, numbers))
    field = fields(advice)["GenerationId"]
    assert (field.smallest, field.sizes[name], field.saving) == (name, size, 4 * len(numbers) - size)
    assert (field.values, field.today) == (len(numbers), 4 * len(numbers))


def test_numbers_beyond_a_narrower_encoding_are_counted() -> None:
    numbers = [1, 2, 32767, 32768, -32768, -32769]
    field = fields(advice_on("HeartbeatRequest", 4, *map(heartbeat, numbers)))["GenerationId"]
    assert field.beyond == {16: 2}
    assert [name for name, size in field.sizes.items() if size is None] == ["fixed16", "packed16", "upacked16"]


def test_an_int64_has_nine_encodings() -> None:
    """And numbers beyond 16 and beyond 32 bits."""
    partitions = [{"PartitionIndex": 0, "CommittedOffset": offset} for offset in (100, 70_000, 2**40)]
    advice = advice_on("OffsetCommitRequest", 8, {"Topics": [{"Name": "t", "Partitions": partitions}]})
    field = fields(advice)["Topics[].Partitions[].CommittedOffset"]
    assert (field.smallest, field.sizes["upacked64"]) == ("upacked64", 1 + 3 + 6)
    assert list(field.sizes) == list(ENCODINGS)
    assert field.beyond == {16: 2, 32: 1}


METADATA = {
    "ControllerId": 1,
    "Topics": [
        {
            "Name": "t",
            "Partitions": [
                {"PartitionIndex": 70, "LeaderId": 1, "LeaderEpoch": -1, "ReplicaNodes": [1, 2], "IsrNodes": [200, -1]}
            ],
        }
    ],
}


def test_nested_fields_have_paths_and_elements_of_arrays_no_advice() -> None:
    """A definition can give no encoding to ReplicaNodes and IsrNodes."""
    advice = advice_on("MetadataResponse", 9, METADATA)
    assert [(field.path, field.smallest, field.saving) for field in advice.fields] == [
        ("ControllerId", "packed32", 3),
        ("ThrottleTimeMs", "packed32", 3),
        ("Topics[].Partitions[].LeaderEpoch", "packed32", 3),
        ("Topics[].Partitions[].LeaderId", "packed32", 3),
        ("Topics[].Partitions[].PartitionIndex", "upacked32", 3),
        ("Topics[].ErrorCode", "packed16", 1),
        ("Topics[].Partitions[].ErrorCode", "packed16", 1),
        ("ClusterAuthorizedOperations", "fixed32", 0),
        ("Topics[].TopicAuthorizedOperations", "fixed32", 0),
    ]
    assert advice.saving == 17


def test_tagged_integers_count_where_they_are_written() -> None:
    """At its default such a field has no bytes to save; nor has anything in a struct that is null."""
    path = "FinalizedFeaturesEpoch"
    schema = load_release(RELEASE).schema("ApiVersionsResponse", 3)
    assert path not in {path for path, _, _ in integers(schema, completed(schema, {}))}
    [field] = (each for each in advice_on("ApiVersionsResponse", 3, {path: 5}).fields if each.path == path)
    assert (field.values, field.smallest, field.saving) == (1, "packed64", 7)


def test_invalid_rows_are_counted() -> None:
    rows = [*rows_of("HeartbeatRequest", 4, heartbeat(1)), (RELEASE, 4, b""), (RELEASE, 4, b"\xff" * 9)]
    advice = advise("HeartbeatRequest", tally("HeartbeatRequest", rows))
    assert (advice.rows, advice.unreadable, advice.bytes) == (1, 2, len(rows[0][2]))


def test_counts_add_up() -> None:
    rows = rows_of("HeartbeatRequest", 4, *map(heartbeat, range(-9, 9)))
    assert tally("HeartbeatRequest", rows[:7]) + tally("HeartbeatRequest", rows[7:]) == tally("HeartbeatRequest", rows)


@pytest.mark.parametrize(("type_name", "name"), PAIRS)
def test_sign_and_length_decide_the_size(type_name: str, name: str) -> None:
    encoding, field = ENCODINGS[name], integer(type_name, None).fields[0]
    sizes: dict[object, set[int | None]] = {}
    for bits in range(int(type_name.removeprefix("int"))):
        for number in {1 << bits >> 1, (1 << bits) - 1, (1 << bits) * 3 // 4}:
            for each in (number, ~number):
                size = encoding.size(each) if encoding.holds(each) else None
                sizes.setdefault(kind_of(field, "", each), set()).add(size)
    assert len(sizes) == 2 * int(type_name.removeprefix("int"))
    assert all(len(each) == 1 for each in sizes.values())


SAMPLED = [("MetadataResponse", 12), ("OffsetCommitRequest", 8), ("FetchResponse", 11), ("ProduceResponse", 9)]


@pytest.mark.parametrize(("message", "version"), SAMPLED)
def test_the_message_then_has_the_size_that_was_foretold(message: str, version: int) -> None:
    """Written by the reference with what is advised: these have no tagged structs with integers in them."""
    schema = load_release(RELEASE).schema(message, version)
    values = [sample(schema, str(number)) for number in range(60)]
    advice = advise(message, tally(message, [(RELEASE, version, encode(schema, value)) for value in values]))
    smallest = {field.path: field.smallest for field in advice.fields}
    smaller = encoded(schema, lambda path, _: smallest.get(path))
    assert sum(len(encode(smaller, value)) for value in values) == advice.bytes - advice.saving


def test_every_encoding_has_the_size_that_the_codec_writes() -> None:
    schema = load_release(RELEASE).schema("MetadataResponse", 9)
    value = completed(schema, METADATA)
    now = len(encode(schema, value))
    for field in advise("MetadataResponse", tally("MetadataResponse", [(RELEASE, 9, encode(schema, value))])).fields:
        for name, size in field.sizes.items():
            if size is not None:
                assert len(encode(with_one(schema, field.path, name), value)) - now == size - field.today


def with_one(schema: MessageSchema, path: str, name: str) -> MessageSchema:
    def choose(at: str, _: FieldSchema) -> str | None:
        return name if at == path else None

    return encoded(schema, choose)


def test_message_that_no_release_has_is_refused_before_spark_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    done = invoke("kip625", "advise", "HeartbeetRequest", "--corpus", str(tmp_path))
    assert done.exit_code == 2
    assert "no release has a message 'HeartbeetRequest'. Did you mean HeartbeatRequest" in done.output


def test_help_says_that_a_generated_corpus_is_no_traffic() -> None:
    assert "what `corpus build` writes is no traffic" in " ".join(
        invoke("kip625", "advise", "--help").output.lower().split()
    )
