"""The origin of a case, from which the name for people is made.

    >>> CaseOrigin("null-alone", path="Topics[0].Name", base="populated").name
    'populated/Topics[0].Name=null-alone'
    >>> origin_of("populated/Topics[0].Name=null-alone").way
    'null-alone'

Programs ask the members. A case in a file has a name only, so `origin_of` reads it again, as no other code does.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

MUTATED = "mutated"
"""The way of bytes changed anywhere."""
MISTAKEN = "~"
"""The sign before a number of records taken for another one."""


class CasePart(StrEnum):
    """A changed part that is no field of a message.

    Of two that begin alike the longer one comes first, as `origin_of` tries them in this order.
    """

    CLIENT_ID = "client-id"
    CORRELATION_ID = "correlation-id"
    HEADER_TAG = "header-tag"
    HEADER_FIELD = "header-field"
    HEADER = "header"
    SIZE_CUT = "cut-in-size"
    SIZE = "size"
    SECTION = "section"
    BODY = "body"
    STREAM = "stream"
    """The compressed stream of a batch or message."""
    INSIDE = "inside"
    """The content of the stream."""
    CODEC = "codec"
    CHECKSUM = "crc"
    CUT = "cut"
    ZEROS = "zeros"
    TWICE = "twice"


AFTER, LIMIT = "after", "limit"
"""The parts before the rule of a state leak, and before the kind of size of a limit."""

_PATHS = r"[^=]*(?==)|batches\[[\w.\[\]]*"
_FORMS = (
    re.compile(rf"(?P<path>{AFTER})(?P<sign> )(?P<way>.+)"),
    re.compile(rf"(?P<path>{LIMIT})(?P<sign>-)(?P<way>[a-z-]+?)(?:-(?P<place>\d+))?"),
    re.compile(rf"(?P<way>{MUTATED}|first|unknown-tag)-(?P<place>\d+(?:-bytes)?)"),
    re.compile(rf"(?P<path>{_PATHS}|{'|'.join(CasePart)})(?:(?P<sign>[=^+~-])(?P<way>.*))?"),
    re.compile("(?P<way>.*)", re.DOTALL),
)
"""The forms of the last part of a name; the last one matches any."""
_NUMBER = re.compile(r"-?\d+")
_BEFORE_NUMBERS = re.compile(r"\D*")
_SIZE = re.compile(r"\d+")


class CaseOrigin(NamedTuple):
    """The change that made a case, and what it changed."""

    way: str = ""
    """The change, like `null`, `elements-2`, `length-highest`; empty for an unchanged base."""
    path: str = ""
    """The changed field, or another changed part, if the name has it."""
    base: str = ""
    """The name of the changed valid bytes; empty for a value, and for bytes that stand for themselves."""
    place: str = ""
    """The number of the changed span, or where a section, a cut or a mutation is."""
    rule: str = ""
    """The rule of the changed span, if the change is one of those for this rule."""
    sign: str = "="
    """The sign between path and way: `^` for flipped bits, `+` for further bytes, `-` for a word, or `MISTAKEN`."""

    @classmethod
    def of_part(cls, part: CasePart, way: str) -> CaseOrigin:
        """Return the origin of a change in a part, with the way in words."""
        return cls(way, part, sign="-")

    @property
    def name(self) -> str:
        """The name of the case, unique among those of its message and kind."""
        change = f"{self.path}{self.sign}{self.way}" if self.path and self.way else self.path or self.way
        if not self.base:
            return f"{change}-{self.place}" if self.place else change
        return "/".join(part for part in (self.base, self.place, change) if part)

    @property
    def is_changed_base(self) -> bool:
        """Whether valid bytes were changed."""
        return bool(self.base and (self.path or self.way))

    @property
    def tampering(self) -> str:
        """The rule of the changed span and the change, the same wherever the span lies; empty without a rule."""
        return f"{self.rule}/{self.way}" if self.rule else ""

    @property
    def number(self) -> int | None:
        """The number written in place of another one, or None for another change."""
        is_number = bool(self.path) and self.sign == "=" and _NUMBER.fullmatch(self.way)
        return int(self.way) if is_number else None

    @property
    def kind(self) -> str:
        """The change up to its first number, for cases that differ in a number alone."""
        return _BEFORE_NUMBERS.match(self.way)[0]  # type: ignore[index]  # it matches any text

    @property
    def size(self) -> int | None:
        """The first number in the change, of a length, a count or a tag, or None without any."""
        found = _SIZE.search(self.way)
        return None if found is None else int(found[0])


class ChangedBytes(NamedTuple):
    """Bytes of a message with a change, and its origin."""

    origin: CaseOrigin
    path: str
    """The changed field."""
    wire: bytes
    rule: str = ""
    """The rule broken by the bytes, whatever follows them; empty if the oracle has to decide about the result."""

    @property
    def name(self) -> str:
        """The name of the case, like `populated/12/length-null`, `Topics[0].Name=null` or `first-12-bytes`."""
        return self.origin.name


@lru_cache(maxsize=4096)
def origin_of(name: str) -> CaseOrigin:
    """Return the origin of a case from a file, as far as its name says."""
    *bases, rest = name.split("/", 1)
    *places, change = rest.rsplit("/", 1)
    found = next(match for form in _FORMS if (match := form.fullmatch(change)))
    parts = {part: text for part, text in found.groupdict().items() if text is not None}
    return CaseOrigin(**{"base": "".join(bases), "place": "".join(places)} | parts)
