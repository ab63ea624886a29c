"""Answers about the requested things, and others."""

import pytest

from conformance.live.capture.answer_rules import AnswerRule, answers_of
from reference import load_release, newest_release
from reference.inputs.toml_text import packaged_toml

RELEASE = load_release(newest_release())
ROWS = packaged_toml("specs", "answers.toml")["answer"]
ASKED = [{"Name": "a", "Partitions": [{"PartitionIndex": 0}, {"PartitionIndex": 1}]}]
TOPICS = {"Topics": ASKED}


def row_of(api: str, version: int) -> AnswerRule:
    row = answers_of(api, version)
    assert row is not None
    return row


def differs(response: dict[str, object]) -> tuple[set[object], set[object]] | None:
    return row_of("ListOffsets", 7).differs(TOPICS, response)


@pytest.mark.parametrize("response", [TOPICS, {"ErrorCode": 3, "Topics": []}])
def test_an_entry_for_each_or_an_error_for_all_is_an_answer(response: dict[str, object]) -> None:
    assert differs(response) is None


def test_a_missing_answer_is_reported() -> None:
    assert differs({"Topics": [{"Name": "a", "Partitions": [{"PartitionIndex": 0}]}]}) == ({("a", 1)}, set())


def test_an_unrequested_answer_is_reported() -> None:
    other = {"Name": "b", "Partitions": [{"PartitionIndex": 2}]}
    assert differs({"Topics": [*ASKED, other]}) == (set(), {("b", 2)})


def test_request_for_all_topics_allows_any_answer() -> None:
    assert row_of("Metadata", 5).differs({"Topics": None}, {"Topics": [{"Name": "a"}]}) is None


def test_fetch_in_a_session_allows_any_answer() -> None:
    asked = {"SessionId": 5, "SessionEpoch": 1, "Topics": [{"Topic": "a", "Partitions": [{"Partition": 0}]}]}
    assert row_of("Fetch", 11).differs(asked, {"ErrorCode": 0, "Responses": []}) is None


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['api']}-{row.get('versions', 'all')}")
@pytest.mark.parametrize(("side", "words"), [("Request", "asked"), ("Response", "answered")])
def test_the_fields_of_a_row_are_those_of_the_definitions(row: dict[str, str], side: str, words: str) -> None:
    message = row["api"] + side
    versions = [each for each in RELEASE.definition(message).valid_versions if answers_of(row["api"], each)]
    assert versions
    for version in versions:
        fields = RELEASE.schema(message, version).fields
        for word in getattr(row_of(row["api"], version), words):
            array, _, name = word.partition(".")
            [field] = [each for each in fields if each.name == array]
            assert field.element is not None
            fields = field.item.fields
            assert not name or name in {each.name for each in fields}
