"""The addresses of rules, statements and commands: pages of the site, and anchors in them.

A rule is `reference/rules/null.html#null.not-written`, a statement `book/1-types.html#1.3.8`, a command
`reference/commands/specs-diff.html`. Addresses follow from the id alone, and stay as long as it does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from conformance.definitions.book import NUMBER
from conformance.report.site.documentation import BOOK, PROPOSALS, RULES, family_of, rule_address, statement_address

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "BOOK",
    "COMMANDS",
    "PROPOSALS",
    "RULES",
    "command_page",
    "family_of",
    "rule_address",
    "slug",
    "statement_address",
]

COMMANDS = "reference/commands"

_STATEMENT = re.compile(rf"([0-9]+[A-Z]?-[0-9]+|{NUMBER})\.? ")
"""The number of a statement of a proposal, `482A-3`, or of the book."""
_RULE = re.compile(r"[a-z][a-z0-9-]*\.[a-z0-9-]+")


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
