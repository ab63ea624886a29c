"""The rule catalogue for the suite, from `specs/rules.toml` and a `rules.toml` for each proposal."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from reference import MessageSchema, Release, load_release, newest_release
from reference.definitions.model import RELEASED
from reference.inputs.toml_text import parse_toml
from reference.proposals import PROPOSALS
from reference.protocols import loader_of
from reference.release import PROPOSED
from reference.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable


HEX = ("right", "wrong")
LITERALS = ("value", "same")

SURVIVAL = "codec.survival"
"""The rule for an end of the process not explained by any single other rule."""


@dataclass(frozen=True)
class Example:
    """An example of the catalogue, with empty attributes or None where the rule's example needs none."""

    dialect: str = RELEASED
    target: str = "body"
    """The kind of the bytes, as a body, a frame, a prefixed message, a record, a primitive, or a field of batches."""
    message: str = ""
    """The name of the message; for a primitive the name of the wire type."""
    version: int = 0
    right: bytes | None = None
    wrong: bytes | None = None
    difference: str = ""
    """The difference of the wrong bytes or the refused value from the right bytes."""
    value: dict[str, Any] | None = None
    """A value refused by a writer."""
    same: dict[str, Any] | None = None
    """Another value with the right bytes."""
    note: str = ""
    """A fact not visible in the bytes alone."""
    definition: str = ""
    """The JSON text of a definition: the broken one, or the message's if no release has it."""
    place: str = ""
    """The broken place of the definition, in the form of errors."""
    release: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Texts of definitions, by module, of which only the combination breaks the rule."""
    old: str = ""
    new: str = ""

    def schema(self) -> MessageSchema:
        """Return the schema of the example's message."""
        if self.message:
            return self.definitions().schema(self.message, self.version)
        return resolve(loader_of(self.dialect).parse(self.definition, "Sample.json"), self.version)

    def definitions(self) -> Release:
        """Return the release of the message, the newest one, or the proposal of the dialect."""
        return load_release(newest_release() if self.dialect == RELEASED else self.dialect)


def example_from(entry: Mapping[str, Any], dialect: str) -> Example:
    """Return the example of an entry of the catalogue, which has bytes in hex and values as Python literals."""
    facts = {"dialect": dialect, **entry}
    facts |= {name: bytes.fromhex(facts[name]) for name in HEX if name in facts}
    facts |= {name: ast.literal_eval(facts[name]) for name in LITERALS if name in facts}
    return Example(**facts)


CATALOGUE = "rules.toml"

UNSPECIFIED = "unspecified"
LEVELS = ("must", "should", UNSPECIFIED)
"""From the most severe to the least."""

ENCODE, DECODE = "encode", "decode"
SIDES = (ENCODE, DECODE, "definition", "connection")

CWE_SITE = "https://cwe.mitre.org/"
"""The site of the list of kinds of weaknesses shared by scanners and advisories."""


class Weakness(NamedTuple):
    """A weakness by its number in the CWE and its official name."""

    number: int
    name: str

    @property
    def label(self) -> str:
        """The number in the form for texts, like `CWE-789`."""
        return f"CWE-{self.number}"

    @property
    def address(self) -> str:
        """The address of its page at MITRE."""
        return f"{CWE_SITE}data/definitions/{self.number}.html"


@dataclass(frozen=True)
class Rule:
    """One rule of the catalogue."""

    id: str
    level: str
    side: str
    text: str
    sources: tuple[str, ...]
    weaknesses: tuple[Weakness, ...] = ()
    """The weaknesses of a reader or a server with a violation of it on hostile bytes."""
    reader: str = ""
    """The demand on a reader, if the text is about a writer; `writer` is the other way round."""
    writer: str = ""
    reader_level: str = ""
    """The level for readers, if it is another one than that of the text; `writer_level` is that for writers."""
    writer_level: str = ""
    dialect: str = RELEASED
    """The protocol of the rule: the released one, or that of a proposal."""
    consequence: bool = False
    """Whether a violation of this rule often follows from another one, which is then blamed first."""
    foundation: str = ""
    """Its basis, if no statement is about it."""
    part: str = ""
    """The only part of the suite with a test of it, if there is just one."""
    counterpart: str = ""
    """The rule broken by a writer of bytes which this rule lets a reader accept."""
    effect: str = ""
    """The damage done by a codec with a wrong verdict on bytes with this rule broken."""
    flag: str = ""
    """The flag of vectors with this rule broken; empty if there are none."""
    example: Example = field(default=Example(), compare=False, repr=False)

    @property
    def severity(self) -> int:
        """The severity of its level, 0 for must, 1 for should, 2 for unspecified."""
        return LEVELS.index(self.level)

    @property
    def is_open(self) -> bool:
        """Whether it demands nothing of any side."""
        return {self.level, self.level_of(ENCODE), self.level_of(DECODE)} == {UNSPECIFIED}

    def level_of(self, side: str) -> str:
        """Return the level of the demand on a writer (`encode`) or on a reader (`decode`)."""
        return (self.writer_level if side == ENCODE else self.reader_level) or self.level

    @property
    def cwe(self) -> tuple[int, ...]:
        """The numbers of its weaknesses."""
        return tuple(weakness.number for weakness in self.weaknesses)

    def sentence(self, side: str) -> str:
        """Return the demand on a writer (`encode`) or on a reader (`decode`)."""
        return (self.writer if side == ENCODE else self.reader) or self.text


def family_of(rule: str) -> str:
    """Return the family of a rule by its id, like `null` for `null.not-written`."""
    return rule.partition(".")[0]


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Rule]:
    """Return every rule by id, in the order of the files, those of the released protocol first."""
    specs = files("specs")
    folders = {RELEASED: specs, **{dialect: specs / PROPOSED / dialect for dialect in PROPOSALS}}
    tables = {dialect: _table(folder / CATALOGUE) for dialect, folder in folders.items()}
    names = tables[RELEASED]["weaknesses"]
    rules = [_rule(entry, dialect, names) for dialect, table in tables.items() for entry in table["rule"]]
    return MappingProxyType({rule.id: rule for rule in rules})


def rules_of(dialect: str = RELEASED) -> Mapping[str, Rule]:
    """Return the rules of one protocol by id, in the order of the file."""
    return MappingProxyType({rule.id: rule for rule in catalogue().values() if rule.dialect == dialect})


def _table(file: Traversable) -> dict[str, Any]:
    return parse_toml(file.read_bytes(), file.name)


def _rule(entry: dict[str, Any], dialect: str, names: Mapping[str, str]) -> Rule:
    weaknesses = tuple(Weakness(number, names[str(number)]) for number in entry.pop("cwe", ()))
    if "effect" in entry:
        entry.setdefault("flag", "".join(word.capitalize() for word in re.split("[.-]", entry["id"])))
    example = example_from(entry.pop("example"), dialect)
    sources = tuple(entry.pop("sources"))
    return Rule(**entry, sources=sources, weaknesses=weaknesses, dialect=dialect, example=example)
