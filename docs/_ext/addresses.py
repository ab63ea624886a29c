"""The addresses of rules, statements and commands: pages of the site, and anchors in them.

A rule is `reference/rules/null.html#null.not-written`, a statement `book/1-types.html#1.3.8`, a command
`reference/commands/specs-diff.html`. Addresses follow from the id alone, and stay as long as it does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from conformance.definitions.book import NUMBER, statements

if TYPE_CHECKING:
    from collections.abc import Iterable

RULES = "reference/rules"
COMMANDS = "reference/commands"
BOOK = "book"
PROPOSALS = f"{BOOK}/proposals"

_STATEMENT = re.compile(rf"([0-9]+[A-Z]?-[0-9]+|{NUMBER})\.? ")
"""The number of a statement of a proposal, `482A-3`, or of the book."""
_RULE = re.compile(r"[a-z][a-z0-9-]*\.[a-z0-9-]+")


def family_of(rule: str) -> str:
    """Return the family of a rule, which is its page: `null` of `null.not-written`."""
    return rule.partition(".")[0]


def rule_address(rule: str) -> tuple[str, str]:
    """Return the page of a rule, without an ending, and its anchor."""
    return f"{RULES}/{family_of(rule)}", rule


def statement_address(number: str) -> tuple[str, str]:
    """Return the page of a statement, and its anchor; a number that is none of the book is one of a proposal."""
    statement = statements().get(number)
    return (f"{BOOK}/{statement.chapter}" if statement else PROPOSALS), number


def command_page(words: Iterable[str]) -> str:
    """Return the page of a command: `specs diff` is `reference/commands/specs-diff`."""
    return f"{COMMANDS}/{'-'.join(words)}"


def slug(title: str) -> str:
    """Return the anchor of a heading: the number of a statement, the id of a rule, or its words as on forges."""
    number = _STATEMENT.match(title)
    if number:
        return number[1]
    if _RULE.fullmatch(title):
        return title
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
