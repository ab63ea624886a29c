"""The mutants of a file, its text with one change by mutmut's operators."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst
from libcst.metadata import CodePosition, MetadataWrapper, WhitespaceInclusivePositionProvider
from mutmut.mutation.mutators import mutation_operators

from tests.mutants.automatic.left_out import is_left_out, is_without_effect

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[3]
PATTERNS = (
    *("reference/wire/*.py", "reference/codec.py", "reference/frames.py", "reference/headers.py"),
    *("reference/layouts.py", "reference/prefixed.py", "reference/primitives.py", "reference/protocols.py"),
    "reference/values/defaults.py",
)
"""Wire types, headers, frames and prefixes, and the defaults left out by a tag section."""


@dataclass(frozen=True)
class Mutant:
    """One changed text of one file."""

    file: str
    place: str
    """Its class and function."""
    line: int
    operator: str
    before: str
    """The changed lines, joined to one line."""
    after: str
    text: str
    """The whole file."""

    @property
    def module(self) -> str:
        """The name of the file as a module."""
        return self.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def files() -> list[str]:
    """Return every mutated file, from the root of the project."""
    return [path.relative_to(ROOT).as_posix() for pattern in PATTERNS for path in sorted(ROOT.glob(pattern))]


def mutants_of(file: str) -> Iterator[Mutant]:
    """Yield every mutant of a file, each text once."""
    source = (ROOT / file).read_text(encoding="utf-8")
    wrapper = MetadataWrapper(cst.parse_module(source))
    visitor = _Visitor()
    wrapper.visit(visitor)
    texts = {source}
    for place, position, operator, node, mutated in visitor.changes:
        text = _spliced(wrapper.module, source, position, node, mutated)
        if text not in texts:
            texts.add(text)
            yield Mutant(file, place, position.line, operator, *_changed(source, text), text)


def _spliced(module: cst.Module, source: str, at: CodePosition, node: cst.CSTNode, mutated: cst.CSTNode) -> str:
    """Return the text with one node replaced, in place if the file has the node as it is printed."""
    code, start = module.code_for_node(node), at.column
    start += sum(map(len, source.splitlines(keepends=True)[: at.line - 1]))
    if source.startswith(code, start):
        return source[:start] + module.code_for_node(mutated) + source[start + len(code) :]
    whole = module.deep_replace(node, mutated)  # a hundred times slower
    assert isinstance(whole, cst.Module)
    return whole.code


class _Visitor(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (WhitespaceInclusivePositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[tuple[str, CodePosition, str, cst.CSTNode, cst.CSTNode]] = []
        self.place: list[str] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.ClassDef | cst.FunctionDef):
            self.place.append(node.name.value)
        if is_left_out(node, self.place):
            return False
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                position = self.get_metadata(WhitespaceInclusivePositionProvider, node).start
                name = operator.__name__.removeprefix("operator_")
                for mutated in operator(node):
                    if not is_without_effect(node, mutated):
                        self.changes.append((".".join(self.place), position, name, node, mutated))
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        if isinstance(original_node, cst.ClassDef | cst.FunctionDef):
            self.place.pop()


def _changed(source: str, mutated: str) -> tuple[str, str]:
    """Return the different lines of two texts, from the first to the last."""
    old, new = source.splitlines(), mutated.splitlines()
    first = _same(old, new)
    same = _same(old[first:][::-1], new[first:][::-1])
    return _in_one_line(old[first : len(old) - same]), _in_one_line(new[first : len(new) - same])


def _same(old: list[str], new: list[str]) -> int:
    """Return the number of equal lines at the head of two texts."""
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))))


def _in_one_line(lines: list[str]) -> str:
    return " ".join(line.strip() for line in lines)
