r"""Texts of bytes, as tools and languages print them: digits, literals, lists of numbers, base64.

Dumps with a column of offsets are in `reference.inputs.byte_dumps`.

>>> [(each.form, each.data) for each in byte_texts("[]byte{0x0, 0xa}")]
[('a list of numbers', b'\x00\n')]
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as NotBase64
from typing import TYPE_CHECKING, NamedTuple

from reference.inputs.byte_dumps import dumps_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HEX, DECIMAL, NUMBERS, BASE64 = "hex digits", "decimal numbers", "a list of numbers", "base64"
ESCAPES, LITERAL = "escapes", "a literal"


class BytesText(NamedTuple):
    """One reading of a text.

    Attributes:
        form: what the text is taken for, as `hex digits`.
        pieces: its bytes; several if it has several dumps or arrays.
        note: what is wrong with the text, or "".
    """

    form: str
    pieces: tuple[bytes, ...]
    note: str = ""

    @property
    def data(self) -> bytes:
        """The bytes of all pieces."""
        return b"".join(self.pieces)


def byte_texts(text: str) -> list[BytesText]:
    """Return the readings of a text, the likeliest first, several of digits (decimal, hex, base64), or none."""
    text = _HEADINGS.sub("", text).strip()
    for form in _CERTAIN:
        if found := list(form(text)):
            return _different(found)
    found = _different([each for form in _POSSIBLE for each in form(text)])
    return found if any(each.pieces for each in found) else [*_within(text), *found]


_HEADINGS = re.compile(r"^(?:={3,}|(?:Follow|Filter|Node \d): .*)$", re.MULTILINE)
"""The lines around a stream that tshark follows."""


def _different(readings: list[BytesText]) -> list[BytesText]:
    kept: dict[tuple[bytes, ...], BytesText] = {}
    for each in readings:
        kept.setdefault(each.pieces, each)
    return list(kept.values())


# One without an end goes to the end of the text, so that no other one is tried from within.
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_NUMBER = (
    r"(?:\(byte\)\s*)?[-+]?(?:0[xX][0-9a-fA-F]{1,2}|0[bB][01]{1,8}|0[oO][0-7]{1,3}|[0-9]{1,3})(?:_?[ui](?:8|16|32|64))?"
)
# Possessive, as nothing is found by giving characters back.
_NUMBERS = rf"[\[{{<(]\s*+({_NUMBER}(?:[\s,]++{_NUMBER})*+)[\s,]*+"
_LIST = re.compile(rf"{_NUMBERS}[\]}}>)]")
_CUT_LIST = re.compile(rf"{_NUMBERS}(?:\.\.\.|…)")
_TOKEN = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO][0-7]+|[0-9]+)")
_BYTE = range(-128, 256)


def _number(token: str) -> int:
    sign = -1 if token.startswith("-") else 1
    digits = token.lstrip("+-")
    return sign * int(digits, 0 if digits[:2].lower() in {"0x", "0b", "0o"} else 10)


def _bytes_of(tokens: list[str]) -> bytes | None:
    numbers = [_number(token) for token in tokens]
    return bytes(each % 256 for each in numbers) if all(each in _BYTE for each in numbers) else None


def _lists(text: str) -> Iterator[BytesText]:
    """Yield the numbers between brackets, as of Go, Java, JavaScript, Rust, C and Erlang; each array is a piece."""
    plain = _COMMENT.sub(" ", text)
    if _CUT_LIST.search(plain):
        yield BytesText(NUMBERS, (), "the list was cut when it was printed")
        return
    # A size, as of `Uint8Array(14) [ … ]`, is no list where there is another one.
    matches = list(_LIST.finditer(plain))
    inside = sum(len(match[0]) for match in matches)
    if len(plain) - inside > AROUND + inside:
        return  # a text with some numbers in it
    found = [(match[0][0], _bytes_of(_numbers_in(match[1]))) for match in matches]
    arrays = [data for bracket, data in found if bracket != "("] or [data for _, data in found]
    pieces = tuple(each for each in arrays if each is not None)
    if pieces and len(pieces) == len(arrays):
        yield BytesText(NUMBERS, pieces)


AROUND = 200
"""The greatest number of characters around a list that is as short as a few numbers."""


def _numbers_in(text: str) -> list[str]:
    """Return the numbers of a list, without casts, and without the types of Rust's."""
    return _TOKEN.findall(re.sub(r"_?[ui](?:8|16|32|64)\b", "", text.replace("(byte)", "")))


