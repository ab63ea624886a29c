from dataclasses import replace
from functools import lru_cache

import pytest

from conformance.definitions.book import FencedBlock, TableRow, blocks, bytes_of, chapters
from reference.definitions.canonical import canonical_json
from reference.definitions.model import Definition
from tests.helpers.each import for_each
from tests.specs.annotated import check_annotated
from tests.specs.definition_examples import check_example, example_of_block
from tests.specs.evolution_examples import change_of_block, found_changes
from tests.specs.examples import CHECKS
from tests.specs.release_examples import first_columns
from tests.specs.subjects import definition_of

ROWS = [row for chapter in chapters() for row in chapter.rows if row.columns in CHECKS]
BLOCKS = [block for chapter in chapters() for block in chapter.blocks if block.language == "hex"]


@lru_cache(maxsize=32)
def definitions(chapter: str) -> dict[str, Definition]:
    """Return the definitions of a chapter for its examples, by name."""
    own = next(entry.blocks for entry in chapters() if entry.name == chapter)
    texts = [block.text for block in own if (block.language, block.argument) == ("json", "")]
    return {definition.name: definition for definition in map(definition_of, texts)}


@for_each(ROWS)
def test_example_in_a_table_agrees_with_the_reference(row: TableRow) -> None:
    CHECKS[row.columns](row, definitions(row.chapter))


def test_one_wrong_bit_is_noticed() -> None:
    shown = [row for row in ROWS if "bytes" in row.columns and bytes_of(row["bytes"])]
    assert shown
    for row in shown:
        with pytest.raises(AssertionError):
            CHECKS[row.columns](with_one_wrong_bit(row), definitions(row.chapter))


def with_one_wrong_bit(row: TableRow) -> TableRow:
    wire = bytes_of(row["bytes"])
    wrong = bytes([wire[0] ^ 1]).hex() + wire[1:].hex()
    at = row.columns.index("bytes")
    return replace(row, cells=(*row.cells[:at], wrong, *row.cells[at + 1 :]))


@for_each(BLOCKS)
def test_annotated_bytes_agree_with_the_reference(block: FencedBlock) -> None:
    check_annotated(block, definitions(block.chapter))


def test_no_table_of_bytes_goes_unchecked() -> None:
    headers = {row.columns for chapter in chapters() for row in chapter.rows} - set(CHECKS)
    assert [header for header in headers if any(column.endswith("bytes") for column in header)] == []


@for_each(blocks("jsonc"))
def test_definition_breaks_its_rules_of_the_book(block: FencedBlock) -> None:
    check_example(example_of_block(block))


@for_each(blocks("diff"))
def test_change_has_its_effects_of_the_book(block: FencedBlock) -> None:
    example = change_of_block(block)
    assert found_changes(example) == example.changes


def test_upstream_file_has_the_canonical_form_after_it() -> None:
    """The file stands at the head of chapter 8, with its meaning."""
    [upstream], [canonical] = blocks("jsonc", "upstream"), blocks("json", "canonical")
    assert canonical_json(definition_of(upstream.text)) == canonical.text + "\n"


def test_tables_of_counts_and_properties_are_complete() -> None:
    rows = [row for chapter in chapters() for row in chapter.rows]
    shown = {columns: {row.cells[0] for row in rows if row.columns == columns} for columns in first_columns()}
    assert shown == first_columns()
