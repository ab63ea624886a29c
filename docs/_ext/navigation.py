"""The order of the pages in the navigation of the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.definitions.book import chapters
from conformance.report.site.documentation import PROPOSALS
from docs._ext.commands import commands
from docs._ext.markdown import toctree
from docs._ext.rules import families

if TYPE_CHECKING:
    from collections.abc import Iterator

    from docs._ext.markdown import Page

HOW_TO = {
    "A codec": ("findings", "options", "adapters", "harnesses", "several-releases", "own-definitions", "vectors"),
    "A server or a client": ("servers", "clients"),
    "Bytes and traffic": ("explain", "captures", "logs"),
    "Long runs": ("campaigns", "nightly", "cluster", "corpora", "queries"),
    "Results": ("ci", "known-failures", "reports-site"),
}
"""The pages of each group of `how-to/`."""

PARTS = {
    "Tutorials": (
        *(
            "install",
            "tutorials/python-codec",
            "tutorials/another-language",
            "tutorials/server-or-client",
            "tutorials/bytes",
        ),
        *("tutorials/vectors", "tutorials/real-finding"),
    ),
    "How to": ("how-to/index",),
    **{
        f"How to: {group[0].lower()}{group[1:]}": tuple(f"how-to/{page}" for page in pages)
        for group, pages in HOW_TO.items()
    },
    "Explanation": (
        *("questions", "explanation/oracle", "explanation/judgement", "explanation/causes"),
        *("explanation/unspecified", "explanation/costs"),
    ),
    "Reference": (
        *("reference/rules/index", "book/index", "reference/commands/index"),
        *("reference/options", "reference/adapter", "reference/records"),
        *(
            "reference/bridge",
            "reference/bridge-schema",
            "reference/report-lines",
            "reference/files",
            "reference/captures",
        ),
        *("reference/found-cases", "reference/vectors", "reference/reference", "reference/reference-names"),
        *("reference/definitions", "reference/proposals", "reference/stable", "glossary", "changelog", "security"),
    ),
    "For builders": (
        *("builders/contributing", "builders/architecture", "builders/campaigns", "builders/mutants"),
        "builders/programs",
        *(
            "builders/libraries-go",
            "builders/libraries-java",
            "builders/libraries-javascript",
            "builders/libraries-rust",
        ),
    ),
}
"""The pages of each part of the site."""


def with_navigation(page: Page) -> Page:
    """Return a page with the pages below it, if it has any."""
    trees = "\n\n".join(_trees(page.path))
    return page._replace(text=f"{page.text}\n{trees}\n") if trees else page


def _trees(path: str) -> Iterator[str]:
    match path:
        case "index.md":
            yield from (toctree(pages, caption=part) for part, pages in PARTS.items())
        case "book/index.md":
            yield toctree([*(chapter.name for chapter in chapters()), "construct", PROPOSALS.rpartition("/")[2]])
        case "reference/rules/index.md":
            yield toctree(families())
        case "reference/commands/index.md":
            yield toctree("-".join(words) for words in commands())
