import json

import pytest

from conformance.campaign.pipeline.batches import summed_by
from conformance.campaign.pipeline.corpus_rows import KEYS, CorpusRow, hash_of_columns, make_row, row_hash
from conformance.campaign.pipeline.engines import Row
from reference import from_json, judge, load_release
from tests.helpers.releases import BASE, OLDEST

SCHEMA = load_release(BASE).schema("MetadataRequest", 12)

PLACE = f"{BASE}/messages/MetadataRequest/v12/corpus-1"
INVALID = CorpusRow(
    PLACE, BASE, "MetadataRequest", 12, "invalid", b"\x01", None, ("Truncated",), "truncated", 1, seed="1/1"
)
OTHER = CorpusRow("2", OLDEST, "FetchRequest", 11, "valid", b"\x02", "{}", ("Truncated", "A"), None, None, seed="2/1")


def rows(count: int, seed: str = "1") -> list[CorpusRow]:
    """The first rows of MetadataRequest v12."""
    return [make_row(BASE, SCHEMA, index, seed) for index in range(count)]


def test_another_seed_gives_other_bytes() -> None:
    same = [one.wire == other.wire for one, other in zip(rows(50), rows(50, "2"), strict=True)]
    assert sum(same) < 25


def test_every_other_row_is_a_sound_encoding() -> None:
    assert {row.result for row in rows(100)[::2]} == {"valid"}


def test_hostile_rows_have_every_result() -> None:
    assert {row.result for row in rows(400)[1::2]} == {"valid", "invalid", "unspecified"}


def test_a_row_has_the_verdict_on_its_bytes() -> None:
    for row in rows(200):
        verdict = judge(SCHEMA, row.wire)
        assert (row.result, row.reason, row.offset) == (verdict.result, verdict.reason, verdict.offset)
        value = None if row.value is None else from_json(SCHEMA, json.loads(row.value))
        assert value == verdict.value


@pytest.mark.parametrize("column", CorpusRow._fields)
def test_the_hash_is_over_every_column(column: str) -> None:
    assert row_hash(INVALID) != row_hash(INVALID._replace(**{column: getattr(OTHER, column)}))


def test_the_hash_of_a_row_is_pinned() -> None:
    """Other programs may compute it, as SHA-256 of the columns as text with NUL between them."""
    assert row_hash(INVALID).hex() == "66e2a95e5d2b34d3b773353ed03ee9fe236e634c935453aae42768704e490177"


def sums(rows: list[CorpusRow]) -> list[Row]:
    return [*summed_by(KEYS, hash_of_columns, [row._asdict() for row in rows])]


def test_the_sums_of_rows_do_not_depend_on_their_order() -> None:
    own = rows(20)
    assert sorted(map(str, sums(own))) == sorted(map(str, sums(own[::-1])))
    assert sum(row["number"] for row in sums(own)) == 20


def test_the_sum_of_a_row_begins_its_hash() -> None:
    """Other programs may compute it, as the first eight bytes of the hash, signed."""
    assert [row["hash"] for row in sums([INVALID])] == [0x66E2A95E5D2B34D3]
