import re
from collections import Counter
from operator import attrgetter
from pathlib import Path
from urllib.parse import unquote

from conformance.definitions.book import FOLDER, Chapter, Statement, chapters, index
from conformance.definitions.catalogue import catalogue
from tests.helpers.each import for_each

STATEMENTS = [statement for chapter in chapters() for statement in chapter.statements]
KNOWN = re.compile(
    r"prove|test|specs prove(-evolution)?|specs history|verifier|observed|source|README|KIP-[0-9]+|KAFKA-[0-9]+"
)
"""The ways in which something can be known; the README of the book says what each of them means."""


@for_each(STATEMENTS, attrgetter("number"))
def test_statement_has_one_line_of_rules(statement: Statement) -> None:
    """It names rules of the catalogue or the reason for none, and its source."""
    assert statement.title
    assert statement.known
    assert bool(statement.rules) != bool(statement.reason)
    assert not statement.reason.endswith(".")
    assert set(statement.rules) <= set(catalogue())
    assert len(set(statement.rules)) == len(statement.rules)
    assert all(KNOWN.fullmatch(way) for way in statement.known), statement.known


def test_numbers_are_unique() -> None:
    numbers = Counter(number for chapter in chapters() for _, number, _ in chapter.headings)
    assert [number for number, count in numbers.items() if count > 1] == []


LAST = {
    "1.1": 21,
    "1.2": 13,
    "1.3": 21,
    "2.1": 6,
    "2.2": 9,
    "2.3": 10,
    "2.4": 5,
    "2.5": 15,
    "3": 10,
    "4.1": 15,
    "4.2": 3,
    "4.3": 8,
    "5": 20,
    "6": 67,
    "7.1": 8,
    "7.2": 16,
    "7.3": 4,
    "7.4": 14,
    "8": 10,
    "15": 25,
    "16.1": 10,
    "16.2": 9,
    "16.3": 3,
    "16.4": 4,
    "16.5": 3,
    "16.6": 8,
    "16.7": 5,
    "16.8": 2,
    "16.9": 9,
    "17.1": 3,
    "17.2": 6,
    "17.3": 3,
    "17.4": 3,
}
"""The number of the last statement of each section: a number, once given, keeps its statement."""


def test_no_statement_is_gone() -> None:
    numbers = [statement.number for statement in STATEMENTS if statement.number[-1].isdigit()]
    assert numbers == [f"{section}.{number}" for section, last in LAST.items() for number in range(1, last + 1)]


@for_each(chapters(), attrgetter("name"))
def test_headings_of_a_chapter_have_their_numbers_as_anchors(chapter: Chapter) -> None:
    for _, number, anchor in chapter.headings:
        assert number == anchor
        assert number.split(".")[0] == chapter.number
    numbers = [_sort_key(number) for _, number, _ in chapter.headings]
    assert numbers == sorted(numbers)


@for_each([index(), *chapters()], attrgetter("name"))
def test_links_of_a_chapter_lead_somewhere(chapter: Chapter) -> None:
    broken = [(line, link) for line, link in chapter.links if "://" not in link and not _resolves(chapter, link)]
    assert broken == []


def test_index_leads_to_every_chapter() -> None:
    assert {chapter.path.name for chapter in chapters()} <= {link for _, link in index().links}


def _sort_key(number: str) -> list[tuple[int, str]]:
    parts = (re.fullmatch(r"([0-9]+)([a-z]?)", part) for part in number.split("."))
    return [(int(part[1]), part[2]) for part in parts if part is not None]


def _resolves(chapter: Chapter, link: str) -> bool:
    path, _, anchor = unquote(link).partition("#")
    folder = Path(str(FOLDER))
    target = (folder / path).resolve() if path else folder / chapter.path.name
    if not anchor or not target.exists():
        return target.exists()
    return any(anchor in other.anchors for other in chapters() if folder / other.path.name == target)
