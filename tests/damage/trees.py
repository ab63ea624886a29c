"""Random changes of the values in a document: of their types, sizes, depths, keys and places."""

from __future__ import annotations

import json
import tomllib
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

import tomlkit
from tomlkit.exceptions import TOMLKitError

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

Place = tuple[Any, Any]
"""An object or array, and the key or index of a value in it."""

MARK = "a-text-in-place-of-another"
"""In a written document it is replaced by a text that no writer would write."""

RAW = ("1e999", "-1e999", "NaN", "9" * 5000, "[" * 5000 + "]" * 5000, "1.0", "-0", r'"\ud800"', r'"\u001b]0;t\u0007"')
TEXTS = (
    *("", "text", "-dash", "../../etc/passwd", "/dev/full", "a\0b", "\x1b]52;c;Y3Vy\x07", "\x9b2J\u202e\u2028"),
    *("a\nb\r\nc", "%s{0}{x.y}$(id)`id`", "x" * 20_000, "é日本🙂", "<script>", "|", "[red]", "1", "null"),
)
NUMBERS = (0, -1, 1, 2**31, 2**53, 2**63, -(2**63) - 1, 2**64, 10**30, 10**99, 1.5, 1e308, -1e-308)
OTHERS: tuple[Any, ...] = (None, True, False, [], {}, [[]], [None] * 1000, {"": None}, {"a": {"a": {"a": []}}})


def _replace(place: Place, choices: random.Random, _places: list[Place]) -> None:
    """Put a value of any type."""
    holder, key = place
    holder[key] = deepcopy(choices.choice(choices.choice((TEXTS, NUMBERS, OTHERS))))


def _mark(place: Place, _choices: random.Random, _places: list[Place]) -> None:
    """Put one of `RAW`."""
    holder, key = place
    holder[key] = MARK


def _remove(place: Place, _choices: random.Random, _places: list[Place]) -> None:
    holder, key = place
    del holder[key]


def _wrap(place: Place, choices: random.Random, _places: list[Place]) -> None:
    holder, key = place
    holder[key] = choices.choice(([holder[key]], {"inner": holder[key]}))


def _move(place: Place, choices: random.Random, places: list[Place]) -> None:
    """Put the value of another place."""
    (holder, key), (other, other_key) = place, choices.choice(places)
    holder[key] = deepcopy(other[other_key])


def _rename(place: Place, choices: random.Random, _places: list[Place]) -> None:
    holder, key = place
    if isinstance(holder, dict):
        holder[choices.choice((*TEXTS, "\ud800", f"{key}s"))] = holder.pop(key)


def _twice(place: Place, _choices: random.Random, _places: list[Place]) -> None:
    """Have an element twice, or a key."""
    holder, key = place
    if isinstance(holder, dict):
        holder[MARK + key] = deepcopy(holder[key])
    else:
        holder.insert(key, deepcopy(holder[key]))


WAYS = (_replace, _replace, _replace, _replace, _mark, _mark, _remove, _wrap, _move, _rename, _twice)


class DocumentFormat(NamedTuple):
    """A format of documents.

    Attributes:
        read: returns the document of a text.
        write: returns the text of a document.
        by_line: whether each line has a document of its own.
    """

    read: Callable[[str], Any]
    write: Callable[[Any], str]
    by_line: bool = False


def _json(document: Any) -> str:
    return json.dumps(document, indent=1)


DOCUMENTS = {
    "json": DocumentFormat(json.loads, _json),
    "lines": DocumentFormat(json.loads, json.dumps, by_line=True),
    "toml": DocumentFormat(tomllib.loads, tomlkit.dumps),
}


def changed_document(content: bytes, form: DocumentFormat, choices: random.Random) -> bytes:
    """Return a document with one to three changed values; as it is if the format cannot hold them."""
    if not form.by_line:
        return _changed(content, form, choices)
    lines = content.splitlines()
    at = choices.randrange(len(lines))
    lines[at] = _changed(lines[at], form, choices)
    return b"\n".join(lines) + b"\n"


def _changed(content: bytes, form: DocumentFormat, choices: random.Random) -> bytes:
    top = [form.read(content.decode())]
    for _ in range(choices.choice((1, 1, 2, 3))):
        places = list(_places(top))
        if places:
            choices.choice(WAYS)(choices.choice(places), choices, places)
    try:
        text = form.write(top[0] if top else None)
    except (TypeError, ValueError, AttributeError, TOMLKitError):  # TOML has no null, and its top is a table
        return content
    text = text.replace(f'"{MARK}"', choices.choice(RAW)).replace(f'"{MARK}', '"')
    return text.encode(errors="surrogatepass")


def _places(holder: Any) -> Iterator[Place]:
    keys = list(holder) if isinstance(holder, dict) else range(len(holder))
    for key in keys:
        yield holder, key
        if isinstance(holder[key], (dict, list)):
            yield from _places(holder[key])
