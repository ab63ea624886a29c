import re

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.helpers.runs import WITHOUT_SEARCH, Finished, faults, suite

ODD = "tests.fakes.odd_answers"

ADAPTERS = (
    "GivesObject",
    "IsObject",
    "GivesTrapDict",
    "GivesTrapList",
    "GivesOtherKeys",
    "NestsForever",
    "GivesHugeNumber",
    "CountsTrue",
    "CountsText",
    "CountsTrap",
)


def run(adapter: str, isolation: str = "never") -> Finished:
    return suite(f"--impl={ODD}:{adapter}", f"--isolation={isolation}", *WITHOUT_SEARCH)


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_an_odd_answer_is_a_fault_of_the_adapter(adapter: str, snapshot: SnapshotAssertion) -> None:
    """The report begins with the returned and the expected object, and has no finding and no error."""
    finished = run(adapter)
    assert finished.status == 1, finished.text
    assert faults(finished.text) == snapshot
    assert " cause" not in finished.text
    assert "no findings" not in finished.text
    assert "ended in errors" not in finished.text


def test_negative_count_in_every_value_is_a_fault_of_the_adapter(snapshot: SnapshotAssertion) -> None:
    finished = run("CountsNegative")
    assert finished.status == 1, finished.text
    assert faults(finished.text) == snapshot
    assert " cause" not in finished.text


@pytest.mark.parametrize("adapter", ["GivesTrapDict", "CountsText"])
def test_an_odd_answer_out_of_the_child_is_the_same_fault(adapter: str) -> None:
    finished = run(adapter, isolation="always")
    assert finished.status == 1, finished.text
    assert faults(finished.text) == faults(run(adapter).text) != []
    assert "ended in errors" not in finished.text


@pytest.mark.parametrize("isolation", ["never", "always"])
def test_an_exception_without_words_is_reported_by_its_name(isolation: str, snapshot: SnapshotAssertion) -> None:
    finished = run("RaisesWithoutWords", isolation)
    assert finished.status == 1, finished.text
    assert faults(finished.text) == snapshot
    assert "ended in errors" not in finished.text


def test_an_odd_answer_to_hostile_bytes_names_them() -> None:
    finished = run("TrapOnSomeBytes", isolation="auto")
    assert finished.status == 1, finished.text
    [fault] = faults(finished.text)
    assert re.search(r"TrapDict .*: RuntimeError: ", fault)
    assert "ffff" in fault.partition("(given ")[2].partition(")")[0]


@pytest.mark.parametrize("adapter", ["GivesTrapText", "RefusesWithoutWords", "ChangesWhatItIsHanded"])
@pytest.mark.parametrize("isolation", ["never", "always"])
def test_an_odd_but_harmless_answer_passes(adapter: str, isolation: str) -> None:
    finished = run(adapter, isolation)
    assert finished.status == 0, finished.text
    assert "no findings" in finished.text
    assert "at fault" not in finished.text
