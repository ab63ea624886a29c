r"""The generator of Rust for a crate's dispatch, with a `structure!` for each struct and the list of its messages.

Rust has no reflection, so the harness in `rust/` gets the names of fields from the sources of the crates, which are
uniform. The generated code is made at build time and never committed.

kafka-protocol has a module for each message, with one struct of its name for all of its versions. kafka_wire_protocol
has a module for each message, and in it one for each version, whose first struct is the message.

`structs` reads the structs in the sources of a crate, with their names, fields, and versions from comments.

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
    from pathlib import Path

HEADER = """use super::entry;
use crate::bridge::Entry;
use crate::structure;

pub const VERSION: &str = "{version}";
"""
VERSION_MODULE = re.compile(r"v(\d+)")
NAMES = {"DefaultPrincipal": "DefaultPrincipalData"}
"""The messages with other names in kafka_wire_protocol than in the definitions."""


class UnreadableCrateError(Exception):
    """The sources of a crate have a layout unknown to this generator."""


def kafka_protocol(sources: Path, version: str) -> str:
    """Return the dispatch of kafka-protocol.

    Args:
        sources: the folder of the crate.
        version: of the crate.

    Raises:
        UnreadableCrateError: there is no message in it.
    """
    modules: list[_Module] = []
    for file in sorted((sources / "src" / "messages").glob("*.rs")):
        found = list(structs(file.read_text(encoding="utf-8")))
        path = f"kafka_protocol::messages::{file.stem}"
        roots = [struct.name for struct in found if struct.name.lower() == file.stem.replace("_", "")]
        modules.extend(_Module(path, found, f'entry::<{path}::{root}>("{root}")') for root in roots)
    return _dispatch(modules, version)


def kafka_wire_protocol(sources: Path, version: str) -> str:
    """Return the dispatch of kafka_wire_protocol.

    Arguments and errors are those of `kafka_protocol`.
    """
    modules: list[_Module] = []
    for file in sorted((sources / "src" / "schema").glob("*/v*.rs")):
        number = VERSION_MODULE.fullmatch(file.stem)
        found = list(structs(file.read_text(encoding="utf-8")))
        if number is not None and found:
            path, root = f"kafka_wire_protocol::schema::{file.parent.name}::{file.stem}", found[0].name
            modules.append(_Module(path, found, f'entry::<{path}::{root}>("{NAMES.get(root, root)}", {number[1]})'))
    return _dispatch(modules, version)


@dataclass(frozen=True)
class _Module:
    """A module of a crate, with its path, its structs, and the entry of the message among them."""

    path: str
    structs: list[SourceStruct]
    entry: str


def _dispatch(modules: list[_Module], version: str) -> str:
    if not modules:
        raise UnreadableCrateError("the sources of the crate have no messages where they are expected")
    forms = "\n".join(line for module in modules for line in _forms(module))
    entries = "".join(f"        {module.entry},\n" for module in modules)
    listed = f"pub fn entries() -> Vec<Entry> {{\n    vec![\n{entries}    ]\n}}\n"
    return f"{HEADER.format(version=version)}\n{forms}\n\n{listed}"


def _forms(module: _Module) -> Iterator[str]:
    for struct in module.structs:
        slots = " ".join(f'{index} {field.name} "{field.versions}"' for index, field in enumerate(struct.fields))
        yield f"structure!({module.path}::{struct.name}, {{{slots}}}, {struct.tags});"


STRUCT = re.compile(r"^pub struct (\w+) \{(.*?)^\}", re.MULTILINE | re.DOTALL)
FIELD = re.compile(r"^    pub (\w+): [^\n]+,$", re.MULTILINE)
VERSIONS = re.compile(r"/// Supported API versions: (\S+)")
TAG_FIELDS = ("unknown_tagged_fields", "_unknown_tagged_fields")
"""The field of unknown tagged fields in a struct of either crate."""


@dataclass(frozen=True)
class SourceField:
    """A field, with the versions from its comment or an empty text."""

    name: str
    versions: str


@dataclass(frozen=True)
class SourceStruct:
    """A public struct with the fields of the protocol.

    `tags` is the field of unknown tagged fields, or empty.
    """

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
