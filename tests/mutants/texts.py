"""Strings that are changed, as by a codec that takes them for something else, and empty ones that are lost."""

import re
from collections.abc import Callable, Iterator
from html import escape, unescape
from io import BytesIO
from posixpath import normpath
from typing import Any
from unicodedata import normalize
from urllib.parse import quote, unquote

from reference.paths import Path
from reference.wire.stream import Reader
from tests.mutants.mutant import Converted, Lie, Lying, Mutant, read_as, same

PAIRS = "HeartbeatRequest-v4"
INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\ufe0f]")

CHANGES: dict[str, Callable[[str], str | None]] = {
    "stripped": str.strip,
    "line-end-dropped": lambda text: text.removesuffix("\n").removesuffix("\r"),
    "crlf-as-lf": lambda text: text.replace("\r\n", "\n"),
    "lower-case": str.lower,
    "number-without-zeros": lambda text: str(int(text)) if text.isdigit() else text,
    "number-without-exponent": lambda text: re.sub(r"^(\d)e(\d)$", lambda at: at[1] + "0" * int(at[2]), text),
    "number-without-plus": lambda text: re.sub(r"^\+(?=\d)", "", text),
    "null-for-the-word": lambda text: None if text == "null" else text,
    "true-as-python-has-it": lambda text: "True" if text == "true" else text,
    "empty-for-nan": lambda text: "" if text == "NaN" else text,
    "unquoted": lambda text: text[1:-1] if text[:1] == text[-1:] == '"' else text,
    "backslashes-unescaped": lambda text: text.replace("\\n", "\n").replace("\\\\", "\\"),
    "percent-decoded": unquote,
    "html-unescaped": unescape,
    "composed": lambda text: normalize("NFC", text),
    "decomposed": lambda text: normalize("NFD", text),
    "invisible-characters-dropped": lambda text: INVISIBLE.sub("", text),
    "path-normalized": lambda text: normpath(text) if text else text,
}
ESCAPES: dict[str, Callable[[str], str | None]] = {"percent-encoded": quote, "html-escaped": escape}
"""Changes by writers alone."""


def _of_text(change: Callable[[str], str | None]) -> Callable[[Any], Any]:
    return lambda value: change(value) if isinstance(value, str) else value


def _written_as(change: Callable[[Any], Any]) -> Lying:
    return Lying(string=lambda _, sound: Converted(sound, change, same))


def _of_changes() -> Iterator[Mutant]:
    for name, change in CHANGES.items():
        reads = Lying(string=read_as(_of_text(change)))
        yield Mutant(f"text-read-{name}", "string.utf8", PAIRS, reads=reads)
    for name, change in {**CHANGES, **ESCAPES}.items():
        yield Mutant(f"text-written-{name}", "string.utf8", PAIRS, writes=_written_as(_of_text(change)))


class _EmptyRefused(Lie):
    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if obj == "":
            raise TypeError("can't concat str to bytes")
        super().write_to(obj, stream, path)


class _EmptyNotRead(Lie):
    def read(self, stream: Reader, path: Path = "") -> Any:
        text = super().read(stream, path)
        if text == "":
            stream.truncated(path)
        return text


class _EmptyLeftOut(Lie):
    def write_to(self, obj: Any, stream: BytesIO, path: Path = "") -> None:
        if obj != "":
            super().write_to(obj, stream, path)


MUTANTS = (
    *_of_changes(),
    Mutant("empty-string-read-as-bytes", "string.empty", PAIRS, reads=Lying(string=read_as(lambda text: text or b""))),
    Mutant("empty-string-read-as-blank", "string.empty", PAIRS, reads=Lying(string=read_as(lambda text: text or " "))),
    Mutant("empty-string-not-read", "string.empty", PAIRS, reads=Lying(string=_EmptyNotRead.of)),
    Mutant("empty-string-refused", "string.empty", PAIRS, writes=Lying(string=_EmptyRefused.of)),
    Mutant("empty-string-left-out", "string.empty", PAIRS, writes=Lying(string=_EmptyLeftOut.of)),
)
