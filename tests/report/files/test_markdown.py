import re
from xml.etree import ElementTree as ET

from markdown_it import MarkdownIt
from syrupy.assertion import SnapshotAssertion

from conformance.report.files.markdown import code, fenced, markdown
from tests.helpers.releases import NEWEST, OLDEST
from tests.report.files.samples import HOSTILE, broken, clean, hostile
from tests.report.lines import KNOWN, report_of

READER = MarkdownIt("gfm-like", {"linkify": False})


def cells(text: str, name: str) -> list[str]:
    """Return the cells of the row with a name at its beginning."""
    row = next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_markdown_of_runs(snapshot: SnapshotAssertion) -> None:
    assert markdown([clean("one"), broken("two")], "https://example.com/site/") == snapshot


def test_each_run_has_a_heading_with_its_release() -> None:
    text = markdown([clean(), report_of(release=OLDEST)])
    assert re.findall(r"^## `.*` against `Kafka (.*)`$", text, re.MULTILINE) == [NEWEST, OLDEST]


def test_each_cause_is_a_row_and_known_ones_have_their_reasons() -> None:
    text = markdown([broken()])
    assert cells(text, "1")[2:4] == ["`int.width-and-order`", "must"]
    assert cells(text, "2")[-1].startswith(f"`{KNOWN['reason']}`")


def test_only_new_causes_have_details() -> None:
    summaries = re.findall(r"<summary>(.*)</summary>", markdown([broken()]))
    assert [summary[:2] for summary in summaries] == ["1.", "No"]


def test_untested_parts_are_listed_with_the_reason() -> None:
    text = markdown([broken()])
    assert cells(text, "`sizes`") == ["`sizes`", "`no size`"]
    assert cells(text, "unrepresentable") == ["unrepresentable", "7 calls"]


def test_hostile_texts_make_no_markup() -> None:
    """Rendered, they are code without elements and without raw unprintable characters."""
    text = markdown([hostile()])
    html = READER.render(text)
    assert "<script" not in html
    assert not re.search(r"[\x00\x1b\u202e\ud800]", text)
    summaries = re.findall(r"<summary>.*?</summary>", text)
    assert summaries
    assert not any("<script" in summary for summary in summaries)


def test_every_table_has_as_many_cells_in_each_row_as_in_its_head() -> None:
    text = markdown([hostile(), broken()])
    counts = [len(re.findall(r"(?<!\\)\|", line)) for line in text.splitlines() if line.startswith("| ")]
    assert set(counts) == {3, 8}


def test_code_holds_backticks() -> None:
    assert READER.render(code("a ``` b")).strip() == "<p><code>a ``` b</code></p>"
    block = ET.fromstring(READER.render(fenced("```\n<b>")))  # noqa: S314  # our own
    [inner] = block
    assert (block.tag, inner.tag, inner.text) == ("pre", "code", "```\n<b>\n")
    assert inner.attrib == {"class": "language-text"}


def test_an_empty_text_is_no_broken_code() -> None:
    assert code("") == "` `"
    assert HOSTILE not in code(HOSTILE)
