"""The explanation of a rule, as lines and as JSON: its text and sources, what it covers, and its worked example."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.catalogue.annotated_bytes import Row, mark, plain_hex, table
from conformance.catalogue.readings import changes, cut, errors, reading, rows, title_of, value_text
from conformance.catalogue.requirements import Statement, requirements, requirements_of_proposals
from reference import Unencodable, decode, encode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.catalogue.rules import Example, Rule

INDENT = "  "
SIZE = 4
"""The bytes of a frame's size."""
CRC = slice(17, 21)
"""Where the first batch of a field has its CRC."""


@dataclass(frozen=True)
class Shown:
    """One side of an example: what keeps the rule, or what breaks it."""

    title: str
    notes: tuple[str, ...]
    wire: bytes | None = None
    rows: tuple[Row, ...] = ()
    caret: int | None = None
    """The index of the first wrong byte."""

    def lines(self) -> Iterator[str]:
        """Yield the bytes as a table or in hex, then the notes."""
        if self.rows:
            yield from table(self.rows)
        elif self.wire is not None:
            yield from plain_hex(self.wire, self.caret)
        yield from self.notes

    def as_json(self) -> dict[str, Any]:
        """Return the same facts; bytes are in hex."""
        return {
            "title": self.title,
            "wire": None if self.wire is None else self.wire.hex(),
            "mark": self.caret,
            "rows": [row.as_json() for row in self.rows],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Explanation:
    """Everything that the catalogue and the reference say about a rule."""

    rule: Rule
    statements: tuple[Statement, ...]
    right: Shown | None
    wrong: Shown | None

    def lines(self) -> Iterator[str]:
        """Yield the explanation line by line."""
        yield f"{self.rule.id} ({self.rule.level}, {self.rule.side})"
        yield f"{INDENT}{self.rule.text}"
        yield ""
        yield f"{INDENT}sources    {', '.join(self.rule.sources)}"
        for index, statement in enumerate(self.statements):
            yield f"{INDENT}{'' if index else 'covers':10} {statement.number} {statement.title}"
        for heading, shown in (("right", self.right), ("departs from it", self.wrong)):
            if shown is not None:
                yield ""
                yield f"{heading}: {shown.title}"
                yield from (f"{INDENT}{line}" for line in shown.lines())

    def as_json(self) -> dict[str, Any]:
        """Return the same facts; bytes are in hex."""
        return {
            **rule_as_json(self.rule),
            "statements": [{"number": statement.number, "title": statement.title} for statement in self.statements],
            "right": None if self.right is None else self.right.as_json(),
            "departs": None if self.wrong is None else self.wrong.as_json(),
        }


def explain(rule: Rule) -> Explanation:
    """Return the rule with what it covers and with its example."""
    statements = (*requirements().about(rule.id), *requirements_of_proposals().about(rule.id))
    if rule.side == "definition":
        return Explanation(rule, statements, None, _broken_definition(rule.example))
    return Explanation(rule, statements, _right(rule), _wrong(rule.example))


def rule_as_json(rule: Rule) -> dict[str, Any]:
    """Return the rule alone."""
    facts = {name: getattr(rule, name) for name in ("id", "level", "side", "text")}
    return {**facts, "sources": list(rule.sources)}


def _right(rule: Rule) -> Shown:
    example = rule.example
    wire = example.right or b""
    marked = mark(rows(example, wire), rule.id, _first_difference(example))
    return Shown(_title(example), tuple(_right_notes(example, wire)), wire, marked)


def _right_notes(example: Example, wire: bytes) -> Iterator[str]:
    if example.target != "body":
        yield from reading(example, wire)
        return
    schema = example.schema()
    yield f"value: {value_text(schema, decode(schema, wire).value)}"
    if example.same is not None:
        yield f"the same bytes: {example.same!r}"
    if example.note:
        yield example.note
    if example.wrong is None and example.value is None:
        yield from reading(example, wire)[:2]


def _wrong(example: Example) -> Shown | None:
    title = f"{_title(example)}, {example.difference}"
    if example.value is not None:
        return Shown(title, (f"value: {cut(repr(example.value))}", _refusal(example)))
    if example.wrong is None:
        return None
    return Shown(title, reading(example, example.wrong), example.wrong, caret=_first_difference(example))


def _refusal(example: Example) -> str:
    try:
        return f"written as {encode(example.schema(), example.value or {}).hex(' ')}"
    except Unencodable as error:
        return f"refused: {error}"


def _title(example: Example) -> str:
    if example.target == "records":
        return "a records field"
    return f"{example.message} alone" if example.target == "primitive" else title_of(example.schema())


def _first_difference(example: Example) -> int | None:
    """Return the index of the first wrong byte, None without wrong bytes.

    The size of a frame and the CRC of a batch follow from the rest, and are compared last. A prefix is wrong or missing
    from its first byte.
    """
    if example.right is None or example.wrong is None:
        return None
    if example.target == "prefixed":
        return 0
    right, wrong = example.right, example.wrong
    if example.target == "records" and right[CRC.stop :] != wrong[CRC.stop :]:
        right, wrong = _without_crc(right), _without_crc(wrong)
    start = SIZE if example.target == "frame" and right[SIZE:] != wrong[SIZE:] else 0
    pairs = enumerate(zip(right[start:], wrong[start:], strict=False), start)
    return next((index for index, (one, other) in pairs if one != other), min(len(right), len(wrong)))


def _without_crc(wire: bytes) -> bytes:
    return wire[: CRC.start] + bytes(CRC.stop - CRC.start) + wire[CRC.stop :]


def _broken_definition(example: Example) -> Shown:
    if example.old or example.new:
        texts = [f"{name}: {text}" for name, text in (("old", example.old), ("new", example.new)) if text]
        return Shown("a definition that changed", (*texts, *_text_lines(changes(example))))
    if example.release:
        texts = [text for module in example.release.values() for text in module]
        return Shown("definitions of one release", (*texts, *_text_lines(errors(example))))
    return Shown("Sample.json", (example.definition, *_text_lines(errors(example))))


def _text_lines(statements: Iterable[object]) -> Iterator[str]:
    for statement in statements:
        yield from str(statement).splitlines()
