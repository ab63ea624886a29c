"""A file of known failures as text that is changed entry by entry; comments keep their places."""

from __future__ import annotations

import json
from textwrap import fill
from typing import TYPE_CHECKING

import tomlkit
from tomlkit.items import AoT, Item, Table

from conformance.findings.known_failures import BadKnownFailures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEY = "failure"
MESSAGES = "messages"
WIDTH = 120


class Document:
    """The entries of a file, by number from 0; removing one does not change the numbers of the others.

    Raises:
        BadKnownFailures: the entries are not written as tables.
    """

    def __init__(self, text: str) -> None:
        document = tomlkit.parse(text)
        entries = document.get(KEY, AoT([]))
        if not isinstance(entries, AoT):
            raise BadKnownFailures(f"only entries that begin with [[{KEY}]] can be rewritten")
        self._tables: list[Table | None] = list(entries.body)
        self._leads = ["".join(item.as_string() for key, item in document.body if key is None)]
        """The blank lines and comments before each entry, and after the last one."""
        self._leads += [_cut_tail(table) for table in entries.body]
        self._appended: list[str] = []

    def set_messages(self, number: int, patterns: Sequence[str]) -> None:
        """Give an entry other patterns."""
        table = self._tables[number]
        if table is not None:
            table[MESSAGES] = _item(MESSAGES, patterns)

    def remove(self, number: int) -> None:
        """Remove an entry with the comment directly above it; a comment before a blank line stays."""
        self._tables[number] = None
        kept, blank, _ = self._leads[number].rpartition("\n\n")
        if blank:
            self._leads[number] = f"{kept}\n"
        elif number > 0:
            self._leads[number] = ""

    def append(self, entry: Mapping[str, str | Sequence[str]]) -> None:
        """Add an entry at the end."""
        lines = [f"{key} = {_item(key, value).as_string()}" for key, value in entry.items()]
        self._appended.append("\n".join([f"[[{KEY}]]", *lines]))

    def as_text(self) -> str:
        """Return the text of the file."""
        tables = ["" if table is None else _text(table) for table in self._tables]
        kept = "".join(lead + table for lead, table in zip(self._leads, [*tables, ""], strict=True)).strip("\n")
        return "\n\n".join([*([kept] if kept else []), *self._appended]) + "\n"


def _cut_tail(table: Table) -> str:
    """Cut blank lines and comments off the end of an entry and return them: they belong to the next one."""
    body = table.value.body
    end = len(body)
    while end and body[end - 1][0] is None:
        end -= 1
    tail = "".join(item.as_string() for _, item in body[end:])
    del body[end:]
    return tail


def _text(table: Table) -> str:
    trivia = table.trivia
    return f"{trivia.indent}[[{KEY}]]{trivia.comment_ws}{trivia.comment}{trivia.trail}{table.as_string()}"


def _item(key: str, value: str | Sequence[str]) -> Item:
    """Return a string, or an array of strings, in as few lines as possible; an array of one string as that string."""
    if isinstance(value, str) or len(value) == 1:
        return tomlkit.string(value if isinstance(value, str) else value[0])
    line = ", ".join(json.dumps(text) for text in value)
    if len(f"{key} = [{line}]") > WIDTH:
        line = f"\n{fill(line, WIDTH, initial_indent='    ', subsequent_indent='    ', break_on_hyphens=False)},\n"
    array: Item = tomlkit.parse(f"{key} = [{line}]").value[key]
    return array
