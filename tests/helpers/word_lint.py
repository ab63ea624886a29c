"""Counts of words in docstrings and names by `python -m tests.helpers.word_lint [FOLDER]`, a part of `make lint`.

It counts relative words in docstrings, first lines out of form, and documented public definitions, in the packages of
`LIMITS`. It counts words of the old vocabulary in names, but not in those of `tests/`, where it counts names of tests
with a relative clause.
`docs/glossary.md` has the new terms.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]

OLD_WORDS = {
    "alike": "hang group, or equal",
    "behind": "after",
    "harm": "impact",
    "heard": "received",
    "mend": "fix",
    "mended": "fixed",
    "remedy": "hint",
    "resting": "inconclusive",
    "said": "sent, or text",
    "sort": "kind, or category",
    "sorts": "kinds, or categories",
    "talk": "requester",
    "tame": "adapt",
    "tamed": "adapted",
    "taming": "adaptation",
    "telling": "case rank",
    "told": "reported",
    "unsaid": "undelivered",
    "untold": "unknown",
}
"""Words that no name has, each with the term that replaces it."""

IN_TEXT = re.compile(
    r"\b(tame[ds]?|taming|telling|gravest|mend(?:s|ed|ing)?|remedy|resting|rests? on|sorts?(?= of))\b", re.IGNORECASE
)
"""The words of the old vocabulary that no text has either; the others also have a plain meaning."""

RELATIVE = re.compile(r"\b(?:that|which|whose|what)\b", re.IGNORECASE)
WORD = re.compile(r"[A-Za-z']+")
OUT_OF_FORM = re.compile(r"[;:?]")

SHOWN = 40

Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Limits(NamedTuple):
    """The limits of a package, each in 100.

    In `conformance` 97 of the public definitions are documented, in `reference` 94. The others are methods of targets,
    subjects and wire types, by ruff's exceptions of D102.
    """

    documented: float
    """Public modules, classes and functions with a docstring, at least."""
    relative: float = 2.0
    """Relative words in docstrings."""
    out_of_form: float = 3.0
    """First lines with a semicolon, a colon or a question mark."""
    clauses: float = 5.0
    """Names of tests with a relative word."""


LIMITS = {
    "conformance": Limits(97),
    "docs": Limits(100),
    "reference": Limits(94),
    "tests": Limits(0, relative=1.5),
}


class Place(NamedTuple):
    """A line of a file, and its problem."""

    path: str
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.problem}"


@dataclass
class Count:
    """The figures of one package."""

    words: int = 0
    relative: dict[str, int] = field(default_factory=dict)
    """The number of relative words in each file."""
    defined: int = 0
    """The number of public definitions."""
    documented: int = 0
    """The number of those with a docstring."""
    first_lines: int = 0
    out_of_form: list[Place] = field(default_factory=list)
    tests: int = 0
    clauses: list[Place] = field(default_factory=list)
    """The names of tests with a relative word."""

    @property
    def relative_share(self) -> float:
        """Relative words in 100."""
        return 100 * sum(self.relative.values()) / max(1, self.words)

    @property
    def out_of_form_share(self) -> float:
        """First lines out of form in 100."""
        return 100 * len(self.out_of_form) / max(1, self.first_lines)

    @property
    def documented_share(self) -> float:
        """Public definitions with a docstring in 100."""
        return 100 * self.documented / max(1, self.defined)

    @property
    def clauses_share(self) -> float:
        """Names of tests with a relative word in 100."""
        return 100 * len(self.clauses) / max(1, self.tests)

    def add(self, path: str, tree: ast.AST) -> None:
        """Count the docstrings of a file, and the names of its tests."""
        self.relative[path] = 0
        for node in ast.walk(tree):
            if not isinstance(node, Documented):
                continue
            if not isinstance(node, ast.Module) and node.name.startswith("test_"):
                self._add_test(path, node.lineno, node.name)
            text = ast.get_docstring(node)
            if text:
                self._add_docstring(path, node, text)
        public = list(public_definitions(path, tree))
        self.defined += len(public)
        self.documented += sum(ast.get_docstring(node) is not None for node in public)

    def _add_docstring(self, path: str, node: Documented, text: str) -> None:
        first = text.splitlines()[0]
        self.first_lines += 1
        self.words += len(WORD.findall(text))
        self.relative[path] += len(RELATIVE.findall(text))
        if OUT_OF_FORM.search(first):
            self.out_of_form.append(Place(path, node.body[0].lineno, f"one statement, without ; : or ?: {first}"))

    def _add_test(self, path: str, line: int, name: str) -> None:
        self.tests += 1
        if found := RELATIVE.search(name.replace("_", " ")):
            self.clauses.append(Place(path, line, f"the name {name} has `{found[0]}`: make it a statement"))

    def problems(self, package: str) -> Iterator[str]:
        """Yield the exceeded limits, with the places of most problems."""
        limits = LIMITS[package]
        if self.relative_share >= limits.relative:
            worst = sorted(self.relative, key=lambda path: -self.relative[path])[:SHOWN]
            yield f"{package}: {self.relative_share:.1f} of that, which, whose and what in 100 words of docstrings"
            yield from (f"{path}:1: {self.relative[path]} relative words" for path in worst)
        if self.out_of_form_share >= limits.out_of_form:
            yield f"{package}: {self.out_of_form_share:.1f} % of first lines are no single statement"
            yield from map(str, self.out_of_form[:SHOWN])
        if self.documented_share < limits.documented:
            yield f"{package}: {self.documented_share:.0f} % of public definitions have a docstring"
        if self.clauses_share >= limits.clauses:
            yield f"{package}: {self.clauses_share:.1f} % of names of tests have a relative clause"
            yield from map(str, self.clauses[:SHOWN])


def public_definitions(path: str, node: ast.AST) -> Iterator[Documented]:
    """Yield a public module, class or function, and those in the body of a public module or class.

    Names that begin with an underscore are private, also those of magic methods. Functions in functions are local.
    """
    if not isinstance(node, Documented):
        return
    name = Path(path).stem.removeprefix("__") if isinstance(node, ast.Module) else node.name
    if name.startswith("_"):
        return
    yield node
    if isinstance(node, (ast.Module, ast.ClassDef)):
        for inner in node.body:
            yield from public_definitions(path, inner)


def parts_of(name: str) -> list[str]:
    """Return the words of a name, in lower case."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")


