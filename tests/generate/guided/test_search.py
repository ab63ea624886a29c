"""The queue of a guided search."""

import pytest

from conformance.generate.guided.novelty import Answer
from conformance.generate.guided.search import LARGEST, Search
from reference import MessageSchema, judge, load_release
from tests.helpers.probes import field, message

READ = Answer("decode", "value")
EMPTY = message()
TEXT = message(field("Name", "string"))


def search_of(schema: MessageSchema, seed: str = "1") -> Search:
    return Search(schema, seed)


def run(schema: MessageSchema, search: Search, count: int) -> list[bytes]:
    """Propose inputs of an implementation that does what the oracle says, and learn from each."""
    found = []
    for _ in range(count):
        for wire in search.propose(1):
            verdict = judge(schema, wire)
            search.learn(wire, verdict, [Answer("decode", verdict.result.value)])
            found.append(wire)
    return found


def test_the_same_seed_and_answers_give_the_same_inputs() -> None:
    first, again, other = (run(TEXT, search_of(TEXT, seed), 80) for seed in ("1", "1", "2"))
    assert first == again != other


def test_no_input_is_proposed_twice() -> None:
    found = run(TEXT, search_of(TEXT), 200)
    assert len(set(found)) == len(found)


def test_a_message_without_fields_runs_out_of_nothing_but_time() -> None:
    """It has few inputs; fewer are proposed than were asked for, and the search ends."""
    search = search_of(EMPTY)
    assert len(search.propose(500)) < 500


def test_the_same_kind_of_bytes_with_the_same_answer_is_not_new() -> None:
    search = search_of(TEXT)
    wires = [b"\x02a\0", b"\x02b\0"]
    assert search.learn(wires[0], judge(TEXT, wires[0]), [READ])
    assert not search.learn(wires[1], judge(TEXT, wires[1]), [READ])


def test_another_answer_to_the_same_kind_of_bytes_is_new() -> None:
    search, wire = search_of(TEXT), b"\x02a\0"
    for answer in (READ, Answer("decode", "rejected", "ValueError"), Answer("decode", "rejected", "KeyError")):
        assert search.learn(wire, judge(TEXT, wire), [answer])
    assert [kept.wire for kept in search.kept] == [wire] * 3


def test_another_magnitude_of_a_span_is_new() -> None:
    search = search_of(TEXT)
    wires = [bytes([size + 1]) + b"a" * size + b"\0" for size in (4, 8, 9)]
    assert [search.learn(wire, judge(TEXT, wire), [READ]) for wire in wires] == [True, True, False]


def test_a_search_reaches_lengths_whose_varints_have_three_bytes() -> None:
    """Sound ones: they come from values that are changed, for random values have them once in hundreds."""
    schema = load_release("4.4.0").schema("FindCoordinatorRequest", 3)
    wires = run(schema, search_of(schema), 100)
    assert any(len(wire) > 16_384 and judge(schema, wire).result == "valid" for wire in wires)


def test_arrays_that_grow_in_arrays_that_have_grown_stay_within_the_largest_input(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A search that keeps everything, and makes only other sizes, would soon exceed any memory."""
    monkeypatch.setattr("conformance.generate.guided.search.MOVES", ("edit",))
    schema = load_release("4.4.0").schema("OffsetFetchResponse", 8)
    search, sizes = search_of(schema), []
    for number in range(150):
        for wire in search.propose(1):
            search.learn(wire, judge(schema, wire), [Answer("decode", "value", str(number))])
            sizes.append(len(wire))
    assert LARGEST // 4 < max(sizes) <= LARGEST
