"""Count the tests that assert a phrase, a literal text of four words or more.

    python -m tests.helpers.phrases [--list]

A phrase of an output changes with its wording, and says little about behaviour. Outputs have snapshots instead.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parents[1]
LEAST_WORDS = 4

_WORD = re.compile(r"[A-Za-z]{2,}")


def asserted_phrases() -> Iterator[tuple[str, str]]:
    """Yield the file and the name of each test function that asserts a phrase, once."""
    for file in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_") and _asserts_phrase(node):
                yield str(file.relative_to(TESTS)), node.name


def _asserts_phrase(test: ast.FunctionDef) -> bool:
    asserted = [each.test for each in ast.walk(test) if isinstance(each, ast.Assert)]
    matched = [
        word.value
        for each in ast.walk(test)
        if isinstance(each, ast.Call)
        for word in each.keywords
        if word.arg == "match"
    ]
    return any(_is_phrase(node) for root in (*asserted, *matched) for node in ast.walk(root))


def _is_phrase(node: ast.AST) -> bool:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return False
    return " " in node.value and len(_WORD.findall(node.value)) >= LEAST_WORDS


def main() -> None:
    """Print the number of such tests by folder, or with --list each of them."""
    found = list(asserted_phrases())
    if "--list" in sys.argv[1:]:
        for file, name in found:
            sys.stdout.write(f"{file}::{name}\n")
    for folder, count in Counter(file.partition("/")[0] for file, _ in found).most_common():
        sys.stdout.write(f"{count:5}  {folder}\n")
    sys.stdout.write(f"{len(found):5}  tests assert a phrase of {LEAST_WORDS} words or more\n")


if __name__ == "__main__":
    main()