def defined_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the names that a file gives, with their lines."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.lineno, node.name
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.attr


def old_names(path: str, tree: ast.AST) -> Iterator[Place]:
    """Yield the names that have a word of the old vocabulary."""
    for line, name in sorted(set(defined_names(tree))):
        for part in parts_of(name):
            if part in OLD_WORDS:
                yield Place(path, line, f"the name {name} has `{part}`: say {OLD_WORDS[part]}")


def old_texts(path: str, text: str) -> Iterator[Place]:
    """Yield the lines with a word of the old vocabulary."""
    for line, content in enumerate(text.splitlines(), start=1):
        if found := IN_TEXT.search(content):
            yield Place(path, line, f"a word of the old vocabulary: {found[0]}")


def tracked(folder: str, *patterns: str) -> list[str]:
    """Return the files of the project below a folder that match."""
    git = ["git", "ls-files", *patterns]
    listed = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603  # nothing from outside
    return [path for path in listed.stdout.splitlines() if path.startswith(folder) and (ROOT / path).is_file()]


def problems(folder: str = "") -> tuple[list[str], dict[str, Count]]:
    """Return what is wrong below a folder, and the figures of each package there."""
    counts: dict[str, Count] = defaultdict(Count)
    found: list[str] = []
    for path in tracked(folder, *(f"{package}/*.py" for package in LIMITS)):
        text = (ROOT / path).read_text(encoding="utf-8")
        tree, package = ast.parse(text), path.partition("/")[0]
        counts[package].add(path, tree)
        if package != "tests":
            found += map(str, [*old_names(path, tree), *old_texts(path, text)])
    for path in tracked(folder, "*.md", "*.html", ":!CHANGELOG.md"):  # which names the words that went
        found += map(str, old_texts(path, (ROOT / path).read_text(encoding="utf-8")))
    return found + [line for package, count in counts.items() for line in count.problems(package)], counts


def figures(package: str, count: Count) -> str:
    """Return the figures of a package as a line."""
    return (
        f"{package}: {count.relative_share:.1f} relative words in 100, {count.out_of_form_share:.1f} % of first lines "
        f"out of form, {count.documented_share:.0f} % of public definitions documented, "
        f"{count.clauses_share:.1f} % of tests have a clause"
    )


if __name__ == "__main__":
    wrong, counted = problems(*sys.argv[1:2])
    print("\n".join([*wrong, *(figures(package, count) for package, count in counted.items())]))  # noqa: T201
    sys.exit(bool(wrong))
