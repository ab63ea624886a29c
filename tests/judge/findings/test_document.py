import tomllib

import pytest

from conformance.judge.findings.known_failures import BadKnownFailures
from conformance.judge.findings.ratchet_update import WIDTH, Document

TITLE = "# what this file is about\n"
HEAD = f"{TITLE}\n# about the first\n"
FIRST = """[[failure]]  # right beside it
rule = "null.not-written"   # why not
messages = [
    "FetchRequest",  # the worst
    "Vote*",
]
outcome = 'bytes'
reason = "one"
"""
BETWEEN = """
# a section

# about the second
"""
SECOND = """[[failure]]
rule = "tag.size"
messages = "*"
outcome = "bytes"
reason = '''two
[[failure]]
'''
"""
END = """
# the end
"""
TEXT = HEAD + FIRST + BETWEEN + SECOND + END


def test_unchanged_document_keeps_its_text() -> None:
    assert Document(TEXT).as_text() == TEXT


def test_other_messages_leave_the_rest_of_an_entry_alone() -> None:
    document = Document(TEXT)
    document.set_messages(1, ["FetchRequest", "VoteRequest-v1..2"])
    changed = SECOND.replace('messages = "*"', 'messages = ["FetchRequest", "VoteRequest-v1..2"]')
    assert document.as_text() == HEAD + FIRST + BETWEEN + changed + END


def test_a_single_message_is_no_list() -> None:
    document = Document(TEXT)
    document.set_messages(1, ["FetchRequest"])
    assert 'messages = "FetchRequest"\n' in document.as_text()


def test_many_messages_are_wrapped() -> None:
    names = [f"Message{number}Request-v1..2" for number in range(40)]
    document = Document(TEXT)
    document.set_messages(1, names)
    text = document.as_text()
    assert tomllib.loads(text)["failure"][1]["messages"] == names
    assert max(map(len, text.splitlines())) <= WIDTH


def test_an_entry_is_removed_with_the_comment_right_above_it() -> None:
    document = Document(TEXT)
    document.remove(1)
    assert document.as_text() == HEAD + FIRST + "\n# a section\n" + END


def test_the_first_entry_is_removed_without_the_head_of_the_file() -> None:
    document = Document(TEXT)
    document.remove(0)
    assert document.as_text() == TITLE + BETWEEN + SECOND + END


def test_of_a_file_without_entries_the_comments_are_left() -> None:
    document = Document(TEXT)
    document.remove(0)
    document.remove(1)
    assert document.as_text() == TITLE + "\n# a section\n" + END


@pytest.mark.parametrize(("text", "before"), [(TEXT, f"{TEXT}\n"), ("", ""), (FIRST.rstrip(), f"{FIRST}\n")])
def test_an_entry_is_appended_after_a_blank_line(text: str, before: str) -> None:
    document = Document(text)
    document.append({"rule": "tag.size", "messages": ["A", "B"], "outcome": "bytes", "reason": 'a "why"'})
    entry = '[[failure]]\nrule = "tag.size"\nmessages = ["A", "B"]\noutcome = "bytes"\nreason = "a \\"why\\""\n'
    assert document.as_text() == before + entry


def test_written_text_is_read_unchanged() -> None:
    document = Document(TEXT)
    document.append({"rule": "tag.size", "messages": ["A"], "outcome": "bytes", "reason": "why"})
    once = document.as_text()
    assert Document(once).as_text() == once


def test_entries_in_one_list_are_refused() -> None:
    with pytest.raises(BadKnownFailures, match=r"\[\[failure\]\]"):
        Document('failure = [{rule = "tag.size"}]')
