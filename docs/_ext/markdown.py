"""Pieces of Markdown for generated pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


class Page(NamedTuple):
    """A page of the site.

    Attributes:
        path: its path under `docs/`, like `reference/rules/null.md`.
        text: Markdown.
        home: the file of the repository at the start of its relative links.
    """

    path: str
    text: str
    home: str


def generated(path: str, *parts: str) -> Page:
    """Return a page of some paragraphs, without a file in the repository."""
    return Page(path, "\n\n".join(part for part in parts if part) + "\n", f"docs/{path}")


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table, or no text without rows."""
    lines = ["| " + " | ".join(map(cell, row)) + " |" for row in rows]
    if not lines:
        return ""
    return "\n".join(["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns), *lines])


def definitions(rows: Iterable[tuple[str, str]]) -> str:
    """Return a list of terms, each with its meaning below it, for any width of the page."""
    return "\n\n".join(f"{term}\n: {' '.join(meaning.split()) or '-'}" for term, meaning in rows)


def cell(text: str) -> str:
    """Return a text that fits into a cell of a table."""
    return " ".join(text.replace("|", "\\|").split())


def code(text: str) -> str:
    """Return inline code, or no text for an empty one."""
    return f"`{text}`" if text else ""


def block(text: str, language: str = "text", caption: str = "") -> str:
    """Return a block of code, with a caption if it has one."""
    if caption:
        return f"```{{code-block}} {language}\n:caption: {caption}\n\n{text}\n```"
    return f"```{language}\n{text}\n```"


def toctree(entries: Iterable[str], *, caption: str = "", hidden: bool = True) -> str:
    """Return the list of pages below a page, for the navigation alone unless it is shown."""
    options = [*([f":caption: {caption}"] if caption else []), *([":hidden:"] if hidden else []), ":maxdepth: 1"]
    return "\n".join(["```{toctree}", *options, "", *entries, "```"])


_FENCE = re.compile(r"^(?:```|    )")


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Return a page with each line changed outside of blocks of code."""
    changed, fenced = [], False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        changed.append(line if fenced or _FENCE.match(line) else change(line))
    return "\n".join(changed) + "\n"
