import doctest
import re
from pathlib import Path

import pytest

from reference.layouts import LAYOUTS

ROOT = Path(__file__).parents[2]
PAGES = ("docs/reference/reference.md", "specs/protocol/construct.md")
TABLE = re.compile(r"\| part \| bytes \| rule \| meaning \|\n\|---\|---\|---\|---\|\n(.*?)\n\n", re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_examples_of_a_page_print_their_output(page: str) -> None:
    results = doctest.testfile(str(ROOT / page), module_relative=False)
    assert results.attempted > 0
    assert results.failed == 0


def test_tables_of_the_book_are_those_of_the_layouts() -> None:
    tables = TABLE.findall((ROOT / "specs/protocol/construct.md").read_text(encoding="utf-8"))
    expected = [
        [f"| `{name}` | {size} | `{rule}` | {about} |" for name, size, rule, about in layout.rows()]
        for layout in LAYOUTS
    ]
    assert [table.splitlines() for table in tables] == expected
