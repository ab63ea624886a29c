import json
from pathlib import Path

import pytest

from conformance.fuzzing.rotation import BadState, Rotation

PAIRS = [f"FetchRequest-v{version}" for version in range(4, 19)]


def rotation(folder: Path, pairs: list[str] = PAIRS, about: str = "a codec") -> Rotation:
    return Rotation(folder / "cursor.json", about, pairs)


def test_every_pair_has_its_turn_before_any_has_a_second(tmp_path: Path) -> None:
    turns: list[str] = []
    for _ in range(5):
        night = rotation(tmp_path)
        pairs = night.next(3, busy=())
        night.done(pairs)
        turns += pairs
    assert sorted(turns) == sorted(PAIRS)
    assert rotation(tmp_path).next(3, busy=()) == turns[:3]


def test_a_new_pair_comes_first(tmp_path: Path) -> None:
    rotation(tmp_path).done(PAIRS)
    assert rotation(tmp_path, [*PAIRS, "VoteRequest-v2"]).next(1, busy=()) == ["VoteRequest-v2"]


def test_what_is_being_searched_is_left_out(tmp_path: Path) -> None:
    night = rotation(tmp_path)
    busy = night.next(5, busy=())
    assert not set(night.next(5, busy)) & set(busy)


def test_what_was_not_done_keeps_its_turn(tmp_path: Path) -> None:
    first = rotation(tmp_path).next(3, busy=())
    assert rotation(tmp_path).next(3, busy=()) == first


def test_a_night_counts_how_often_each_pair_was_searched(tmp_path: Path) -> None:
    night = rotation(tmp_path)
    night.done(PAIRS[:2])
    night.done(PAIRS[:1])
    assert [night.searched[pair] for pair in PAIRS[:3]] == [2, 1, 0]
    assert set(rotation(tmp_path).searched.values()) == {0}


def test_the_state_of_another_implementation_is_refused(tmp_path: Path) -> None:
    rotation(tmp_path).done(PAIRS)
    with pytest.raises(BadState, match="is about a codec, not about another: give each its own --state"):
        rotation(tmp_path, about="another")


@pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps({"format": 2, "turn": 1, "last": {}, "about": "a codec"})])
def test_a_file_that_is_no_state_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "cursor.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadState, match=r"cursor\.json .*remove it to begin anew"):
        rotation(tmp_path)
    assert file.read_text(encoding="utf-8") == text
