from __future__ import annotations

from pathlib import Path

import pytest

from reference.inputs.errors import BadInput
from reference.inputs.toml_text import PARTS, parse_toml, read_toml
from reference.inputs.trees import DEPTH, DIGITS


def error_of(text: str) -> str:
    with pytest.raises(BadInput) as bad:
        parse_toml(text, "file.toml")
    return str(bad.value)


def test_a_file_is_read_with_a_byte_order_mark_or_without(tmp_path: Path) -> None:
    path = tmp_path / "file.toml"
    for text in ("a.b = 1\n", "\ufeffa.b = 1\n"):
        path.write_text(text, encoding="utf-8")
        assert read_toml(path) == {"a": {"b": 1}}


@pytest.mark.parametrize("part", ["a", '"a"', "'a'"])
def test_a_key_of_many_parts_is_refused_before_it_is_read(part: str) -> None:
    text = ".".join([part] * 20_000)
    for document in (f"b = ''\n{text} = 1", f"\n[{text}]"):
        error = error_of(document)
        assert error.startswith("file.toml, line 2: ")
        assert f"more than {PARTS} parts" in error


def test_dots_elsewhere_are_no_parts_of_keys() -> None:
    dots = ".a" * 50
    text = f"a = [{'1.5, ' * 50}]  # {dots}\nb = '''\n{dots}'''\nc = \"\"\"{dots}\"\"\"\nd = '{dots}'\n"
    assert set(parse_toml(text, "file.toml")) == {"a", "b", "c", "d"}


@pytest.mark.parametrize("depth", [DEPTH + 1, 10_000])
def test_too_deeply_nested_text_is_refused(depth: int) -> None:
    assert "nested deeper than 100" in error_of(f"a = {'[' * depth}{']' * depth}")


@pytest.mark.parametrize("digits", [DIGITS + 1, 5000])
def test_integers_of_many_digits_are_refused(digits: int) -> None:
    assert f"{DIGITS}" in error_of(f"a = {'9' * digits}")


@pytest.mark.parametrize("number", ["nan", "-inf", "1e999"])
def test_infinite_and_nan_numbers_are_refused(number: str) -> None:
    error = error_of(f"a = [{number}]")
    assert error.startswith("file.toml, $.a[0]: ")
    assert "finite" in error


def test_a_duplicate_is_refused_with_its_line() -> None:
    assert "file.toml" in error_of("a = 1\na = 2\nb = 3\n")
    assert "line 2" in error_of("a = 1\na = 2\nb = 3\n")
