r"""Read the flavour of JSON in the upstream definition files to a plain tree.

Definitions are JSON with `//` and `/* */` comments, wherever white space may be (rule 8.1). Python's own JSON reader
does the work, on a copy of the text with blanks in place of comments, so that every offset still holds:

    { "tag": 0 // first          {"tag": Number("0")}
    }

Like upstream, and unlike Python, it refuses `NaN` and `Infinity`. The last of repeated keys wins (rule 8.4).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NoReturn

from reference.definitions.errors import TOP, BrokenDefinition, Place, Position, Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

RULE = "definition.json"
ADVICE = "write JSON with // or /* */ comments: no trailing commas, no # comments, no single quotes"


class Number(str):
    """A number as written, since some properties take their numbers as text (rule 8.3)."""

    __slots__ = ()


class Repetitive(dict[str, "Tree"]):
    """An object with the last value of each key, and the names of the repeated ones."""

    def __init__(self, pairs: list[tuple[str, Tree]]) -> None:
        super().__init__(pairs)
        counts = Counter(key for key, _ in pairs)
        self.repeated = tuple(key for key, count in counts.items() if count > 1)


BLANKS = "".join(map(chr, range(ord(" ") + 1)))
"""The characters trimmed off texts: everything up to the space, as in Java."""

Tree = dict[str, "Tree"] | list["Tree"] | str | Number | bool | None
"""The content of a definition's text."""


def read_tree(text: str, source: str, *, to_the_end: bool = True) -> dict[str, Tree]:
    """Return the object in the text of a definition. Text after it is an error, or is ignored with `to_the_end=False`.

    Raises:
        BrokenDefinition: the text is not of this flavour, or holds no object. The error has line and column.
    """
    tree = _read_json(text, source, to_the_end=to_the_end)
    if not isinstance(tree, dict):
        raise _broken(text, source, 0, "a definition is one object in braces", "8.1")
    return tree


def _read_json(text: str, source: str, *, to_the_end: bool) -> Tree:
    decoder = json.JSONDecoder(
        parse_int=Number, parse_float=Number, parse_constant=_refuse_constant, object_pairs_hook=_object
    )
    blanked = _blank_comments(text, source)
    try:
        beginning = len(blanked) - len(blanked.lstrip())
        tree: Tree = decoder.decode(blanked) if to_the_end else decoder.raw_decode(blanked, beginning)[0]
    except json.JSONDecodeError as error:
        raise _broken(text, source, *_in_words(blanked, error), "8.2") from error
    except ValueError as error:  # for NaN and Infinity Python raises this one
        raise _broken(text, source, text.find(str(error)), f"{error} is not JSON", "8.2") from error
    except RecursionError as error:
        raise _broken(text, source, 0, "the values are nested too deeply to be read", "8.1") from error
    return tree


_TRAILING_COMMA = "there is a comma before the closing bracket"
_WORDS = {
    "Extra data": "there is more text after the end of the object",
    "Expecting value": "a value is expected here",
    "Expecting property name": "the name of a property in double quotes is expected here",
    "Expecting ':'": "a colon is expected here, after the name of a property",
    "Expecting ','": "a comma or a closing bracket is expected here",
    "Illegal trailing comma": _TRAILING_COMMA,
    "Unterminated string": "this text has no closing quote",
    "Invalid control character": "a control character, as a line break, must be escaped in a text",
    "Invalid \\": "there is no such escape in JSON",
}
"""The errors of Python's reader in words of JSON, by the beginning of Python's text."""


def _in_words(blanked: str, error: json.JSONDecodeError) -> tuple[int, str]:
    """Return the offset and the text of an error, for a comma before a closing bracket those of the comma."""
    before = blanked[: error.pos].rstrip()
    if before.endswith(",") and blanked[error.pos : error.pos + 1] in {"]", "}"}:
        return len(before) - 1, _TRAILING_COMMA
    return error.pos, next((words for text, words in _WORDS.items() if error.msg.startswith(text)), error.msg)


def _object(pairs: list[tuple[str, Tree]]) -> dict[str, Tree]:
    tree = dict(pairs)
    return tree if len(tree) == len(pairs) else Repetitive(pairs)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


_STRING_OR_COMMENT = re.compile(
    r"""
      (?P<string> "(?:[^"\\\r\n]|\\.)*")
    | (?P<comment> //[^\r\n]* | /\*.*?\*/)
    | (?P<unclosed> /\*)
    """,
    re.VERBOSE | re.DOTALL,
)


def _blank_comments(text: str, source: str) -> str:

    def blank(found: re.Match[str]) -> str:
        if found["unclosed"]:
            raise _broken(text, source, found.start(), "this comment is never closed", "8.1")
        return found["string"] or re.sub(r"[^\r\n]", " ", found["comment"])

    return _STRING_OR_COMMENT.sub(blank, text)


def _broken(text: str, source: str, offset: int, what: str, number: str) -> BrokenDefinition:
    return BrokenDefinition(source, Problem(RULE, number, TOP, what, ADVICE), _position(text, offset))


def _position(text: str, offset: int) -> Position:
    before = text[: max(offset, 0)]
    return Position(line=before.count("\n") + 1, column=len(before) - (before.rfind("\n") + 1) + 1)


_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]|[^\s"{}\[\]:,]+')


def locate(text: str, place: Place) -> Position:
    """Return the position of a place in the text of a valid definition, or of the nearest thing around it."""
    offsets, steps = _offsets(text), place.steps
    while steps and steps not in offsets:
        steps = steps[:-1]
    return _position(text, offsets.get(steps, 0))


@lru_cache(maxsize=1)
def _offsets(text: str) -> dict[tuple[str | int, ...], int]:
    """Return the offset of every value of a text, by the steps to it; for a repeated key, of the last value."""
    return dict(_values(_blank_comments(text, "")))


def _values(blanked: str) -> Iterator[tuple[tuple[str | int, ...], int]]:
    steps: list[str | int] = []
    key_expected = False
    for found in _MARK.finditer(blanked):
        mark = found[0]
        if mark == ":":
            key_expected = False
        elif mark == ",":
            key_expected = isinstance(steps[-1], str)
            steps[-1] = steps[-1] + 1 if isinstance(steps[-1], int) else ""  # empty until its key is read
        elif mark in "}]":
            key_expected = False
            steps.pop()
            if not steps:
                return
        elif key_expected:
            steps[-1] = json.loads(mark)
        else:
            yield tuple(steps), found.start()
            key_expected = mark == "{"
            if mark in "{[":
                steps.append("" if key_expected else 0)
