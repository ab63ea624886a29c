"""The place of an adapter in `--impl`."""

import sys
from pathlib import Path

import pytest

from conformance.adapter import AdapterError
from conformance.codec.adapter_place import place_of
from conformance.codec.bridge.loading import adapter_file, known_failures_file
from tests.helpers.adapters import load_adapter

SOURCE = """
def supported(): return {"ApiVersionsRequest": [0]}
def decode(schema, data): return {}
class Other:
    name = "other"
    supported, decode = staticmethod(supported), staticmethod(decode)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, on an import path open to additions of a test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    return tmp_path


def write(file: Path, text: str = SOURCE) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def test_a_module_has_a_name_and_no_file() -> None:
    assert place_of("mine.codec:make") == ("mine.codec", "make", None)


def test_a_path_is_a_file(folder: Path) -> None:
    file = write(folder / "codecs" / "placed_codec.py")
    assert place_of("codecs/placed_codec.py") == ("placed_codec", "", file)


def test_an_attribute_follows_the_file(folder: Path) -> None:
    write(folder / "placed_codec.py")
    assert load_adapter("./placed_codec.py:Other").name == "other"


def test_a_file_of_a_package_has_the_name_of_its_package(folder: Path) -> None:
    write(folder / "placed_package" / "__init__.py", "")
    write(folder / "placed_package" / "values.py", "NAME = 'within'")
    write(folder / "placed_package" / "codec.py", f"from .values import NAME as name\n{SOURCE}")
    assert load_adapter("placed_package/codec.py").name == "within"


def test_modules_beside_a_file_are_found(folder: Path) -> None:
    write(folder / "deep" / "placed_neighbour.py", "NAME = 'beside'")
    write(folder / "deep" / "placed_with_neighbour.py", f"from placed_neighbour import NAME as name\n{SOURCE}")
    assert load_adapter("deep/placed_with_neighbour.py").name == "beside"


def test_a_file_named_as_an_installed_library_is_not_taken_for_it(folder: Path) -> None:
    write(folder / "click.py", f"import click\nname = click.__name__ + '?'\n{SOURCE}")
    adapter = load_adapter("./click.py")
    assert (adapter.name, adapter.module) == ("click?", "adapter_of_click")


def test_a_file_need_not_have_the_name_of_a_module(folder: Path) -> None:
    write(folder / "my-codec.py")
    assert load_adapter("./my-codec.py").name == "adapter_of_my_codec"


def test_known_failures_stand_beside_a_file(folder: Path) -> None:
    file = write(folder / "codecs" / "placed_codec.py")
    listed = write(folder / "codecs" / "known_failures.toml", "")
    assert (adapter_file("codecs/placed_codec.py"), known_failures_file("codecs/placed_codec.py")) == (file, listed)


@pytest.mark.parametrize(
    ("spec", "problem"),
    {
        "./placed_codek.py": r"there is no file .*placed_codek\.py\. Did you mean placed_codec\.py\?$",
        "./no_folder/codec.py": "there is no folder .*no_folder",
        "./": "is a folder. Name the file in it that is the adapter",
        "./notes.txt": r"is no file of Python. The name of an adapter's file ends with \.py",
        "./placed_codec.py:Third": r"placed_codec\.py has no attribute 'Third'\. It has: Other, decode, supported",
    }.items(),
)
def test_path_of_no_adapter_file_is_explained(folder: Path, spec: str, problem: str) -> None:
    write(folder / "placed_codec.py")
    write(folder / "notes.txt")
    with pytest.raises(AdapterError, match=problem):
        load_adapter(spec)


def test_file_is_named_at_its_failing_import(folder: Path) -> None:
    write(folder / "placed_broken.py", "1 / 0")
    with pytest.raises(AdapterError, match=r"placed_broken\.py.*ZeroDivisionError"):
        load_adapter("./placed_broken.py")
