import re

from markdown_it import MarkdownIt

from conformance.report.files.markdown import code, fenced, markdown
from tests.helpers.releases import NEWEST, OLDEST
from tests.report.files.samples import HOSTILE, broken, clean, hostile, known
from tests.report.lines import report_of

READER = MarkdownIt("gfm-like", {"linkify": False})


def cells(text: str, name: str) -> list[str]:
    """Return the cells of the row with a name at its beginning."""
    row = next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_each_run_has_a_row_with_its_counts() -> None:
    row = cells(markdown([clean("one"), broken("two")]), "`two 1`")
    assert row == ["`two 1`", f"`{NEWEST}`", "2", "12", "1", "1"]


def test_matrix_counts_the_rules_of_a_group_by_state() -> None:
    """Untested rules are as visible as failed ones."""
    row = cells(markdown([clean("one"), known("two"), broken("three")]), "Messages: int")
    assert row == ["Messages: int", "1 follows", "1 known", "**1 finding**"]
    assert cells(markdown([clean()]), "Messages: uuid") == ["Messages: uuid", "1 not tested"]


def test_each_release_has_a_matrix_of_its_own() -> None:
    text = markdown([clean(), report_of(release=OLDEST)])
    assert re.findall(r"^## Rules of Kafka `(.*)`$", text, re.MULTILINE) == [NEWEST, OLDEST]


def test_a_new_finding_is_shown_with_its_bytes_and_a_replay_line() -> None:
    text = markdown([broken()])
    assert "**`int.width-and-order (must), outcome bytes: 3 cases in 1 message version`**" in text
    assert "\nexpected: 0001\nactual:   0100\nkafka-conformance replay --impl myproj.adapter" in text


def test_known_findings_are_folded_with_their_reasons() -> None:
    text = markdown([known()])
    assert f"<details><summary>Known findings: known 1 against Kafka {NEWEST}</summary>" in text
    assert "`writes the low byte first`" in text


def test_untested_parts_are_listed_with_the_reason() -> None:
    text = markdown([broken()])
    assert cells(text, "`sizes`") == ["`sizes`", "`no size`", ""]
    assert cells(text, "`FetchRequest`") == ["`FetchRequest`", "unrepresentable", "7 calls"]


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
    assert set(counts) == {4, 6, 7}


def test_code_holds_backticks() -> None:
    assert READER.render(code("a ``` b")).strip() == "<p><code>a ``` b</code></p>"
    assert READER.render(fenced("```\n<b>")) == '<pre><code class="language-text">```\n&lt;b&gt;\n</code></pre>\n'


def test_an_empty_text_is_no_broken_code() -> None:
    assert code("") == "` `"
    assert HOSTILE not in code(HOSTILE)
