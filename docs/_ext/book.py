"""The pages of the book, with its chapters and the statements of proposals."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from conformance.definitions.book import FOLDER, INDEX, chapters, requirements_of_proposals
from conformance.report.site.documentation import BOOK, PROPOSALS
from docs._ext.markdown import Page, block, generated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.definitions.book import Requirement

HOME = "specs/protocol"
DECLARATIONS = "construct"
"""The page beside the chapters."""

_ANCHOR = re.compile(r' <a id="[^"]*"></a>$', re.MULTILINE)
_BLOCK = re.compile(r"^```(?P<language>hex|jsonc?) (?P<caption>.+)\n(?P<text>(?:.*\n)*?)```$", re.MULTILINE)


def book_pages() -> Iterator[Page]:
    """Yield the index of the book, its chapters, and the page beside them."""
    yield Page(f"{BOOK}/index.md", INDEX.read_text(encoding="utf-8"), f"{HOME}/README.md")
    yield from map(_chapter, [*(chapter.name for chapter in chapters()), DECLARATIONS])
    yield generated(f"{PROPOSALS}.md", *_proposals())


def _chapter(name: str) -> Page:
    """Return a chapter.

    Its headings give the anchors. The words after the language of a block are its caption.
    """
    text = _ANCHOR.sub("", (FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    return Page(f"{BOOK}/{name}.md", _BLOCK.sub(_captioned, text), f"{HOME}/{name}.md")


def _captioned(match: re.Match[str]) -> str:
    return block(match["text"].removesuffix("\n"), match["language"], match["caption"])


def _proposals() -> Iterator[str]:
    yield "# Statements of proposals"
    yield (
        "The statements of proposals that were never released, or were released in another form. "
        "[Proposals](../reference/proposals.md) describes them."
    )
    yield from map(_requirement, requirements_of_proposals())


def _requirement(requirement: Requirement) -> str:
    rules = ", ".join(f"`{rule}`" for rule in requirement.rules)
    known = f"Rules: {rules}." if rules else f"No rule: {requirement.reason}."
    return f"## {requirement.number} {requirement.title}\n\n{known}"
