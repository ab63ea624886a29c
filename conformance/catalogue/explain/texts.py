"""The words in which a rule is explained, line by line; and the same as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conformance.catalogue.explain.checks import modules_for
from conformance.catalogue.explain.worked import worked_example
from conformance.catalogue.requirements import Statement, ledger, ledger_of_proposals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.catalogue.explain.example import Example, Row
    from conformance.catalogue.rules import Rule

INDENT = "  "
BYTES_IN_A_LINE = 16
MAXIMUM_BYTES = 64
HEADINGS = ("offset", "bytes", "role", "path")


@dataclass(frozen=True)
class Explanation:
    """Everything that there is to say about a rule."""

    rule: Rule
    statements: tuple[Statement, ...]
    checks: tuple[str, ...]
    right: Example | None
    departs: Example | None

    def lines(self) -> Iterator[str]:
        """For a reader."""
        yield f"{self.rule.id} ({self.rule.level}, {self.rule.side})"
        yield f"{INDENT}{self.rule.text}"
        yield ""
        yield f"{INDENT}sources    {', '.join(self.rule.sources)}"
        for index, statement in enumerate(self.statements):
            yield f"{INDENT}{'' if index else 'covers':10} {statement.number} {statement.title}"
        if self.checks:
            yield f"{INDENT}tested by  {', '.join(f'{module}.py' for module in self.checks)}"
        for heading, example in (("right", self.right), ("departs from it", self.departs)):
            if example is not None:
                yield ""
                yield f"{heading}: {example.title}"
                yield from (f"{INDENT}{line}" for line in _lines(example))

    def as_json(self) -> dict[str, Any]:
        """For a program; bytes in hex."""
        return {
            **as_json(self.rule),
            "statements": [{"number": each.number, "title": each.title} for each in self.statements],
            "checks": list(self.checks),
            "right": _as_json(self.right),
            "departs": _as_json(self.departs),
        }


def explain(rule: Rule) -> Explanation:
    """The rule with its worked example."""
    worked = worked_example(rule)
    statements = (*ledger().about(rule.id), *ledger_of_proposals().about(rule.id))
    return Explanation(rule, statements, modules_for(rule.id), worked.right, worked.wrong)


def as_json(rule: Rule) -> dict[str, Any]:
    """A rule alone."""
    return {
        "id": rule.id,
        "level": rule.level,
        "side": rule.side,
        "text": rule.text,
        "sources": list(rule.sources),
    }


def _as_json(example: Example | None) -> dict[str, Any] | None:
    if example is None:
        return None
    rows = [{**row._asdict(), "wire": row.wire.hex()} for row in example.rows]
    wire = None if example.wire is None else example.wire.hex()
    return {"title": example.title, "wire": wire, "mark": example.mark, "rows": rows, "notes": list(example.notes)}


def _lines(example: Example) -> Iterator[str]:
    if example.rows:
        yield from _dump(example.rows)
    elif example.wire is not None:
        yield from _hex(example.wire, example.mark)
    yield from example.notes


def _dump(rows: tuple[Row, ...]) -> Iterator[str]:
    """A table; what the rule is about has an arrow."""
    table = [HEADINGS, *((str(row.offset), _cut(row.wire), row.role, row.path or "the message") for row in rows)]
    widths = [max(len(line[column]) for line in table) for column in range(len(HEADINGS))]
    for index, line in enumerate(table):
        arrow = "-> " if index and rows[index - 1].marked else "   "
        yield arrow + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _hex(wire: bytes, mark: int | None) -> Iterator[str]:
    """All bytes in lines, with a caret under the first that matters."""
    if not wire:
        yield "no bytes"
    for start in range(0, min(len(wire), MAXIMUM_BYTES), BYTES_IN_A_LINE):
        yield wire[start : start + BYTES_IN_A_LINE].hex(" ")
        if mark is not None and start <= min(mark, len(wire) - 1) < start + BYTES_IN_A_LINE:
            yield f"{'   ' * (min(mark, len(wire) - 1) - start)}^^ byte {min(mark, len(wire) - 1)}"
    if len(wire) > MAXIMUM_BYTES:
        yield f"... ({len(wire)} bytes)"


def _cut(wire: bytes) -> str:
    shown = wire[:BYTES_IN_A_LINE].hex(" ")
    return shown if len(wire) <= BYTES_IN_A_LINE else f"{shown} ... ({len(wire)} bytes)"
