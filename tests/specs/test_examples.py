from dataclasses import replace
from functools import lru_cache

import pytest

from reference.definitions.model import Definition
from tests.helpers.each import for_each
from tests.specs.annotated import check_annotated
from tests.specs.book import Block, Row, chapters
from tests.specs.examples import CHECKS
from tests.specs.subjects import bytes_of, definition_of

ROWS = [row for chapter in chapters() for row in chapter.rows if row.columns in CHECKS]
BLOCKS = [block for chapter in chapters() for block in chapter.blocks if block.language == "hex"]
LEAST = 150


@lru_cache(maxsize=32)
def definitions(chapter: str) -> dict[str, Definition]:
    """The definitions that a chapter makes for its examples, by name."""
    blocks = next(entry.blocks for entry in chapters() if entry.name == chapter)
    texts = [block.text for block in blocks if (block.language, block.argument) == ("json", "")]
    return {definition.name: definition for definition in map(definition_of, texts)}


@for_each(ROWS)
def test_example_in_a_table_is_what_the_reference_says(row: Row) -> None:
    CHECKS[row.columns](row, definitions(row.chapter))


def test_one_wrong_bit_is_noticed() -> None:
    shown = [row for row in ROWS if "bytes" in row.columns and bytes_of(row["bytes"])]
    assert shown
    for row in shown:
        with pytest.raises(AssertionError):
            CHECKS[row.columns](with_one_wrong_bit(row), definitions(row.chapter))


def with_one_wrong_bit(row: Row) -> Row:
    wire = bytes_of(row["bytes"])
    wrong = bytes([wire[0] ^ 1]).hex() + wire[1:].hex()
    at = row.columns.index("bytes")
    return replace(row, cells=(*row.cells[:at], wrong, *row.cells[at + 1 :]))


@for_each(BLOCKS)
def test_annotated_bytes_are_what_the_reference_writes(block: Block) -> None:
    check_annotated(block, definitions(block.chapter))


def test_no_table_of_bytes_goes_unchecked() -> None:
    headers = {row.columns for chapter in chapters() for row in chapter.rows} - set(CHECKS)
    assert [header for header in headers if any(column.endswith("bytes") for column in header)] == []


def test_book_has_as_many_examples_as_it_says() -> None:
    """At least 150 in all."""
    assert len(ROWS) + len(BLOCKS) >= LEAST