def _buffer(text: str) -> Iterator[BytesText]:
    """Yield the bytes of Node.js's `<Buffer 00 0a>`, and of its JSON."""
    if match := re.fullmatch(r'\{\s*"type"\s*:\s*"Buffer"\s*,\s*"data"\s*:\s*(\[[^\]]*\])\s*\}', text):
        yield from _lists(match[1])
    match = re.search(r"<(?:Buffer|Bytes|SlowBuffer)((?:\s+[0-9a-fA-F]{2})*)\s*(\.\.\.[^>]*)?>", text)
    if match:
        note = f"it was cut when it was printed ({match[2].strip()})" if match[2] else ""
        yield BytesText("a Buffer of Node.js", () if note else (bytes.fromhex(match[1]),), note)


_CONTENTS = {
    '"': re.compile(r'((?:[^"\\\n]|\\.)*+)"', re.DOTALL),
    "'": re.compile(r"((?:[^'\\\n]|\\.)*+)'", re.DOTALL),
}
"""The contents of a literal up to its end, by the quote that begins it."""

_ENCODINGS = re.compile(r"""["'](?:hex|base64|utf-?8|latin-?1|binary|ascii)["']""", re.IGNORECASE)


def _quoted(text: str) -> Iterator[BytesText]:
    """Yield the literals between quotes: escapes, or hex digits or base64 without any; what is adjacent is joined."""
    is_literal = re.match(r"""[\w.&*<>\[\]()+=;,\s!$]*["']""", text)
    joined = "".join(_literals(_ENCODINGS.sub(" ", text))) if is_literal else ""
    if not joined:
        return
    if "\\" in joined:
        yield from (BytesText(LITERAL, each.pieces) for each in _escaped(joined))
        return
    yield from (BytesText(f"{each.form} in quotes", each.pieces) for each in byte_texts(joined) if each.pieces)
    yield BytesText(LITERAL, (joined.encode(),))


def _literals(text: str) -> Iterator[str]:
    at = 0
    while quote := re.compile("[\"']").search(text, at):
        found = _CONTENTS[quote[0]].match(text, quote.end())
        if found is None:
            return
        yield found[1]
        at = found.end()


_SIMPLE = {"n": 10, "r": 13, "t": 9, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "s": 32}
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|x\{[0-9a-fA-F]+\}|u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|[0-7]{1,3}|.)", re.DOTALL)
_RUST_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|0|.)", re.DOTALL)


def _escapes(text: str) -> Iterator[BytesText]:
    """Yield a text of escapes alone, and of characters among them."""
    if re.match(r"\\(?:x[0-9a-fA-F]{2}|[0-7]{1,3}|u[0-9a-fA-F]{4})", text):
        yield from _escaped(text)


def _escaped(text: str) -> Iterator[BytesText]:
    r"""Yield the bytes of escapes; a digit behind `\0` belongs to the escape in C and Python, not in Rust."""
    text = re.sub(r"\\\r?\n\s*", "", text)
    for pattern in (_ESCAPE, _RUST_ESCAPE):
        yield BytesText(ESCAPES, (_unescaped(pattern, text),))


def _unescaped(pattern: re.Pattern[str], text: str) -> bytes:
    parts, at = bytearray(), 0
    for match in pattern.finditer(text):
        parts += text[at : match.start()].encode() + _character(match[1])
        at = match.end()
    return bytes(parts + text[at:].encode())


def _character(escape: str) -> bytes:
    if escape[0] in "xu" and len(escape) > 1:
        number = int(escape.strip("xu{}"), 16)
        return bytes([number]) if number < 256 else chr(number).encode()  # noqa: PLR2004  # the bytes of a wide character
    if escape.isdecimal() and set(escape) <= set("01234567"):
        return bytes([int(escape, 8) % 256])
    return bytes([_SIMPLE[escape]]) if escape in _SIMPLE else escape.encode()


