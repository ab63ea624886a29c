r"""The generator of Rust for kafrust-protocol's dispatch.

The crate has a struct for a message in one version, as `HeartbeatRequestV3`, or an alias for a version equal to an
earlier one. A request has `encode`, which writes the header, too; a response has `decode_body`. A struct for several
versions, by an argument or a field, is left out. So is one with a field of a type without a form here.

>>> text = "pub struct PingRequestV1 {\n    pub client_id: Option<String>,\n    pub name: String,\n}\n"
>>> CrateSource.of(text).structs
{'PingRequestV1': (('client_id', 'Option<String>'), ('name', 'String'))}
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from conformance.adapters.harnesses.rust_generation import STRUCT, UnreadableCrateError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

TESTS = "#[cfg(test)]"
FIELD = re.compile(r"^    pub (\w+): ([^\n]+),$", re.MULTILINE)
ALIAS = re.compile(r"^pub type (\w+) = (\w+);$", re.MULTILINE)
METHODS = re.compile(r"^impl (\w+) \{\n(.*?)^\}$", re.MULTILINE | re.DOTALL)
ENCODE = re.compile(r"^    pub fn encode\(&self\) -> Result<Vec<u8>> \{$(.*?)^    \}$", re.MULTILINE | re.DOTALL)
DECODE = "pub fn decode_body(decoder: &mut Decoder<'_>) -> Result<Self>"
HEADER = re.compile(r"\.encode_v([12])\(&mut encoder\)")
ROOT = re.compile(r"(\w+(?:Request|Response))V(\d+)")
HEADER_SIZES = {"1": 10, "2": 11}
"""The bytes of a request's header without a client id, by its version."""
OTHERS = {
    ("correlation_id", "i32"): "0",
    ("client_id", "Option<String>"): "None",
    ("tagged_fields", "Vec<TaggedField>"): "Vec::new()",
}
"""Fields outside of the message: those of a request's header, and the unknown tagged fields kept by one response."""
FORMS = {"i8", "i16", "i32", "i64", "u16", "u8", "f64", "bool", "String", "[u8; 16]", "CoordinatorType", "TaggedField"}
PREFACE = """use super::{{read, request, response, Request}};
use crate::bridge::Entry;
use crate::structure;

pub const VERSION: &str = "{version}";
"""


@dataclass(frozen=True)
class CrateSource:
    """A file of the crate, with the names and types of its structs' fields, its requests and its responses."""

    structs: Mapping[str, tuple[tuple[str, str], ...]]
    aliases: Mapping[str, str]
    headers: Mapping[str, int]
    """By request: the size of the header that it writes."""
    responses: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Self:
        """Read the text of a file, without its tests."""
        text = text.replace("\r\n", "\n").partition(TESTS)[0]
        methods = {match[1]: match[2] for match in METHODS.finditer(text)}
        shared = ENCODE.sub("", text)
        headers = {
            name: _header(encode[1], shared) for name, body in methods.items() if (encode := ENCODE.search(body))
        }
        return cls(
            {
                match[1]: tuple((field[1], field[2]) for field in FIELD.finditer(match[2]))
                for match in STRUCT.finditer(text)
            },
            {match[1]: match[2] for match in ALIAS.finditer(text)},
            {name: size for name, size in headers.items() if size},
            frozenset(name for name, body in methods.items() if DECODE in body),
        )


def kafrust_protocol(sources: Path, version: str) -> str:
    """Return the dispatch of kafrust-protocol.

    Args:
        sources: the folder of the crate.
        version: of the crate.

    Raises:
        UnreadableCrateError: there is no message in it.
    """
    files = sorted((sources / "src" / "api").glob("*.rs"))
    modules = {file.stem: CrateSource.of(file.read_text(encoding="utf-8")) for file in files}
    held = _held(modules)
    forms = [line for name, source in modules.items() for line in _forms(name, source, held)]
    entries = [line for name, source in modules.items() for line in _entries(name, source, held)]
    if not entries:
        raise UnreadableCrateError("the sources of the crate have no messages where they are expected")
    listed = "".join(f"        {entry},\n" for entry in entries)
    body = f"pub fn entries() -> Vec<Entry> {{\n    vec![\n{listed}    ]\n}}\n"
    return PREFACE.format(version=version) + "\n" + "\n".join(forms) + "\n\n" + body


def _header(encode: str, shared: str) -> int:
    """Return the size of the header that a function writes, itself or by a shared function.

    It is 0 if the size is not clear.
    """
    written = set(HEADER.findall(encode) or HEADER.findall(shared))
    return HEADER_SIZES[written.pop()] if len(written) == 1 else 0


def _held(modules: Mapping[str, CrateSource]) -> frozenset[str]:
    """Return the names of all types whose values have a form.

    A struct has one if all its fields have one.
    """
    structs = {name: fields for source in modules.values() for name, fields in source.structs.items()}
    aliases = {name: of for source in modules.values() for name, of in source.aliases.items()}
    held = FORMS | structs.keys() | aliases.keys()
    while True:  # each type that is taken out may take others with it
        lacking = {name for name, fields in structs.items() if any(_inner(kind) not in held for _, kind in fields)}
        lacking |= {name for name, of in aliases.items() if of not in held}
        if not lacking & held:
            return frozenset(held)
        held = held - lacking


def _inner(kind: str) -> str:
    """Return the type inside `Option` and `Vec`."""
    wrapped = re.fullmatch(r"(?:Option|Vec)<(.*)>", kind)
    return _inner(wrapped[1]) if wrapped else kind


def _forms(module: str, source: CrateSource, held: frozenset[str]) -> Iterator[str]:
    for name in sorted(source.structs.keys() & held):
        fields = [each for each in source.structs[name] if each not in OTHERS]
        slots = " ".join(f'{index} {field} ""' for index, (field, _) in enumerate(fields))
        others = " ".join(f"{each[0]}: {OTHERS[each]}" for each in source.structs[name] if each in OTHERS)
        yield f"structure!({_path(module, name)}, {{{slots}}},, {{{others}}});"


def _entries(module: str, source: CrateSource, held: frozenset[str]) -> Iterator[str]:
    for name in sorted((source.structs.keys() | source.aliases.keys()) & held):
        root, own = ROOT.fullmatch(name), source.aliases.get(name, name)
        if root is None:
            continue
        path, arguments = _path(module, name), f'"{root[1]}", {root[2]}'
        if size := source.headers.get(own):
            value = f"value: <{path} as crate::bridge::Form>::blank(), write: {path}::encode, header: {size}"
            yield f"request::<{path}>({arguments}, || Box::new(Request {{ {value} }}))"
        if own in source.responses:
            yield f"response::<{path}>({arguments}, |wire, _| read(&wire, {path}::decode_body))"


def _path(module: str, name: str) -> str:
    return f"kafrust_protocol::api::{module}::{name}"
