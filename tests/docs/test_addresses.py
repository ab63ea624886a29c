"""Addresses of rules, statements and commands: each has one, on the page that is made for it."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

import pytest

from conformance.definitions.book import chapters, requirements_of_proposals, statements
from conformance.definitions.catalogue import catalogue
from conformance.report.site.documentation import rule_address, statement_address
from docs._ext.addresses import command_page, slug
from docs._ext.book import book_pages
from docs._ext.commands import command_pages, commands
from docs._ext.markdown import Page
from docs._ext.rules import rule_pages


def anchors(pages: Iterable[Page]) -> Counter[tuple[str, str]]:
    """How often each page has each anchor."""
    return Counter(
        (page.path.removesuffix(".md"), slug(line.lstrip("#").strip()))
        for page in pages
        for line in page.text.splitlines()
        if line.startswith("#")
    )


@cache
def of_the_book() -> Counter[tuple[str, str]]:
    return anchors(book_pages())


def test_every_rule_has_one_address() -> None:
    made = anchors(rule_pages())
    assert [rule for rule in catalogue() if made[rule_address(rule)] != 1] == []


def test_every_statement_of_the_book_has_one_address() -> None:
    assert [number for number in statements() if of_the_book()[statement_address(number)] != 1] == []


def test_every_statement_of_a_proposal_has_one_address() -> None:
    numbers = [each.number for each in requirements_of_proposals()]
    assert [number for number in numbers if of_the_book()[statement_address(number)] != 1] == []


def test_address_of_a_statement_is_its_anchor_in_the_book() -> None:
    assert all({number for _, number, anchor in chapter.headings} == chapter.anchors for chapter in chapters())


def test_every_command_has_a_page() -> None:
    assert {page.path for page in command_pages()} >= {f"{command_page(words)}.md" for words in commands()}


def test_an_option_of_the_suite_and_of_a_command_are_on_their_pages() -> None:
    pages = {page.path: page.text for page in command_pages()}
    assert "`--known-failures` `FILE`\n: " in pages["reference/commands/run.md"]
    assert "`--watch`\n: " in pages["reference/commands/run.md"]
    assert "`-n NUMBER`\n: " in pages["reference/commands/run.md"].partition("## Options of pytest")[2]
    assert "`--throw-away`\n: " in pages["reference/commands/broker.md"]
    assert "`--witness`\n: " in pages["reference/commands/specs-diff.md"]


def test_an_option_of_the_suite_has_its_default() -> None:
    pages = {page.path: page.text for page in command_pages()}
    assert re.search(r"`--depth` `.*`\n: .*\[default: quick\]", pages["reference/commands/run.md"])


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("2.1.1 Every struct ends with a section", "2.1.1"),
        ("2. Tag sections", "2"),
        ("482A-3 A tag is an int16", "482A-3"),
        ("null.not-written", "null.not-written"),
        ("What a consumer checks", "what-a-consumer-checks"),
    ],
)
def test_the_anchor_of_a_heading(title: str, expected: str) -> None:
    assert slug(title) == expected
