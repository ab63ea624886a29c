"""The pages of commands, and the anchors of headings.

A command is `reference/commands/specs-diff.html`. `conformance.report.site.documentation` has the addresses of rules
and statements. Addresses follow from the id alone, and stay as long as the id.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from conformance.definitions.book import NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterable

COMMANDS = "reference/commands"

_STATEMENT = re.compile(rf"([0-9]+[A-Z]?-[0-9]+|{NUMBER})\.? ")
"""The number of a statement of a proposal, `482A-3`, or of the book."""
_RULE = re.compile(r"[a-z][a-z0-9-]*\.[a-z0-9-]+")


def command_page(words: Iterable[str]) -> str:
    """Return the page of a command, like `reference/commands/specs-diff` for `specs diff`."""
    return f"{COMMANDS}/{'-'.join(words)}"


def slug(title: str) -> str:
    """Return the anchor of a heading.

    It is the number of a statement, the id of a rule, or the words of the heading as on forges.
    """
    number = _STATEMENT.match(title)
    if number:
        return number[1]
    if _RULE.fullmatch(title):
        return title
    return re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
