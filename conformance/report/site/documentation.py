"""The addresses of rules and statements in the documentation, which pages of reports link to if it has been published.

A rule is `reference/rules/null.html#null.not-written`, a statement of the book `book/1-types.html#1.3.8`. Addresses
follow from the id alone, and stay as long as it does. `docs/_ext` makes the pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata

from conformance.definitions.book import statements

DISTRIBUTION = "kafka-wire-conformance"
URL = "Documentation, "
"""Begins the line of the package's metadata that has the address of the documentation."""

RULES = "reference/rules"
BOOK = "book"
PROPOSALS = f"{BOOK}/proposals"


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


@dataclass(frozen=True)
class Documentation:
    """The documentation at an address of the web; an empty one if it has none."""

    base: str = ""

    def __bool__(self) -> bool:
        return bool(self.base)

    def rule(self, rule: str) -> str:
        """Return the address of a rule."""
        return self._address(*rule_address(rule))

    def statement(self, number: str) -> str:
        """Return the address of a statement."""
        return self._address(*statement_address(number))

    def _address(self, page: str, anchor: str) -> str:
        return f"{self.base.rstrip('/')}/{page}.html#{anchor}"


def published() -> Documentation:
    """Return the documentation that the package names among its addresses, if it does."""
    try:
        addresses = metadata(DISTRIBUTION).get_all("Project-URL") or []
    except PackageNotFoundError:
        return Documentation()
    return Documentation(next((each.removeprefix(URL) for each in addresses if each.startswith(URL)), ""))
