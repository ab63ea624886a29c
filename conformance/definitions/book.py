"""The book of the protocol (`specs/protocol`), parsed into chapters, sections, statements, and their examples.

A chapter is a Markdown file. Its title is `# 2. Tag sections`, a section of it `## 2.1 Layout`, a statement `### 2.1.1
Every struct ends with a section`; each of these headings ends with an anchor equal to its number. A statement has one
line with its rules and with the way it is known. Examples are rows of tables and fenced blocks.

`covered_by` gives the statements covered by a rule: those of the book, and requirements of proposals. `bytes_of` and
`value_of` read the notation of bytes and values in the cells of a table.
"""

from __future__ import annotations

import json
import re
import struct
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from itertools import chain, starmap
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from reference import completed, from_json
from reference.definitions.model import DECIMAL
from reference.errors import InternalError
from reference.inputs.toml_text import parse_toml
from reference.release import PROPOSED

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

    from reference import FieldSchema, MessageSchema

FOLDER = files("specs") / "protocol"
"""May be in an archive, as on a worker of Spark."""
INDEX = FOLDER / "README.md"

NUMBER = r"[0-9]+(?:\.[0-9]+)*[a-z]?"
_HEADING = re.compile(rf'(?P<level>#+) (?:(?P<number>{NUMBER})\.? )?(?P<title>.*?)(?: <a id="(?P<anchor>[^"]*)"></a>)?')
_RULES = re.compile(r"(?:Rules?: (?P<rules>.*?)|No rule: (?P<reason>.*?))\. Known by: (?P<known>.*)\.")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
STATEMENT_LEVEL = 3


@dataclass(frozen=True)
class TableRow:
    """One row of a table, with the header of that table."""

    chapter: str
    line: int
    statement: str
    """The number of its statement; empty in an introduction."""
    columns: tuple[str, ...]
    cells: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.chapter}:{self.line}"

    def __getitem__(self, column: str) -> str:
        return self.cells[self.columns.index(column)]


@dataclass(frozen=True)
class FencedBlock:
    """One fenced block."""

    chapter: str
    line: int
    statement: str
    language: str
    argument: str
    """The text after the language in the first line."""
    text: str

    def __str__(self) -> str:
        return f"{self.chapter}:{self.line}"


@dataclass(frozen=True)
class Statement:
    """One numbered statement."""

    chapter: str
    line: int
    number: str
    title: str
    rules: tuple[str, ...] = ()
    """The rules with tests of codecs or definitions for it, the closest one first."""
    reason: str = ""
    """The reason why it has no rules: it cannot be observed from outside, or asks for nothing."""
    known: tuple[str, ...] = ()
    """The ways it is known."""


