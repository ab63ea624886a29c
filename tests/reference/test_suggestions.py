import pytest

from reference.suggestions import as_sentence, closed, suggestion


def test_close_names_are_suggested() -> None:
    assert suggestion("Fetsh", ["Fetch", "Produce"]) == "did you mean Fetch?"


def test_without_a_close_name_another_hint_is_given() -> None:
    assert suggestion("zzz", ["Fetch"], "see the list") == "see the list"


def test_much_less_close_name_is_left_out() -> None:
    assert suggestion("FetchReqest", ["FetchRequest", "OffsetFetchRequest"]) == "did you mean FetchRequest?"


def test_a_name_is_suggested_once() -> None:
    assert suggestion("Fetsh", ["Fetch", "Fetch"]) == "did you mean Fetch?"


@pytest.mark.parametrize("name", ["id", "ID", "i_d"])
def test_another_spelling_of_a_short_name_is_close(name: str) -> None:
    assert suggestion(name, ["Id", "Ids"]) == "did you mean Id?"


def test_a_sentence_begins_with_a_capital() -> None:
    assert as_sentence("did you mean Fetch?") == "Did you mean Fetch?"


def test_a_question_gets_no_full_stop() -> None:
    assert [closed("did you mean Fetch?"), closed("name it")] == ["did you mean Fetch?", "name it."]
