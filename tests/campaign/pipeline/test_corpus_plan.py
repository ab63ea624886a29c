from collections import Counter

import pytest

from conformance.campaign.pipeline.corpus_plan import BLOCK_ROWS, CorpusPlan, cut, parts, width
from conformance.campaign.pipeline.engines import Row
from reference import load_release
from tests.helpers.releases import BASE

PAIRS = len(list(load_release(BASE).schemas()))


def planned(rows: int) -> list[Row]:
    return [block for part in parts(CorpusPlan(BASE, rows, "1")) for block in part]


def test_every_row_is_in_one_block() -> None:
    ends = Counter[tuple[str, int]]()
    for block in planned(5_000_000):
        pair = block["message"], block["version"]
        assert block["first"] == ends[pair]
        ends[pair] += block["rows"]
    assert ends.total() == 5_000_000


def test_pairs_have_equal_shares() -> None:
    assert [block["rows"] for block in planned(3 * PAIRS + 2)] == [4, 4] + [3] * (PAIRS - 2)


def test_fewer_rows_than_pairs_are_planned() -> None:
    assert [block["rows"] for block in planned(1)] == [1]


def test_no_block_is_larger_than_a_block() -> None:
    blocks = planned(PAIRS * (BLOCK_ROWS + 1))
    assert Counter(block["rows"] for block in blocks) == {BLOCK_ROWS: PAIRS, 1: PAIRS}


@pytest.mark.parametrize("rows", [10_000, 1_000_000])
def test_no_part_is_much_more_than_the_others(rows: int) -> None:
    release = load_release(BASE)
    costs = [
        sum(block["rows"] * (12 + width(release.schema(block["message"], block["version"]).body)) for block in part)
        for part in parts(CorpusPlan(BASE, rows, "1"))
    ]
    assert max(costs) < 2 * sum(costs) / len(costs)


def test_the_cut_keeps_items_and_order() -> None:
    items = list(range(100))
    pieces = cut(items, [item + 1 for item in items], 7)
    assert [item for piece in pieces for item in piece] == items
    assert len(pieces) == 7


def test_more_pieces_than_items_are_as_many_as_items() -> None:
    assert cut("ab", [1, 1], 5) == (("a",), ("b",))


def test_the_width_counts_fields_of_structs_and_elements() -> None:
    """ListGroupsRequest v5 has the body, and two arrays with an element each."""
    assert width(load_release(BASE).schema("ListGroupsRequest", 5).body) == 5
