import pytest

from tests.helpers.runs import WITHOUT_SEARCH, Finished, suite

ODD = "tests.fakes.odd_answers"

FAULTS = {
    "GivesObject": "decode of HeartbeatResponse-v0: protocol-error: decode returned Trap at ErrorCode, where the",
    "IsObject": "encode of ApiVersionsRequest-v3: protocol-error: encode returned Trap, not bytes",
    "GivesTrapDict": "decode returned a TrapDict that cannot be read: RuntimeError: nobody may look inside",
    "GivesTrapList": "decode returned a TrapList that cannot be read: RuntimeError: nobody may count at More",
    "GivesOtherKeys": "decode returned a dict with 0 as a key; a value is made of",
    "NestsForever": "decode returned a dict that is nested without end; a value is made of",
    "GivesHugeNumber": "decode returned an int of 16001 bits at ErrorCode; a value is",
    "CountsTrue": "decode returned Decoded(consumed=True), not a number of bytes or None",
    "CountsText": "decode returned Decoded(consumed='2'), not a number of bytes or None",
    "CountsTrap": "decode returned Decoded(consumed=a Trap (its repr raises RuntimeError)), not a number of bytes",
}


def run(adapter: str, isolation: str = "never") -> Finished:
    return suite(f"--impl={ODD}:{adapter}", f"--isolation={isolation}", *WITHOUT_SEARCH)


@pytest.mark.parametrize(("adapter", "text"), FAULTS.items(), ids=FAULTS)
def test_an_odd_answer_is_a_fault_of_the_adapter(adapter: str, text: str) -> None:
    """The report begins with the returned and the expected object, and has no finding and no error."""
    finished = run(adapter)
    assert finished.status == 1, finished.text
    assert "the adapter itself seems to be at fault" in finished.text
    assert text in finished.text
    assert " cause" not in finished.text
    assert "no findings" not in finished.text
    assert "ended in errors" not in finished.text


def test_negative_count_in_every_value_is_a_fault_of_the_adapter() -> None:
    finished = run("CountsNegative")
    assert finished.status == 1, finished.text
    assert "at fault" in finished.text
    assert "consumed is wrong in " in finished.text
    assert " cause" not in finished.text


@pytest.mark.parametrize("adapter", ["GivesTrapDict", "CountsText"])
def test_an_odd_answer_out_of_the_child_is_the_same_fault(adapter: str) -> None:
    finished = run(adapter, isolation="always")
    assert finished.status == 1, finished.text
    assert FAULTS[adapter] in finished.text
    assert "ended in errors" not in finished.text


@pytest.mark.parametrize("isolation", ["never", "always"])
def test_an_exception_without_words_is_reported_by_its_name(isolation: str) -> None:
    finished = run("RaisesWithoutWords", isolation)
    assert finished.status == 1, finished.text
    assert "rejected-unclassified: TrapError: (its text raises RuntimeError)" in finished.text
    assert "decode never succeeded: " in finished.text
    assert "ended in errors" not in finished.text


def test_an_odd_answer_to_hostile_bytes_names_them() -> None:
    finished = run("TrapOnSomeBytes", isolation="auto")
    assert finished.status == 1, finished.text
    assert "TrapDict that cannot be read: RuntimeError: nobody may look inside" in finished.text
    assert "ffff" in finished.text.partition("(given ")[2].partition(")")[0]


@pytest.mark.parametrize("adapter", ["GivesTrapText", "RefusesWithoutWords", "ChangesWhatItIsHanded"])
@pytest.mark.parametrize("isolation", ["never", "always"])
def test_an_odd_but_harmless_answer_passes(adapter: str, isolation: str) -> None:
    finished = run(adapter, isolation)
    assert finished.status == 0, finished.text
    assert "no findings" in finished.text
    assert "at fault" not in finished.text