@dataclass
class Chapter:
    """One file of the book."""

    path: Traversable
    number: str = ""
    headings: list[tuple[int, str, str]] = field(default_factory=list)
    """Line, number and anchor of every heading with a number, in order."""
    statements: list[Statement] = field(default_factory=list)
    rows: list[TableRow] = field(default_factory=list)
    blocks: list[FencedBlock] = field(default_factory=list)
    links: list[tuple[int, str]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of its file."""
        return self.path.name.removesuffix(".md")

    @property
    def anchors(self) -> set[str]:
        """The anchors of its headings."""
        return {anchor for _, _, anchor in self.headings}


class _ChapterParser:
    """One pass over the lines of a chapter."""

    def __init__(self, path: Traversable) -> None:
        self.chapter = Chapter(path)
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.at = 0
        self.statement = ""
        self.columns: tuple[str, ...] = ()

    def parse(self) -> Chapter:
        while self.at < len(self.lines):
            self._line(self.lines[self.at])
            self.at += 1
        return self.chapter

    def _line(self, line: str) -> None:
        if line.startswith("```"):
            self._block(line)
        elif line.startswith("#"):
            self._heading(line)
        elif line.startswith("|"):
            self._row(line)
        else:
            # Text ends a table: the next row is a header.
            self.columns = ()
            self._text(line)

    def _block(self, first: str) -> None:
        start = self.at
        self.at = next(at for at in range(start + 1, len(self.lines)) if self.lines[at].startswith("```"))
        language, _, argument = first.removeprefix("```").partition(" ")
        text = "\n".join(self.lines[start + 1 : self.at])
        self.chapter.blocks.append(FencedBlock(self.chapter.name, start + 1, self.statement, language, argument, text))

    def _heading(self, line: str) -> None:
        match = _HEADING.fullmatch(line)
        if match is None:
            raise InternalError(f"{self.chapter.path}:{self.at + 1}: not a heading")
        self.statement = ""
        number = match["number"]
        if number is None:
            return
        self.chapter.headings.append((self.at + 1, number, match["anchor"] or ""))
        if len(match["level"]) == 1:
            self.chapter.number = number
        if len(match["level"]) == STATEMENT_LEVEL:
            self.statement = number
            self.chapter.statements.append(Statement(self.chapter.name, self.at + 1, number, match["title"]))

    def _row(self, line: str) -> None:
        inner = line.strip().removeprefix("|").removesuffix("|")
        cells = tuple(cell.strip().replace("`", "") for cell in inner.split("|"))
        if not self.columns:
            self.columns = cells
        # The line of dashes below the header is no row.
        elif not set(line) <= set("|-: "):
            row = TableRow(self.chapter.name, self.at + 1, self.statement, self.columns, cells)
            self.chapter.rows.append(row)
        self.chapter.links.extend((self.at + 1, link) for link in _LINK.findall(line))

    def _text(self, line: str) -> None:
        self.chapter.links.extend((self.at + 1, link) for link in _LINK.findall(line))
        match = _RULES.fullmatch(line)
        if match is None or not self.statement:
            return
        rules = tuple(re.findall(r"`([^`]+)`", match["rules"] or ""))
        known = tuple(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", match["known"]).split(", "))
        last = self.chapter.statements[-1]
        if last.known:
            raise InternalError(f"{self.chapter.path}:{self.at + 1}: a second line of rules")
        self.chapter.statements[-1] = replace(last, rules=rules, reason=match["reason"] or "", known=known)


@lru_cache(maxsize=1)
def chapters() -> tuple[Chapter, ...]:
    """Return every chapter, in order."""
    parsed = [_ChapterParser(path).parse() for path in FOLDER.iterdir() if path.name[0].isdigit()]
    return tuple(sorted(parsed, key=lambda chapter: int(chapter.number)))


@lru_cache(maxsize=1)
def statements() -> Mapping[str, Statement]:
    """Return every statement, by its number."""
    every = (statement for chapter in chapters() for statement in chapter.statements)
    return MappingProxyType({statement.number: statement for statement in every})


def blocks(language: str, argument: str = "") -> list[FencedBlock]:
    """Return the fenced blocks of the book with that language and that argument."""
    every = (block for chapter in chapters() for block in chapter.blocks)
    return [block for block in every if (block.language, block.argument) == (language, argument)]


def index() -> Chapter:
    """Return the README of the book, which has no statements."""
    return _ChapterParser(INDEX).parse()


REQUIREMENTS = "requirements.toml"


@dataclass(frozen=True)
class Requirement:
    """One statement of a proposal's document, or one decision about an open question of it."""

    number: str
    title: str
    rules: tuple[str, ...] = ()
    """The rules with tests of codecs for it, the closest one first."""
    reason: str = ""
    """The reason why it has no rules: withdrawn, not definite, or about one program."""
    tests: tuple[str, ...] = ()
    """Its tests, by their names in pytest."""


@lru_cache(maxsize=1)
def requirements_of_proposals() -> tuple[Requirement, ...]:
    """Return the requirements of `specs/proposals/requirements.toml`, in order."""
    text = (files("specs") / PROPOSED / REQUIREMENTS).read_bytes()
    entries = [each for section in parse_toml(text, REQUIREMENTS)["section"] for each in section["statements"].items()]
    return tuple(starmap(_requirement, entries))


def _requirement(number: str, entry: dict[str, Any]) -> Requirement:
    entry |= {name: tuple(entry[name]) for name in ("rules", "tests") if name in entry}
    return Requirement(number, **entry)


def covered_by(rule: str) -> tuple[Statement | Requirement, ...]:
    """Return the statements covered by a rule, those of the book first, then requirements of proposals."""
    everything: chain[Statement | Requirement] = chain(statements().values(), requirements_of_proposals())
    return tuple(each for each in everything if rule in each.rules)


_REPEATED_BYTE = re.compile(r"([0-9a-f]{2})\*([0-9]+)")
_REPEATED_TEXT = re.compile(r'"(.)"\*([0-9]+)')
_REPEATED_HEX = re.compile(r'"([0-9a-f]{2})\*([0-9]+)"')
_MESSAGE = re.compile(
    r"(?:(?P<around>frame of|stored) )?(?P<message>[A-Z]\w*) v(?P<version>\d+)(?: of (?P<release>\d+\.\d+\.\d+))?"
)


class Named(NamedTuple):
    """The message in a cell of the column `type`, as `frame of FetchRequest v3` or `RequestHeader v0 of 3.9.1`."""

    message: str
    version: int
    release: str = ""
    """Its release; empty for the newest one."""
    around: str = ""
    """The words `frame of` or `stored`, or empty for the body alone."""


def named_in(cell: str) -> Named | None:
    """Return the message named by a cell, or None for a type alone."""
    parts = _MESSAGE.fullmatch(cell)
    if parts is None:
        return None
    return Named(parts["message"], int(parts["version"]), parts["release"] or "", parts["around"] or "")


def bytes_of(cell: str) -> bytes:
    """Return the bytes in a cell. `61*300` is 300 times that byte, and `(none)` is no byte at all."""
    pieces = "" if cell == "(none)" else _REPEATED_BYTE.sub(lambda match: match[1] * int(match[2]), cell)
    return bytes.fromhex(pieces)


def form_of(cell: str) -> Any:
    """Return the JSON in a cell. `"a"*300` is a text of 300 letters, and `"00*118"` anywhere the hex of 118 bytes."""
    repeated = _REPEATED_TEXT.fullmatch(cell)
    if repeated is not None:
        return repeated[1] * int(repeated[2])
    return json.loads(_REPEATED_HEX.sub(lambda match: f'"{match[1] * int(match[2])}"', cell))


def value_of(schema: MessageSchema, form: Any) -> Any:
    """Return the value of a JSON form without some defaults, and with 64-bit integers and floats as numbers."""
    return completed(schema, from_json(schema, _strict(schema.body, form)))


def _strict(field: FieldSchema, form: Any) -> Any:
    """Return the form with 64-bit integers as text and floats as hex, in place of the book's plain numbers."""
    if form is None:
        return None
    if field.element is not None and isinstance(form, list):
        return [_strict(field.element, item) for item in form]
    if field.type == "struct" and isinstance(form, dict):
        known = {member.name: member for member in (*field.fields, *field.absent_fields)}
        return {name: _strict(known[name], item) if name in known else item for name, item in form.items()}
    if isinstance(form, bool) or not isinstance(form, int | float):
        return form
    if field.type == "float64":
        return struct.pack(">d", form).hex()
    return str(form) if field.type in DECIMAL else form
