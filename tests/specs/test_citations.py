from functools import lru_cache

import pytest

from conformance.definitions.book import chapters, requirements_of_proposals
from tests.specs.citations import citations, citations_in

PROPOSALS = "14"
"""The section of the documents that proposed changes: its statements are data and have no chapter."""

SENTENCES = [
    ("As rule 6.24 says.", ["6.24"]),
    ("Lengths (rules 1.1.8 to 1.1.14). No more.", ["1.1.8", "1.1.14"]),
    ("The rules 6.34, 6.35 and 6.43 hold.", ["6.34", "6.35", "6.43"]),
    ("A message that was given up (section 15 on rule 6.9).", ["15", "6.9"]),
    ("Fields, then a section (rules 1.1.12, 3).", ["1.1.12", "3"]),
    ("It is kept (2.5.6).", ["2.5.6"]),
    ("They ascend (2.4, 1.2.10).", ["2.4", "1.2.10"]),
    ("Left open (482A-1).", ["482A-1"]),
    ("# first line (rules 5.1\n    # to 5.4) of a comment", ["5.1", "5.4"]),
    ('    ("6.52a", "empty-struct"),', ["6.52a"]),
    ("Since 4.3.0, and rule 3.9.1 is none.", []),
    (">>> FLOAT64.build(1.5).hex()", []),
    ("cannot be held (2.7 %), and section 12,500", []),
    ('SINCE = "4.0"', []),
]


@lru_cache(maxsize=1)
def known() -> frozenset[str]:
    """The numbers of all chapters, sections and statements."""
    in_the_book = {number for chapter in chapters() for _, number, _ in chapter.headings}
    of_proposals = {statement.number for statement in requirements_of_proposals()}
    return frozenset(in_the_book | of_proposals | {PROPOSALS})


@pytest.mark.parametrize(("text", "numbers"), SENTENCES, ids=[text for text, _ in SENTENCES])
def test_citations_are_found_by_their_form(text: str, numbers: list[str]) -> None:
    """They stand in sentences, in brackets, over the end of a line, or as literals, unlike versions of programs."""
    assert [citation.number for citation in citations_in(text, "some.py")] == numbers


def test_line_of_a_citation_is_its_first_one() -> None:
    found = list(citations_in("one\ntwo (rule 6.1)\nthree", "some.py"))
    assert [str(citation) for citation in found] == ["some.py:2 cites 6.1"]


def test_many_numbers_are_cited() -> None:
    folders = {citation.path.split("/")[0] for citation in citations()}
    assert {"conformance", "reference", "tests"} <= folders
    assert len(list(citations())) > 300


def test_every_cited_number_can_be_looked_up() -> None:
    """It is in the book, or for section 14 in the requirements of the proposals."""
    assert [str(citation) for citation in citations() if citation.number not in known()] == []
