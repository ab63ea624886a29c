"""A class name stands for one class in the whole product, and a file name for one module of `conformance`."""

import ast
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import reference
from conformance import adapter

ROOT = Path(__file__).parents[1]
MODULES = sorted(path for package in ("conformance", "reference") for path in (ROOT / package).rglob("*.py"))

PUBLIC_TWICE = set(vars(adapter)) & set(reference.__all__)
"""Names that both have published, each for a class of its own."""

COMMANDS = ROOT / "conformance" / "commands"
"""Modules that are named after their command."""

ENTRY_POINTS = {"__init__.py", "__main__.py"}


def repeated(named: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the names standing in several places, with these places."""
    places = defaultdict(list)
    for name, place in named:
        places[name].append(place)
    return {name: each for name, each in places.items() if len(each) > 1}


def classes(path: Path) -> Iterable[tuple[str, str]]:
    """Yield each class of a module, nested ones too, with its file and line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            yield node.name, f"{path.relative_to(ROOT)}:{node.lineno}"


def test_a_class_name_stands_for_one_class() -> None:
    found = repeated(each for path in MODULES for each in classes(path))
    assert {name: places for name, places in found.items() if name not in PUBLIC_TWICE} == {}


def test_a_file_name_stands_for_one_module() -> None:
    modules = [path for path in MODULES if path.is_relative_to(COMMANDS.parent) and COMMANDS not in path.parents]
    found = repeated((path.name, str(path.relative_to(ROOT))) for path in modules if path.name not in ENTRY_POINTS)
    assert found == {}
