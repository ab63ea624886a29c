r"""Reads the structs in the sources of a crate: names, fields, and the versions that comments give them.

>>> text = "pub struct Topic {\n    /// Supported API versions: 2-4\n    pub name: String,\n}\n"
>>> [struct] = structs(text)
>>> struct.name, struct.fields
('Topic', (SourceField(name='name', versions='2-4'),))
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

STRUCT = re.compile(r"^pub struct (\w+) \{(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^    pub (\w+): [^\n]+,$", re.MULTILINE)
VERSIONS = re.compile(r"/// Supported API versions: (\S+)")
TAG_FIELDS = ("unknown_tagged_fields", "_unknown_tagged_fields")
"""What the two crates call the unknown tagged fields of a struct."""


@dataclass(frozen=True)
class SourceField:
    """A field; `versions` as a comment has them, empty if none has."""

    name: str
    versions: str


@dataclass(frozen=True)
class SourceStruct:
    """A public struct. Its fields are those of the protocol; `tags` is the field of unknown tagged fields, or empty."""

    name: str
    fields: tuple[SourceField, ...]
    tags: str


def structs(text: str) -> Iterator[SourceStruct]:
    """Yield the public structs with named fields in a file, in order."""
    for declaration in STRUCT.finditer(text):
        fields = tuple(_fields(declaration[2]))
        tags = next((field.name for field in fields if field.name in TAG_FIELDS), "")
        yield SourceStruct(declaration[1], tuple(field for field in fields if field.name != tags), tags)


def _fields(body: str) -> Iterator[SourceField]:
    start = 0
    for field in FIELD.finditer(body):
        comments = VERSIONS.findall(body[start : field.start()])
        yield SourceField(field[1], comments[-1] if comments else "")
        start = field.end()
