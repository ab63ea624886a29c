from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from reference.inputs.errors import BadInput
from reference.inputs.json_text import parse_json, parse_value, read_json, read_json_lines
from reference.inputs.trees import DEPTH

NESTED = "[" * DEPTH + "]" * DEPTH


def error_of(text: str | bytes) -> str:
    with pytest.raises(BadInput) as bad:
        parse_json(text, "file.json")
    return str(bad.value)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_json_is_read_as_pythons_own_reader_does(document: object) -> None:
    assert parse_json(json.dumps(document), "file.json") == document


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (r'"\ud800"', r"\ud800"),
        (r'"\uDFFF\ud83d\ude00"', "\\uDFFF\U0001f600"),
        (r'"\ud83d\u0041"', r"\ud83dA"),
        (r'"\\ud800"', r"\ud800"),
        (r'{"\ud800": 1}', {r"\ud800": 1}),
    ],
    ids=["high", "low before a pair", "high before another", "no escape", "key"],
)
def test_an_unpaired_surrogate_becomes_its_escape(text: str, read: object) -> None:
    assert parse_json(text, "file.json") == read


def test_a_value_keeps_an_unpaired_surrogate() -> None:
    assert parse_value(r'"\ud800"', "--value") == "\ud800"


def test_an_error_of_the_form_names_the_line() -> None:
    error = error_of('{"a":\n\n tru}')
    assert error.startswith("file.json, line 3: ")
    assert error.endswith(" column 2")


@pytest.mark.parametrize(
    "text",
    [
        '{"a": [1, {"b": NaN}]}',
        '{"a b": -Infinity}',
        "[0, 1e999]",
        '{"a": {"b": 1, "b": 2}}',
        "[" + "9" * 5000 + "]",
    ],
    ids=["NaN", "infinity", "beyond floats", "duplicate", "digits"],
)
def test_an_error_of_a_value_names_its_path(text: str, snapshot: SnapshotAssertion) -> None:
    assert error_of(text) == snapshot


def test_the_deepest_text_is_read() -> None:
    assert parse_json(NESTED, "file.json")


@pytest.mark.parametrize("depth", [DEPTH + 1, 500, 100_000])
def test_a_deeper_text_is_refused(depth: int) -> None:
    assert "nested deeper than 100" in error_of("[" * depth + "]" * depth)


def test_brackets_in_texts_are_no_depth() -> None:
    text = json.dumps({"[" * 500: '\\"{' * 500})
    assert json.dumps(parse_json(text, "file.json")) == text


def test_a_byte_order_mark_is_passed_over() -> None:
    assert parse_json(b"\xef\xbb\xbf{}", "file.json") == {}
    assert parse_json("\ufeff{}", "file.json") == {}


def test_bytes_outside_of_utf_8_are_refused() -> None:
    error = error_of(b'{\n"\xff": 1}')
    assert error.startswith("file.json, line 2: ")
    assert "byte 3; save" in error


def test_lines_are_numbered_and_blank_ones_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{}\r\n\n["\xe2\x80\xa8"]')
    assert list(read_json_lines(path)) == [(1, {}), (3, ["\u2028"])]


def test_an_error_names_the_line_of_a_file_of_lines(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{}\n{"a": NaN}\n', encoding="utf-8")
    with pytest.raises(BadInput) as bad:
        list(read_json_lines(path))
    assert str(bad.value).startswith(f"{path}, line 2, $.a: NaN ")


def test_a_document_beyond_the_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    path.write_text("[1, 2, 3]", encoding="utf-8")
    with pytest.raises(BadInput, match="larger than 8 bytes"):
        read_json(path, largest=8)


def test_a_line_beyond_the_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.jsonl"
    path.write_text("1\n[1, 2, 3]\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"line 2: .* 8 bytes"):
        list(read_json_lines(path, longest=8))
