"""Examples of definitions and of their changes that are fenced blocks of the book."""

from __future__ import annotations

import pytest

from tests.specs.book import Block, chapters
from tests.specs.definition_examples import check_example, example_of_block

DEFINITIONS = [block for chapter in chapters() for block in chapter.blocks if block.language == "jsonc"]


@pytest.mark.parametrize("block", DEFINITIONS, ids=str)
def test_definition_breaks_the_rules_that_the_book_says(block: Block) -> None:
    """Or none of them; the number of each rule leads to a statement that names it."""
    check_example(example_of_block(block))
