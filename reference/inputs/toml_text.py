"""A reader of TOML, bounded in depth, digits and the parts of a key.

Python's own reader takes minutes for a key of 20,000 parts, `a.b.c`, and raises errors other than its own for deep
arrays and for integers of many digits.
"""

from __future__ import annotations

import math
import re
import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from reference.inputs.errors import BadInput
from reference.inputs.files import MEBIBYTE, decoded, read_bytes
from reference.inputs.trees import DEPTH, DIGITS, path_of, values_in

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 16 * MEBIBYTE
"""The greatest number of bytes in a file of TOML."""

PARTS = 16
"""The greatest number of parts in a key."""


def read_toml(path: Path, largest: int = LARGEST) -> dict[str, Any]:
    """Return the document in a file, or raise BadInput if it is no TOML or beyond a bound, or OSError."""
    return parse_toml(read_bytes(path, largest), str(path))


def packaged_toml(package: str, name: str) -> dict[str, Any]:
    """Return the document in a file of a package."""
    return parse_toml((files(package) / name).read_bytes(), name)


def parse_toml(text: str | bytes, source: str) -> dict[str, Any]:
    """Return the document of a text, or of bytes in UTF-8 with or without a byte order mark.

    Raises:
        BadInput: it is no TOML, or beyond a bound. The error has `source`.
    """
    if isinstance(text, bytes):
        text = decoded(text, source)
    text = text.removeprefix("\ufeff")
    _check_keys(text, source)
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        text, line = _problem_of(error)
        raise BadInput(source, f"not TOML: {text}", line=line) from error
    except ValueError as error:  # of an integer: the limit is a setting of Python
        raise BadInput(source, f"an integer of too many digits; at most {DIGITS} are read") from error
    except RecursionError as error:
        raise BadInput(source, TOO_DEEP) from error
    _check_values(document, source)
    return document


TOO_DEEP = f"nested deeper than {DEPTH} tables and arrays, the most that is read"

_TEXT_OR_COMMENT = re.compile(
    r'''
      """(?:[^"\\]|\\.|"{1,2}(?!"))*""" | "(?:[^"\\\n]|\\.)*"
    | \'{3}(?:[^']|'{1,2}(?!'))*\'{3}     | '[^'\n]*'
    | \#[^\n]*
    ''',
    re.VERBOSE | re.DOTALL,
)
_LONG_KEY = re.compile(rf"(?<![\w-])[\w-]+(?:[ \t]*\.[ \t]*[\w-]+){{{PARTS},}}")


def _check_keys(text: str, source: str) -> None:
    found = _LONG_KEY.search(_TEXT_OR_COMMENT.sub(_masked, text))
    if found:
        line = found.string.count("\n", 0, found.start()) + 1
        raise BadInput(source, f"a key of more than {PARTS} parts, the most that are read", line=line)


def _masked(found: re.Match[str]) -> str:
    """Return the replacement of a text or a comment, a part of a key and the line ends in it."""
    return "_" + "\n" * found[0].count("\n")


def _check_values(document: dict[str, Any], source: str) -> None:
    for steps, value in values_in(document):
        if len(steps) > DEPTH:
            raise BadInput(source, TOO_DEEP)
        if type(value) is int and abs(value) >= 10**DIGITS:
            raise BadInput(
                source, f"an integer of more than {DIGITS} digits, the most that are read", path=path_of(steps)
            )
        if isinstance(value, float) and not math.isfinite(value):
            raise BadInput(source, "no finite number", path=path_of(steps))


def _problem_of(error: tomllib.TOMLDecodeError) -> tuple[str, int]:
    """Return the text of an error, and the line in it, or 0 if it has none, as at the end."""
    found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.DOTALL)
    return (f"{found[1]}, at column {found[3]}", int(found[2])) if found else (str(error), 0)
