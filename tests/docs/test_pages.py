"""Pages as they are written for Sphinx: links, code, docstrings of names."""

from pathlib import Path

import pytest

from docs._ext.links import linked
from docs._ext.markdown import Page, cell, table

HOMES = {
    "specs/protocol/1-types.md": "book/1-types.md",
    "vectors/README.md": "reference/vectors.md",
    "docs/how-to/ci.md": "how-to/ci.md",
}
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[types](../../specs/protocol/1-types.md#1.3.8)", "[types](../book/1-types.md#1.3.8)"),
        ("[vectors](../../vectors/)", "[vectors](../reference/vectors.md)"),
        ("[CI](ci.md)", "[CI](ci.md)"),
        ("[the Makefile](../../Makefile)", "the Makefile"),
        ("[nothing](../../nothing.md)", "[nothing](../../nothing.md)"),
        ("[Kafka](https://kafka.apache.org)", "[Kafka](https://kafka.apache.org)"),
        ("by `null.not-written` it", "by [`null.not-written`](../reference/rules/null.md#null.not-written) it"),
        ("## `null.not-written`", "## `null.not-written`"),
        ("    [a](../../Makefile)", "    [a](../../Makefile)"),
    ],
)
def test_link_to_a_file_leads_to_its_page(text: str, expected: str) -> None:
    page = linked(Page("how-to/page.md", text, "docs/how-to/page.md"), HOMES, ROOT)
    assert page.text == f"{expected}\n"


def test_a_fenced_block_is_left_alone() -> None:
    text = "```text\n[a](../../Makefile) `null.not-written`\n```\n"
    assert linked(Page("page.md", text, "docs/page.md"), HOMES, ROOT).text == text


def test_a_cell_is_one_line_without_bars() -> None:
    assert cell("a | b\n  c") == "a \\| b c"


def test_a_table_without_rows_is_no_text() -> None:
    assert table(("a", "b"), []) == ""
    assert table(("a", "b"), [("1", "2")]) == "| a | b |\n|---|---|\n| 1 | 2 |"
