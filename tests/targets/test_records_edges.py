import pytest

from conformance.targets import RECORD_GROUPS
from conformance.targets.records.edge import CODECS, SMALLEST, RecordsEdge
from conformance.targets.records.records_edges import records_edges
from reference import Result, judge_records, records_from_json, records_to_json

EDGES = records_edges()
NAMES = [edge.name for edge in EDGES]


@pytest.mark.parametrize("edge", EDGES, ids=NAMES)
def test_every_edge_is_valid_and_read_as_its_value(edge: RecordsEdge) -> None:
    verdict = judge_records(edge.wire)
    assert verdict.result is Result.VALID
    assert verdict.value == edge.value


@pytest.mark.parametrize("edge", EDGES, ids=NAMES)
def test_every_edge_comes_after_its_needed_edges(edge: RecordsEdge) -> None:
    assert {*edge.needs} <= {*NAMES[: NAMES.index(edge.name)]}


def test_names_of_edges_are_unique() -> None:
    assert len({*NAMES}) == len(NAMES)


def test_every_group_has_edges() -> None:
    assert {edge.group for edge in EDGES} == {*RECORD_GROUPS}


def test_only_the_smallest_batch_and_the_smallest_messages_depart_from_nothing() -> None:
    assert [edge.name for edge in EDGES if not edge.needs] == [SMALLEST, "magic-0", "magic-1"]


@pytest.mark.parametrize("codec", CODECS)
def test_messages_in_a_wrapper_depart_from_a_batch_of_the_same_codec(codec: str) -> None:
    wrappers = [edge for edge in EDGES if edge.name in {f"magic-{magic}-{codec}" for magic in (0, 1)}]
    assert all(codec in edge.needs for edge in wrappers)


@pytest.mark.parametrize("edge", EDGES, ids=NAMES)
def test_every_edge_has_a_json_form(edge: RecordsEdge) -> None:
    assert records_from_json(records_to_json(edge.value)) == edge.value
