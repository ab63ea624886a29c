"""The places of this repository with a number of the book or of the proposals, found by their form.

    rule 6.24    rules 1.1.8 to 1.1.14    section 15 on rule 6.9    statement 6.57        in any text
    (6.24)       (2.4, 1.2.10)                                                         in any text
    "6.24"                                                                             a literal of the code

Other numbers in the same form are none: versions of programs, and defaults of floats.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("conformance", "reference", "specs", "tests", "vectors")
SUFFIXES = frozenset((".go", ".java", ".md", ".mjs", ".py", ".rs", ".toml"))
DATA = (
    "specs/releases",
    "specs/protocol",
    "specs/proposals/kip",
    "vectors/3",
    "vectors/4",
    "tests/specs",
    "tests/programs/clients",
)
"""Definitions and vectors, which cite nothing; the book, whose links have a test; these tests, with examples; and the
versions of clients."""
BUILT = frozenset(("target", "node_modules", "build", "__pycache__"))

OTHERS = frozenset(("1.5", "2.8.2", "3.9.1"))
"""The default of a float in the code, and releases; so is every number that ends in 0."""

_NUMBER = r"(?:[1-9][0-9]*(?:\.[0-9]{1,3}){1,2}a?|(?:482A|482B|625)-[0-9]+)"
_ALONE = r"(?:[1-9][0-9]?(?![0-9.,%-]|\.[0-9]))"
_JOINT = r"(?:, and | and |, | to | on | as of section | on rules? )"
_LIST = rf"(?:{_NUMBER}|{_ALONE})(?:{_JOINT}(?:rules? |sections? )?(?:{_NUMBER}|{_ALONE}))*"
_NAMED = re.compile(rf"\b(?:[Rr]ules?|[Ss]ections?|[Ss]tatements?) ({_LIST})")
_IN_BRACKETS = re.compile(rf"(?<!\w)\(({_NUMBER}(?:{_JOINT}{_NUMBER})*)\)")
_LITERAL = re.compile(rf'"({_NUMBER})"')
_EACH = re.compile(rf"{_NUMBER}|{_ALONE}")
_MARGIN = re.compile(r"\n[ \t]*(?:#|//|\*)?[ \t]*")
"""The end of a line and what comments have before the next one, so that a list of numbers may go on there."""
_NEW_LINE = "\v"


@dataclass(frozen=True)
class Citation:
    """One number in one place."""

    path: str
    line: int
    number: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} cites {self.number}"


def files() -> Iterator[Path]:
    """Yield every text of the repository with possible citations."""
    yield from sorted(ROOT.glob("*.md"))
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            relative = path.relative_to(ROOT)
            is_data = relative.as_posix().startswith(DATA)
            if path.suffix in SUFFIXES and not is_data and BUILT.isdisjoint(relative.parts):
                yield path


def citations() -> Iterator[Citation]:
    for path in files():
        yield from citations_in(path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix())


def citations_in(text: str, path: str) -> Iterator[Citation]:
    """Yield the citations of a text, by line, with lists of numbers over several lines."""
    marked = _MARGIN.sub(_NEW_LINE, text)
    flat = marked.replace(_NEW_LINE, " ")
    patterns = (_NAMED, _IN_BRACKETS, _LITERAL) if _has_literals(path) else (_NAMED, _IN_BRACKETS)
    for match in sorted((match for pattern in patterns for match in pattern.finditer(flat)), key=re.Match.start):
        line = marked.count(_NEW_LINE, 0, match.start()) + 1
        numbers = [number for number in _EACH.findall(match[1]) if not is_other(number)]
        yield from (Citation(path, line, number) for number in numbers)


def _has_literals(path: str) -> bool:
    """Return whether a quoted number in a file is a citation, and no other text as in tests."""
    return path.endswith(".py") and not path.startswith("tests/")


def is_other(number: str) -> bool:
    """Whether it is a version of a program, or no citation for another reason."""
    return number in OTHERS or number.endswith(".0")
