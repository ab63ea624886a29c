"""Changes of texts and bytes, by name."""

import re
from collections.abc import Callable
from html import escape, unescape
from posixpath import normpath
from unicodedata import normalize
from urllib.parse import quote, unquote

from tests.mutants.ways.basics import refuse_if, reversed_bytes

INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\ufe0f]")


def _beyond_the_basic_plane(other: str) -> Callable[[str], str]:
    return lambda text: "".join(sign if sign <= "\uffff" else other for sign in text)


TEXTS: dict[str, Callable[[str], str | None]] = {
    "stripped": str.strip,
    "blanks-at-the-start-stripped": lambda text: text.lstrip(" "),
    "blanks-at-the-end-stripped": lambda text: text.rstrip(" "),
    "tabs-and-lines-at-the-end-stripped": lambda text: text.rstrip("\t\r\n"),
    "line-end-dropped": lambda text: text.removesuffix("\n").removesuffix("\r"),
    "lines-split": lambda text: "\n".join(text.splitlines()),
    "crlf-as-lf": lambda text: text.replace("\r\n", "\n"),
    "lf-as-crlf": lambda text: text.replace("\n", "\r\n"),
    "cr-as-lf": lambda text: text.replace("\r", "\n"),
    "cut-at-nul": lambda text: text.split("\0")[0],
    "cut-at-sub": lambda text: text.split("\x1a")[0],
    "nul-at-the-end-stripped": lambda text: text.rstrip("\0"),
    "nul-dropped": lambda text: text.replace("\0", ""),
    "nul-as-two-bytes": lambda text: text.replace("\0", "\udcc0\udc80"),
    "del-dropped": lambda text: text.replace("\x7f", ""),
    "control-signs-refused": refuse_if(lambda text: any(sign < " " for sign in text)),
    "blanks-refused": refuse_if(lambda text: " " in text),
    "lowered": str.lower,
    "upper-case-refused": refuse_if(str.isupper),
    "composed": lambda text: normalize("NFC", text),
    "decomposed": lambda text: normalize("NFD", text),
    "mark-at-the-start-dropped": lambda text: text.removeprefix("\ufeff"),
    "invisible-characters-dropped": lambda text: INVISIBLE.sub("", text),
    "noncharacters-replaced": lambda text: text.replace("\uffff", "\ufffd").replace("\ufffe", "\ufffd"),
    "ascii-only": lambda text: text.encode("ascii", "replace").decode(),
    "latin-1-only": lambda text: text.encode("latin-1", "replace").decode("latin-1"),
    "two-byte-signs-only": _beyond_the_basic_plane("\ufffd"),
    "beyond-the-basic-plane-replaced": _beyond_the_basic_plane("?"),
    "quoted": lambda text: text.replace('"', '\\"'),
    "unquoted": lambda text: text[1:-1] if text[:1] == text[-1:] == '"' else text,
    "backslashes-unescaped": lambda text: text.replace("\\n", "\n").replace("\\\\", "\\"),
    "percent-decoded": unquote,
    "percent-encoded": quote,
    "html-unescaped": unescape,
    "html-escaped": escape,
    "path-normalized": lambda text: normpath(text) if text else text,
    "number-without-zeros": lambda text: str(int(text)) if text.isdigit() else text,
    "number-without-exponent": lambda text: re.sub(r"^(\d)e(\d)$", lambda at: at[1] + "0" * int(at[2]), text),
    "number-without-plus": lambda text: re.sub(r"^\+(?=\d)", "", text),
    "null-for-the-word": lambda text: None if text == "null" else text,
    "true-as-python-has-it": lambda text: "True" if text == "true" else text,
    "empty-for-nan": lambda text: "" if text == "NaN" else text,
    "empty-as-bytes": lambda text: text or b"",  # type: ignore[dict-item, return-value]  # the fault
    "empty-as-blank": lambda text: text or " ",
    "empty-raises": refuse_if(lambda text: not text, TypeError),
}
"""Changes of a text."""


def through(change: Callable[[str], str | None]) -> Callable[[bytes], bytes]:
    """Return a change of text as one of its bytes, malformed ones left alone."""
    return lambda raw: (change(raw.decode(errors="surrogateescape")) or "").encode(errors="surrogateescape")


def is_malformed(raw: bytes) -> bool:
    return raw.decode(errors="replace").encode() != raw


def _utf_16(text: bytes) -> bytes:
    return text if b"\xff" in text else text.decode().encode("utf-16-be")


BYTES: dict[str, Callable[[bytes], bytes]] = {
    "high-bits-masked": lambda raw: bytes(byte & 0x7F for byte in raw),
    "through-text": lambda raw: raw.decode(errors="replace").encode(),
    "turned": reversed_bytes,
    "as-latin-1": lambda raw: raw.decode("latin-1").encode(),
    "as-utf-16": _utf_16,
    "malformed-refused": refuse_if(is_malformed),
    "malformed-dropped": lambda raw: raw.decode(errors="ignore").encode(),
    "first-8-cleared": lambda raw: bytes(min(8, len(raw))) + raw[8:],
    "line-behind": lambda raw: raw + b"\n",
    "zero-behind": lambda raw: raw + b"\0",
    "last-byte-lost": lambda raw: raw[:-1],
    "left-out-if-zeros": lambda raw: raw if any(raw) else b"",
    "zeros-refused": refuse_if(lambda raw: not any(raw)),
    "null-skipped-as-one-byte-back": lambda raw: raw[:2] + raw[1:] if raw.startswith(b"\xff\xff") else raw,
    "byte-lost-at-64-kib": lambda raw: raw[: 2**16] + b"\0" * (len(raw) > 2**16) + raw[2**16 + 1 :],
}
"""Changes of bytes."""
RAW = (
    *("blanks-at-the-start-stripped", "blanks-at-the-end-stripped", "tabs-and-lines-at-the-end-stripped"),
    *("cr-lf-as-lf:crlf-as-lf", "lf-as-cr-lf:lf-as-crlf", "cr-as-lf", "cut-at-nul", "nul-at-the-end-stripped"),
    *("nul-dropped", "nul-as-two-bytes", "cut-at-sub", "del-dropped", "quoted"),
)
OF_TEXTS = (
    *("mark-at-the-start-dropped", "as-latin-1", "composed", "decomposed", "beyond-the-basic-plane-replaced"),
    *("noncharacters-replaced", "all-blanks-stripped:stripped", "lines-split", "in-small-letters:lowered"),
)
OF_BYTES = ("high-bits-masked", "through-text", "turned")
"""The faulty changes of any content, of texts and of bytes."""
