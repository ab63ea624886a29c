import json
from typing import Any

import pytest
from click.testing import CliRunner

from conformance.commands.kip625 import (
    BEST,
    LETTERS,
    PARTITIONS,
    REST,
    TAG_SECTIONS,
    TAGS,
    WORST,
    parts,
    released,
    value_of,
    with_encodings,
)
from conformance.commands.main import main
from conformance.generate.structure import struct_at
from reference import MessageSchema, encode
from reference.proposals.kip625 import KIP_625
from tests.reference.proposals.kip625 import integer

UPACKED, PACKED = with_encodings(), with_encodings("packed")
HIGHEST = 2**31 - 1
PARTITION = "Topics[0].Partitions[0]"

EXAMPLE = {
    "ErrorCode": 0,
    "PartitionIndex": 7,
    "LeaderId": 1,
    "LeaderEpoch": 5,
    "ReplicaNodes": [1, 2],
    "IsrNodes": [1, 2],
    "OfflineReplicas": [],
}


def element(schema: MessageSchema, value: dict[str, Any]) -> bytes:
    return KIP_625.protocol.body(struct_at(schema, PARTITION), inside_tag=False).write(value)


def partition(number: int, error_code: int, counts: tuple[int, int, int]) -> dict[str, Any]:
    """Return a partition with equal numbers, and with given counts of replicas, in-sync and offline ones."""
    names = ("ReplicaNodes", "IsrNodes", "OfflineReplicas")
    arrays = {name: [number] * count for name, count in zip(names, counts, strict=True)}
    return {"ErrorCode": error_code, **dict.fromkeys(("PartitionIndex", "LeaderId", "LeaderEpoch"), number), **arrays}


COUNTS = [(0, 0, 0), (1, 1, 0), (2, 2, 0), (3, 2, 1), (126, 126, 126)]


@pytest.mark.parametrize("counts", COUNTS)
def test_a_partition_has_the_sizes_of_the_formulas(counts: tuple[int, int, int]) -> None:
    """It is 17 + 4n today, 7 + n at best, 21 + 5n at worst, and one byte more on the wire for the tag section."""
    n = sum(counts)
    assert len(element(released(), partition(1, 1, counts))) == 17 + 4 * n + 1
    assert len(element(UPACKED, partition(127, 127, counts))) == 7 + n + 1
    assert len(element(UPACKED, partition(HIGHEST, 16384, counts))) == 21 + 5 * n + 1
    assert len(element(PACKED, partition(HIGHEST, 8192, counts))) == 21 + 5 * n + 1


def test_a_partition_as_bytes() -> None:
    """33 bytes today and 11 in unsigned varints, before the tag section."""
    today = "0000 00000007 00000001 00000005 03 00000001 00000002 03 00000001 00000002 01"
    assert element(released(), EXAMPLE) == bytes.fromhex(today) + b"\0"
    assert element(UPACKED, EXAMPLE) == bytes.fromhex("00 07 01 05 03 01 02 03 01 02 01") + b"\0"


LIMITS = [
    ("packed32", 134217728, 5), ("upacked32", 268435456, 5),
    ("packed16", 64, 2), ("packed16", 8192, 3), ("upacked16", 128, 2), ("upacked16", 16384, 3),
]  # fmt: skip


@pytest.mark.parametrize(("name", "number", "length"), LIMITS)
def test_worst_case_begins_at_the_step_of_the_encoding(name: str, number: int, length: int) -> None:
    """Unlike in the document, an error code of 128 takes two bytes, as does one of 256."""
    schema = integer(f"int{name[-2:]}", name)
    assert [len(encode(schema, {"Number": each})) for each in (number - 1, number)] == [length - 1, length]


def test_limit_of_the_document_is_for_signed_numbers() -> None:
    """An unsigned one of 134,217,728 takes four bytes still."""
    assert encode(integer("int32", "upacked32"), {"Number": 134217728}).hex() == "80808040"


def test_best_case_has_the_size_of_the_document() -> None:
    """1,100 bytes of partitions, 29 of the rest, and the names."""
    sizes = parts(UPACKED, BEST)
    assert sum(sizes.values()) - sizes[TAGS] == 1170
    assert sizes[REST] == 29 + LETTERS
    assert sizes[TAGS] == TAG_SECTIONS


def test_worst_case_is_larger_than_in_the_document() -> None:
    """The partitions alone take 4,000 of the document's 4,026 bytes."""
    sizes = parts(UPACKED, WORST)
    assert sum(size for part, size in sizes.items() if part not in {REST, TAGS}) == 40 * PARTITIONS
    assert sum(sizes.values()) - sizes[TAGS] == 4026 + 57


def test_best_case_with_tag_sections_is_larger_than_in_the_document() -> None:
    assert sum(parts(UPACKED, BEST).values()) - LETTERS > 1170


def test_released_encoding_does_not_depend_on_the_numbers() -> None:
    """3,385 bytes, and 104 of tag sections."""
    assert parts(released(), BEST) == parts(released(), WORST)
    assert len(encode(released(), value_of(BEST))) == 3385 + TAG_SECTIONS


def test_the_command_prints_both_sizes_beside_those_of_the_document() -> None:
    done = CliRunner().invoke(main, ["kip625", "size"])
    assert done.exit_code == 0
    table = [line.split() for line in done.output.splitlines()]
    assert ["all", "3,385", "1,170", "4,083"] in table
    assert ["the", "document", "-", "1,170", "4,026"] in table
    assert ["with", "tag", "sections", "3,489", "1,274", "4,187"] in table


def test_the_command_prints_json() -> None:
    cases = json.loads(CliRunner().invoke(main, ["kip625", "size", "--json"]).output)
    assert [case["bytes"] for case in cases] == [3385, 1170, 4083]
    assert [case["document"] for case in cases] == [None, 1170, 4026]
    assert [sum(case["parts"].values()) for case in cases] == [3489, 1274, 4187]


def test_the_command_shows_progress_on_a_terminal_only() -> None:
    run = CliRunner()
    shown = [run.invoke(main, ["kip625", "size"], env=env).stderr for env in ({"FORCE_COLOR": "1"}, {})]
    assert "counting bytes" in shown[0]
    assert not shown[1]
