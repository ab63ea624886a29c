"""The explanation of a rule, its sources, its statements and a worked example, as lines and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from conformance.definitions.book import covered_by
from conformance.definitions.catalogue import DECODE, ENCODE
from conformance.report.explain.explained_targets import explain_target
from conformance.report.explain.rendering import tree, verdict_lines
from conformance.targets import Body, target_at
from conformance.targets.plain_values import short_repr
from reference import Unencodable, encode
from reference.definitions.errors import BrokenDefinition
from reference.definitions.validate import broken_release_rules, hints, release_hints
from reference.evolution import Change, DefinitionSet, release_changes
from reference.explained.explanation import explanation_as_json
from reference.protocols import loader_of
from reference.records.layouts import CRC

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conformance.definitions.book import Requirement, Statement
    from conformance.definitions.catalogue import Example, Rule
    from conformance.targets import Target
    from reference.definitions.model import Definition
    from reference.explained.explanation import Explanation

INDENT = "  "
SIZE = 4
"""The number of bytes of the size of a frame."""

FOLDERS = {"records": "records", "primitive": "primitives", "frame": "frames"}
"""The folders of the vectors of targets other than bodies and stored messages."""

FILE = "Sample.json"
"""The name for the file of a definition in an example."""


@dataclass(frozen=True)
class ExampleSide:
    """The right or the wrong side of an example, without a meaning for a value or a definition.

    `notes` are facts not visible in the bytes. `offset` is the index of the first byte with a difference between the
    sides.
    """

    title: str
    notes: tuple[str, ...]
    meaning: Explanation | None = None
    offset: int | None = None

    def lines(self) -> Iterator[str]:
        """Yield the bytes as a table, with the verdict on them, then the notes."""
        if self.meaning is not None:
            yield from (line.plain for line in islice(tree(self.meaning), 1, None))
        yield from self.notes

    @property
    def verdict(self) -> tuple[str, ...]:
        """The lines of the verdict on the bytes, or none without bytes."""
        return () if self.meaning is None else tuple(line.plain for line in verdict_lines(self.meaning))

    def as_json(self) -> dict[str, Any]:
        """Return the same facts, with bytes in hex."""
        meaning = None if self.meaning is None else explanation_as_json(self.meaning)
        return {"title": self.title, "bytes": meaning, "offset": self.offset, "notes": list(self.notes)}


@dataclass(frozen=True)
class RuleExplanation:
    """The facts of a rule, with the statements or requirements covered by it, and the sides of its example."""

    rule: Rule
    statements: tuple[Statement | Requirement, ...]
    right: ExampleSide | None
    wrong: ExampleSide | None

    def lines(self) -> Iterator[str]:
        """Yield the explanation line by line."""
        yield f"{self.rule.id} ({level_text(self.rule)}, {self.rule.side})"
        yield f"{INDENT}{self.rule.text}"
        yield ""
        yield f"{INDENT}sources    {', '.join(self.rule.sources)}"
        for index, statement in enumerate(self.statements):
            yield f"{INDENT}{'' if index else 'covers':10} {statement.number} {statement.title}"
        if self.rule.foundation:
            yield f"{INDENT}based on   {self.rule.foundation}"
        for index, weakness in enumerate(self.rule.weaknesses):
            yield f"{INDENT}{'' if index else 'weakness':10} {weakness.label} {weakness.name}"
        for heading, shown in (("right", self.right), ("departs from it", self.wrong)):
            if shown is not None:
                yield ""
                yield f"{heading}: {shown.title}"
                yield from (f"{INDENT}{line}".rstrip() for line in shown.lines())

    def as_json(self) -> dict[str, Any]:
        """Return the same facts, with bytes in hex."""
        return {
            **rule_as_json(self.rule),
            "statements": [{"number": statement.number, "title": statement.title} for statement in self.statements],
            "right": None if self.right is None else self.right.as_json(),
            "departs": None if self.wrong is None else self.wrong.as_json(),
        }


def explain_rule(rule: Rule) -> RuleExplanation:
    """Return the explanation of a rule."""
    statements = covered_by(rule.id)
    if rule.side == "definition":
        return RuleExplanation(rule, statements, None, _broken_definition(rule.example))
    return RuleExplanation(rule, statements, _right(rule.example), _wrong(rule.example))


def level_text(rule: Rule) -> str:
    """Return the level of a rule, and that of the other side where it has one of its own."""
    others = (("readers", rule.reader_level), ("writers", rule.writer_level))
    return ", ".join((rule.level, *(f"{level} for {side}" for side, level in others if level)))


def rule_as_json(rule: Rule) -> dict[str, Any]:
    """Return the rule as JSON, without its example."""
    facts: dict[str, Any] = {name: getattr(rule, name) for name in ("id", "level", "side", "text")}
    facts |= (
        {"levels": {side: rule.level_of(side) for side in (ENCODE, DECODE)}} if rule.side in (ENCODE, DECODE) else {}
    )
    return {**facts, "sources": list(rule.sources), "cwe": list(rule.cwe)}


def meaning_of(example: Example, wire: bytes) -> Explanation:
    """Return the explanation of the bytes of an example."""
    return explain_target(_target(example), wire)


def _target(example: Example) -> Target:
    if example.target == "body":
        return Body(example.schema())
    folder = FOLDERS.get(example.target, "stored")
    return target_at(example.definitions(), folder, example.message, example.version)


def _right(example: Example) -> ExampleSide:
    same = () if example.same is None else (f"the same bytes: {example.same!r}",)
    notes = (*same, *([example.note] if example.note else []))
    return ExampleSide(_title(example), notes, meaning_of(example, example.right or b""), _first_difference(example))


def _wrong(example: Example) -> ExampleSide | None:
    title = f"{_title(example)}, {example.difference}"
    if example.value is not None:
        return ExampleSide(title, (f"value: {short_repr(example.value)}", _refusal(example)))
    if example.wrong is None:
        return None
    offset = _first_difference(example)
    return ExampleSide(title, (f"the first wrong byte: {offset}",), meaning_of(example, example.wrong), offset)


def _refusal(example: Example) -> str:
    try:
        return f"written as {encode(example.schema(), example.value or {}).hex(' ')}"
    except Unencodable as error:
        return f"refused: {error}"


def _title(example: Example) -> str:
    if example.target == "records":
        return "a records field"
    if example.target == "primitive":
        return f"{example.message} alone"
    schema = example.schema()
    return f"{schema.message} v{schema.version}"


def _first_difference(example: Example) -> int | None:
    if example.right is None or example.wrong is None:
        return None
    # A prefix is wrong or missing from its first byte.
    if example.target == "prefixed":
        return 0
    # The size of a frame and the CRC of a batch follow from the other bytes: they count only if nothing else differs.
    right, wrong = example.right, example.wrong
    if example.target == "records" and right[CRC.stop :] != wrong[CRC.stop :]:
        right, wrong = _without_crc(right), _without_crc(wrong)
    start = SIZE if example.target == "frame" and right[SIZE:] != wrong[SIZE:] else 0
    pairs = enumerate(zip(right[start:], wrong[start:], strict=False), start)
    return next((index for index, (one, other) in pairs if one != other), min(len(right), len(wrong)))


def _without_crc(wire: bytes) -> bytes:
    return wire[: CRC.start] + bytes(CRC.stop - CRC.start) + wire[CRC.stop :]


def _broken_definition(example: Example) -> ExampleSide:
    if example.old or example.new:
        texts = [f"{name}: {text}" for name, text in (("old", example.old), ("new", example.new)) if text]
        return ExampleSide("a definition that changed", (*texts, *_text_lines(changes(example))))
    if example.release:
        texts = [text for module in example.release.values() for text in module]
        return ExampleSide("definitions of one release", (*texts, *_text_lines(errors(example))))
    return ExampleSide(FILE, (example.definition, *_text_lines(errors(example))))


def _text_lines(statements: Iterable[object]) -> Iterator[str]:
    for statement in statements:
        yield from str(statement).splitlines()


def errors(example: Example) -> list[BrokenDefinition]:
    """Return the errors in the definition or release of an example, or the hints about it if it has no errors."""
    if example.release:
        return _release_errors(example)
    loader = loader_of(example.dialect)
    broken = loader.broken_rules(example.definition, FILE)
    return broken or [BrokenDefinition(FILE, hint) for hint in hints(loader.parse(example.definition, FILE))]


def _release_errors(example: Example) -> list[BrokenDefinition]:
    modules = {module: [_parsed(example, text) for text in texts] for module, texts in example.release.items()}
    definitions = [definition for parsed in modules.values() for definition in parsed]
    return list(broken_release_rules(modules)) or [
        BrokenDefinition(definition.name, hint) for definition, hint in release_hints(definitions)
    ]


def changes(example: Example) -> tuple[Change, ...]:
    """Return the changes from the old to the new definition of an example."""
    return release_changes(_set(example, example.old), _set(example, example.new))


def _set(example: Example, text: str) -> DefinitionSet:
    if not text:
        return DefinitionSet({})
    definition = _parsed(example, text)
    return DefinitionSet({definition.name: definition})


def _parsed(example: Example, text: str) -> Definition:
    return loader_of(example.dialect).parse(text, FILE)
