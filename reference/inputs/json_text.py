"""A strict reader of JSON, bounded in depth and digits.

It refuses more than broken JSON: a repeated key in an object, NaN and infinity, in words or as `1e999`, integers of
more than `DIGITS` digits, and values nested deeper than `DEPTH`. An error has the line of a broken form, or the path of
a refused value:

    {"a": [1, {"b": NaN}]}     file.json, $.a[1].b: NaN is no number of JSON

JSON can name an unpaired surrogate, which no output in UTF-8 can hold. Documents have its escape as text instead.
"""

from __future__ import annotations

import json
import math
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NoReturn

from reference.inputs.errors import BadInput
from reference.inputs.files import LARGEST, LONGEST, decoded, read_bytes, read_lines
from reference.inputs.trees import DEPTH, DIGITS, path_of, values_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def read_json(path: Path, largest: int = LARGEST) -> Any:
    """Return the document in a file, or raise BadInput if it is no JSON or beyond a bound, or OSError."""
    return parse_json(read_bytes(path, largest), str(path))


def read_json_lines(path: Path, longest: int = LONGEST) -> Iterator[tuple[int, Any]]:
    """Yield number and document of each line of a file, without blank lines, with the errors of `read_json`."""
    for number, line in read_lines(path, longest):
        if line.strip():
            yield number, parse_json(line, str(path), number)


def packaged_json(package: str, name: str) -> Any:
    """Return the document in a file of a package."""
    return parse_json((files(package) / name).read_bytes(), name)


def parse_json(text: str | bytes, source: str, line: int = 0) -> Any:
    r"""Return the document of a text, or of bytes in UTF-8, in which escapes stand for unpaired surrogates.

    >>> print(parse_json(r'{"\ud800": "\ud83d\ude00"}', "example"))
    {'\\ud800': '😀'}

    Raises:
        BadInput: it is no JSON, or beyond a bound. The error has `source`, and `line` for one line of a file.
    """
    if isinstance(text, bytes):
        text = decoded(text, source, line)
    if _SURROGATE.search(text):
        text = _ESCAPE.sub(_escape_kept, text)
    return parse_value(text, source, line)


def parse_value(text: str, source: str, line: int = 0) -> Any:
    """Return the document of a text as `parse_json`, with unpaired surrogates, which values of fields may have."""
    text = text.removeprefix("\ufeff")
    try:
        document = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        at = max(line, 1) + error.lineno - 1
        raise BadInput(source, f"not JSON: {error.msg}, at column {error.colno}", line=at) from error
    except _Unfit as error:
        raise BadInput(source, str(error), line=line, path=_path_of_unfit(text)) from error
    except RecursionError as error:
        raise BadInput(source, TOO_DEEP, line=line) from error
    if _is_deep(text):
        raise BadInput(source, TOO_DEEP, line=line)
    return document


_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_ESCAPE = re.compile(r"\\(?:(u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(u[dD][89a-fA-F])|.)", re.DOTALL)


def _escape_kept(found: re.Match[str]) -> str:
    return f"\\{found[0]}" if found[2] else found[0]


TOO_DEEP = f"nested deeper than {DEPTH} objects and arrays, the most that is read"


class _Unfit(Exception):
    """A refused value."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in members if keys.count(key) > 1)
        raise _Unfit(f"the key {twice!r:.80} is there more than once; keep one of them")
    return members


def _integer(digits: str) -> int:
    if len(digits) > DIGITS:
        raise _Unfit(f"an integer of {len(digits):,} digits; at most {DIGITS} are read")
    return int(digits)


def _float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _Unfit(f"{text:.40} is larger than any number that can be read")
    return number


def _constant(name: str) -> NoReturn:
    raise _Unfit(f"{name} is no number of JSON")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_float, parse_constant=_constant, object_pairs_hook=_object)


def _path_of_unfit(text: str) -> str:
    """Return the path of the first refused value, or empty text if the rest is no JSON either."""

    # Python's reader knows no paths: read again, with the error in place of each refused value.
    def marking(hook: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def marked(part: Any) -> Any:
            try:
                return hook(part)
            except _Unfit as error:
                return error

        return marked

    decoder = json.JSONDecoder(
        parse_int=marking(_integer),
        parse_float=marking(_float),
        parse_constant=marking(_constant),
        object_pairs_hook=marking(_object),
    )
    try:
        tree = decoder.decode(text)
    except (ValueError, RecursionError):
        return ""
    return next((path_of(steps) for steps, value in values_in(tree) if isinstance(value, _Unfit)), "")


_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"')
_BRACKETS = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes(set(range(256)) - set(b"[]{}"))


def _is_deep(text: str) -> bool:
    if text.count("[") + text.count("{") <= DEPTH:
        return False
    brackets = _STRING.sub("", text).encode(errors="surrogatepass").translate(_BRACKETS, _OTHERS)
    # remove the innermost brackets
    for _ in range(DEPTH):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)
