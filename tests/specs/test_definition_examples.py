import pytest

from reference.definitions.canonical import canonical_json
from tests.specs.book import Block, blocks, chapters
from tests.specs.definition_examples import check_example, example_of_block
from tests.specs.evolution_examples import change_of_block, found_changes
from tests.specs.release_examples import first_columns
from tests.specs.subjects import definition_of

DEFINITIONS = blocks("jsonc")
CHANGES = blocks("diff")


@pytest.mark.parametrize("block", DEFINITIONS, ids=str)
def test_definition_breaks_the_rules_that_the_book_says(block: Block) -> None:
    check_example(example_of_block(block))


@pytest.mark.parametrize("block", CHANGES, ids=str)
def test_change_has_the_effects_that_the_book_says(block: Block) -> None:
    example = change_of_block(block)
    assert found_changes(example) == example.changes


def test_file_as_apache_kafka_writes_it_has_the_canonical_form_behind_it() -> None:
    """The file at the head of chapter 8, and what it means."""
    [upstream], [canonical] = blocks("jsonc", "upstream"), blocks("json", "canonical")
    assert canonical_json(definition_of(upstream.text)) == canonical.text + "\n"


@pytest.mark.parametrize(("columns", "names"), first_columns().items(), ids=[columns[0] for columns in first_columns()])
def test_table_of_counts_or_properties_is_complete(columns: tuple[str, ...], names: set[str]) -> None:
    rows = [row for chapter in chapters() for row in chapter.rows if row.columns == columns]
    assert {row.cells[0] for row in rows} == names