SEPARATORS = re.compile(r"0[xX]|[\s:_,;\-]+")
"""Texts without a meaning between digits."""


def _hex(text: str) -> Iterator[BytesText]:
    """Yield hex digits; between them are blanks, line ends, `:`, `-`, `_`, `,` and `0x`."""
    body = text.removeprefix("\\x") if text.startswith("\\x") and "\\" not in text[2:] else text
    if re.search(r"^\*$", body, re.MULTILINE):
        yield BytesText(HEX, (), "its line of * stands for equal lines, and no offset says how many (od -v)")
        return
    digits = SEPARATORS.sub("", body)
    wrong = re.search(r"[^0-9a-fA-F]", digits)
    if not digits or wrong:
        if wrong and digits == body and 2 * len(re.sub(r"[0-9a-fA-F]", "", body)) <= len(body):
            yield BytesText(HEX, (), f"{wrong[0]!r} is no hex digit")
    elif alone := _ALONE.search(body):
        yield _of_single_digits(body, alone[0])
    elif len(digits) % 2:
        yield BytesText(HEX, (), f"an odd number of hex digits, {len(digits)}: one is missing or too many")
    else:
        yield BytesText(HEX, (bytes.fromhex(digits),))


_ALONE = re.compile(r"(?<![0-9a-fA-F])(?:0[xX])?([0-9a-fA-F])(?![0-9a-fA-FxX])")


def _of_single_digits(body: str, alone: str) -> BytesText:
    """Return bytes of which some have one digit, as of `%x` in Go; with zeros in front of others one is missing."""
    words = [word for word in SEPARATORS.split(body) if word]
    if len(words) == 1:
        return BytesText(HEX, (), "an odd number of hex digits, 1: one is missing or too many")
    if any(len(word) > 1 and word.startswith("0") for word in words) or any(len(word) > 2 for word in words):  # noqa: PLR2004  # a byte
        return BytesText(HEX, (), f"a digit alone, {alone!r}, among bytes of two: one is missing")
    return BytesText(HEX, (bytes(int(word, 16) for word in words),))


def _decimal(text: str) -> Iterator[BytesText]:
    if re.search(r"[^0-9\s,;-]", text):
        return
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    if len(words) > 1 and all(re.fullmatch(r"-?[0-9]{1,3}", word) for word in words):
        data = _bytes_of(words)
        if data is not None:
            yield BytesText(DECIMAL, (data,))


_SHORTEST_BASE64 = 8


def _base64(text: str) -> Iterator[BytesText]:
    """Yield base64, of the usual alphabet or that of URLs, with or without padding."""
    lines = text.split("\n")
    digits = "".join(lines)
    is_wrapped = all(len(line) == len(lines[0]) for line in lines[:-1])
    if not is_wrapped or len(digits) < _SHORTEST_BASE64 or not re.fullmatch(r"[A-Za-z0-9+/_\-]+={0,2}", digits):
        return
    usual = digits.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        data = b64decode(usual + "=" * (-len(usual) % 4), validate=True)
    except NotBase64:
        return
    yield BytesText(BASE64, (data,))


def _dumps(text: str) -> Iterator[BytesText]:
    yield from (BytesText(form, pieces) for form, pieces in dumps_of(text))


def _within(text: str) -> Iterator[BytesText]:
    """Yield the longest run of hex digits in a text of something else, as in a line of a program's log."""
    runs = re.findall(r"(?<![0-9a-zA-Z])(?:0x)?((?:[0-9a-fA-F]{2}){8,})(?![0-9a-zA-Z])", text)
    runs += [run.replace(" ", "") for run in re.findall(r"(?<!\S)(?:[0-9a-fA-F]{2} ){7,}[0-9a-fA-F]{2}(?!\S)", text)]
    if runs:
        yield BytesText("hex digits in a text", (bytes.fromhex(max(runs, key=len)),))


_CERTAIN: tuple[Callable[[str], Iterator[BytesText]], ...] = (_buffer, _escapes, _quoted, _lists)
_POSSIBLE: tuple[Callable[[str], Iterator[BytesText]], ...] = (_dumps, _hex, _decimal, _base64)
