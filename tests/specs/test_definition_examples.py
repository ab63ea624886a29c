from reference.definitions.canonical import canonical_json
from tests.helpers.each import for_each
from tests.specs.book import Block, blocks, chapters
from tests.specs.definition_examples import check_example, example_of_block
from tests.specs.evolution_examples import change_of_block, found_changes
from tests.specs.release_examples import first_columns
from tests.specs.subjects import definition_of


@for_each(blocks("jsonc"))
def test_definition_breaks_the_rules_that_the_book_says(block: Block) -> None:
    check_example(example_of_block(block))


@for_each(blocks("diff"))
def test_change_has_the_effects_that_the_book_says(block: Block) -> None:
    example = change_of_block(block)
    assert found_changes(example) == example.changes


def test_file_as_apache_kafka_writes_it_has_the_canonical_form_behind_it() -> None:
    """The file at the head of chapter 8, and what it means."""
    [upstream], [canonical] = blocks("jsonc", "upstream"), blocks("json", "canonical")
    assert canonical_json(definition_of(upstream.text)) == canonical.text + "\n"


def test_tables_of_counts_and_properties_are_complete() -> None:
    rows = [row for chapter in chapters() for row in chapter.rows]
    shown = {columns: {row.cells[0] for row in rows if row.columns == columns} for columns in first_columns()}
    assert shown == first_columns()
