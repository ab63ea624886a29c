"""The addresses of rules and statements in the documentation.

Pages of reports link to them, if the documentation is published. A rule has an address like
`reference/rules/null.html#null.not-written`, a statement of the book one like `book/1-types.html#1.3.8`. An address
follows from the id alone, and stays as long as the id. `docs/_ext` makes the pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata

from conformance.definitions.book import statements
from conformance.definitions.catalogue import family_of

DISTRIBUTION = "kafka-wire-conformance"
URL = "Documentation, "
"""The beginning of the line with the address of the documentation, in the metadata of the package."""

RULES = "reference/rules"
BOOK = "book"
PROPOSALS = f"{BOOK}/proposals"

BOOK_PAGE = "rules/book.html"
"""The page of a site with all statements, for links without a documentation."""


def rule_address(rule: str) -> tuple[str, str]:
    """Return the page of a rule, which is that of its family, without the ending, and its anchor."""
    return f"{RULES}/{family_of(rule)}", rule


def statement_address(number: str) -> tuple[str, str]:
    """Return the page of a statement, and its anchor. A number unknown to the book is that of a proposal."""
    statement = statements().get(number)
    return (f"{BOOK}/{statement.chapter}" if statement else PROPOSALS), number


@dataclass(frozen=True)
class Documentation:
    """The documentation at an address of the web or beside the site, or an empty one without an address."""

    base: str = ""
    """Absolute, or relative to the first page of the site."""

    def __bool__(self) -> bool:
        return bool(self.base)

    def seen_from(self, root: str) -> Documentation:
        """Return the documentation for links from a page with this way to the root of the site."""
        is_absolute = not self.base or "://" in self.base or self.base.startswith("/")
        return self if is_absolute else Documentation(f"{root}{self.base}")

    def rule(self, rule: str) -> str:
        """Return the address of a rule."""
        return self._address(*rule_address(rule))

    def statement(self, number: str) -> str:
        """Return the address of a statement."""
        return self._address(*statement_address(number))

    def _address(self, page: str, anchor: str) -> str:
        return f"{self.base.rstrip('/')}/{page}.html#{anchor}"


def published() -> Documentation:
    """Return the documentation at the address in the metadata of the package, or an empty one without it."""
    try:
        addresses = metadata(DISTRIBUTION).get_all("Project-URL") or []
    except PackageNotFoundError:
        return Documentation()
    return Documentation(next((each.removeprefix(URL) for each in addresses if each.startswith(URL)), ""))
