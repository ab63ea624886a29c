"""The examples about definitions, in rows of tables and fenced blocks `jsonc`.

A row has fields or properties of a message, for insertion into the message Sample, or the whole text of a file. A block
is a whole definition, or a list of the definitions of a module; its first lines are comments in place of the columns of
a table:

    // verdict: definition.tags-contiguous
    // Apache Kafka: refuses: read

The verdict is this project's, and `Apache Kafka` that of its own generator: `accepts`, or the stage of its refusal. The
first is checked here, the second where there is Java (tests/adapters/harnesses/test_book_definitions.py).
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import pytest

from conformance.definitions.book import FencedBlock, TableRow, blocks, chapters, form_of, statements
from reference import default, equal
from reference.definitions.canonical import canonical_json
from reference.definitions.errors import BrokenDefinition, Problem
from reference.definitions.json_flavour import read_tree
from reference.definitions.model import Definition
from reference.definitions.parse import broken_rules, parse_definition
from reference.definitions.validate import broken_release_rules, hints, release_hints
from reference.resolution import resolve
from tests.specs.subjects import Body, definition_of

Check = Callable[[TableRow, Mapping[str, Definition]], None]

SOURCE = "the book"
SOUND = "sound"
KAFKA = "Apache Kafka"
"""The column, and the comment of a block, with what the generator says."""
SAMPLE = {
    "type": '"data"',
    "name": '"Sample"',
    "validVersions": '"0-2"',
    "flexibleVersions": '"1+"',
    "fields": "[]",
}
"""The message that rows put their fields or properties into, each property as JSON."""

_WITHOUT = re.compile(r'without "(\w+)"')
_COMMENT = re.compile(r"// (verdict|Apache Kafka): (.+)")


class Example(NamedTuple):
    """One definition, or the definitions of a module, with its verdicts."""

    text: str
    verdict: str
    kafka: str
    """What Apache Kafka's generator says; empty where it is not asked."""


def with_field(properties: str) -> str:
    """The text of the message Sample with these fields, given as JSON, one after the other."""
    return with_properties(f'"fields": [{properties}]')


def with_properties(cell: str) -> str:
    """The text of the message Sample with other properties, or `without "name"`."""
    if absent := _WITHOUT.fullmatch(cell):
        changed, others = "", {absent[1]}
    else:
        changed, others = cell, set(read_tree(f"{{{cell}}}", SOURCE))
    kept = [f'"{name}": {value}' for name, value in SAMPLE.items() if name not in others]
    return f"{{ {', '.join([*kept, *filter(None, [changed])])} }}"


def verdict(text: str) -> tuple[str, list[Problem]]:
    """Return the verdict on definitions, namely `sound`, rule ids, or a prefix for hints and rule ids."""
    if text.lstrip().startswith("["):
        return _in_words(*_of_module(text))
    errors = [error.problem for error in broken_rules(text, SOURCE)]
    return _in_words(errors, [] if errors else list(hints(parse_definition(text, SOURCE))))


def _of_module(text: str) -> tuple[list[Problem], list[Problem]]:
    trees: Any = read_tree(f'{{"definitions": {text}}}', SOURCE)["definitions"]
    members = [parse_definition(json.dumps(tree), SOURCE) for tree in trees]
    problems = [error.problem for error in broken_release_rules({"module": members})]
    return problems, [problem for _, problem in release_hints(members)]


def _in_words(problems: list[Problem], hinted: list[Problem]) -> tuple[str, list[Problem]]:
    words = ", ".join(dict.fromkeys(problem.rule for problem in problems or hinted))
    return (words and ("" if problems else "hint: ") + words) or SOUND, problems or hinted


def check_example(example: Example) -> None:
    """Check that the rules have this verdict, and that their numbers lead to statements about them."""
    expected, _, place = example.verdict.partition(" at ")
    words, problems = verdict(example.text)
    assert words == expected
    assert not place or [str(problem.place) for problem in problems] == [place]
    assert_numbered(problems)


def assert_numbered(problems: Iterable[Problem]) -> None:
    """Check that the number of each problem is that of a statement of the book about its rule."""
    for problem in problems:
        assert problem.rule in statements()[problem.number].rules


_TEXTS: dict[str, Callable[[str], str]] = {
    "fields": with_field,
    "text": with_field,
    "message": with_properties,
    "file": lambda cell: cell,
}
"""The whole definition that a cell stands for, by the name of its column."""


def example_of_row(row: TableRow) -> Example:
    first, *_, last = row.columns
    return Example(_TEXTS[first](row[first]), row["verdict"] if "verdict" in row.columns else SOUND, row[last])


def example_of_block(block: FencedBlock) -> Example:
    said = dict(_COMMENT.findall(block.text))
    return Example(_without_comments(block.text), said["verdict"], said.get(KAFKA, ""))


def asked() -> dict[str, Example]:
    """Return every example with an answer of Apache Kafka's generator, by its place in the book."""
    rows = (row for chapter in chapters() for row in chapter.rows if KAFKA in row.columns)
    shown = {str(row): example_of_row(row) for row in rows}
    shown |= {str(block): example_of_block(block) for block in blocks("jsonc")}
    return {place: example for place, example in shown.items() if example.kafka}


def _without_comments(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith("//"))


def check_verdict(row: TableRow, _definitions: Mapping[str, Definition]) -> None:
    check_example(example_of_row(row))


def check_default(row: TableRow, _definitions: Mapping[str, Definition]) -> None:
    """The field has this value by default in version 2."""
    schema = resolve(definition_of(with_field(row["field"])), 2)
    expected = Body(schema).value({schema.fields[0].name: form_of(row["default value"])})
    assert equal(schema, default(schema), expected)


def check_broken_field(row: TableRow, _definitions: Mapping[str, Definition]) -> None:
    """Check that a message with this field is refused by its rule."""
    with pytest.raises(BrokenDefinition) as caught:
        definition_of(with_field(row["field"]))
    assert caught.value.problem.rule == row["breaks"]
    assert_numbered([caught.value.problem])


def check_canonical_field(row: TableRow, _definitions: Mapping[str, Definition]) -> None:
    """Check that a field means the same as its canonical form."""
    canonical = canonical_json(definition_of(with_field(row["text"])))
    assert canonical == canonical_json(definition_of(with_field(row["read as"])))
    assert row["read as"] in canonical


DEFINITION_CHECKS: dict[tuple[str, ...], Check] = {
    ("field", "default value"): check_default,
    ("field", "breaks"): check_broken_field,
    ("fields", "verdict", "Apache Kafka"): check_verdict,
    ("message", "verdict", "Apache Kafka"): check_verdict,
    ("file", "verdict", "Apache Kafka"): check_verdict,
    ("text", "read as", "Apache Kafka"): check_canonical_field,
}
