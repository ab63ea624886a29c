import pytest

from reference.suggestions import as_sentence, close_names, closed, suggestion


def test_close_names_are_suggested() -> None:
    assert close_names("Fetsh", ["Fetch", "Produce"]) == ["Fetch"]
    assert "Fetch?" in suggestion("Fetsh", ["Fetch", "Produce"])


def test_without_a_close_name_another_hint_is_given() -> None:
    assert suggestion("zzz", ["Fetch"], "see the list") == "see the list"


def test_much_less_close_name_is_left_out() -> None:
    assert close_names("FetchReqest", ["FetchRequest", "OffsetFetchRequest"]) == ["FetchRequest"]


def test_a_name_is_suggested_once() -> None:
    assert close_names("Fetsh", ["Fetch", "Fetch"]) == ["Fetch"]


@pytest.mark.parametrize("name", ["id", "ID", "i_d"])
def test_another_spelling_of_a_short_name_is_close(name: str) -> None:
    assert close_names(name, ["Id", "Ids"]) == ["Id"]


def test_a_sentence_begins_with_a_capital() -> None:
    assert as_sentence("which of them?") == "Which of them?"


def test_a_question_gets_no_full_stop() -> None:
    assert [closed("which?"), closed("name it")] == ["which?", "name it."]
