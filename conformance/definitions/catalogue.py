"""The rule catalogue, as the suite reads it: `specs/rules.toml`, and a `rules.toml` for each proposal."""

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
"""The rule of an end of the process that no single other rule explains."""


@dataclass(frozen=True)
class Example:
    """An example as the catalogue states it; what a rule's example does not need is empty or None."""

    dialect: str = RELEASED
    target: str = "body"
    """What the bytes are: a body, a frame, a prefixed message, a record, a primitive, or a field of record batches."""
    message: str = ""
    """Its name; of a primitive the name of the wire type."""
    version: int = 0
    right: bytes | None = None
    wrong: bytes | None = None
    difference: str = ""
    """How the wrong bytes or the refused value differ from the right bytes."""
    value: dict[str, Any] | None = None
    """A value that a writer refuses."""
    same: dict[str, Any] | None = None
    """Another value that has the right bytes."""
    note: str = ""
    """What the bytes alone do not show."""
    definition: str = ""
    """The JSON text of a definition: the broken one, or that of the message if no release has it."""
    place: str = ""
    """Where the definition is broken, as errors say it."""
    release: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Texts of definitions that break the rule together, by module."""
    old: str = ""
    new: str = ""

    def schema(self) -> MessageSchema:
        """Return the schema of the example's message."""
        if self.message:
            return self.definitions().schema(self.message, self.version)
        return resolve(loader_of(self.dialect).parse(self.definition, "Sample.json"), self.version)

    def definitions(self) -> Release:
        """Return the release that the message is taken from: the newest, or the proposal of the dialect."""
        return load_release(newest_release() if self.dialect == RELEASED else self.dialect)


def example_from(entry: Mapping[str, Any], dialect: str) -> Example:
    """Return the example of an entry of the catalogue: bytes are in hex, values are Python literals."""
    facts = {"dialect": dialect, **entry}
    facts |= {name: bytes.fromhex(facts[name]) for name in HEX if name in facts}
    facts |= {name: ast.literal_eval(facts[name]) for name in LITERALS if name in facts}
    return Example(**facts)


CATALOGUE = "rules.toml"

LEVELS = ("must", "should", "unspecified")
"""From the most severe to the least."""

ENCODE, DECODE = "encode", "decode"
SIDES = (ENCODE, DECODE, "definition", "connection")

CWE_SITE = "https://cwe.mitre.org/"
"""Of the list of kinds of weaknesses that scanners and advisories share."""


class Weakness(NamedTuple):
    """A weakness by its number in the CWE and its official name."""

    number: int
    name: str

    @property
    def label(self) -> str:
        """The number as texts cite it: `CWE-789`."""
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
    """The weaknesses that a reader or a server shows by breaking it on hostile bytes."""
    reader: str = ""
    """What it asks of a reader, where the text speaks of a writer; and the other way round."""
    writer: str = ""
    dialect: str = RELEASED
    """The protocol that the rule belongs to: the released one, or that of a proposal."""
    consequence: bool = False
    """A violation of this rule often follows from another one, which is then blamed first."""
    foundation: str = ""
    """What it rests on, if no statement is about it."""
    part: str = ""
    """The part of the suite that alone tries it, if there is one."""
    counterpart: str = ""
    """The rule that a writer breaks whose bytes a reader may accept by this one."""
    effect: str = ""
    """What goes wrong with a codec that misjudges bytes which break it."""
    flag: str = ""
    """The flag of vectors whose bytes break it; empty if there are none."""
    example: Example = field(default=Example(), compare=False, repr=False)

    @property
    def severity(self) -> int:
        """0 for must, 1 for should, 2 for unspecified."""
        return LEVELS.index(self.level)

    @property
    def cwe(self) -> tuple[int, ...]:
        """The numbers of its weaknesses."""
        return tuple(weakness.number for weakness in self.weaknesses)

    def sentence(self, side: str) -> str:
        """Return what it asks of a writer (`encode`) or of a reader (`decode`)."""
        return (self.writer if side == ENCODE else self.reader) or self.text


@lru_cache(maxsize=1)
def catalogue() -> Mapping[str, Rule]:
    """Return every rule, by id, in the order of the files: those of the released protocol first."""
    specs = files("specs")
    folders = {RELEASED: specs, **{dialect: specs / PROPOSED / dialect for dialect in PROPOSALS}}
    tables = {dialect: _table(folder / CATALOGUE) for dialect, folder in folders.items()}
    names = tables[RELEASED]["weaknesses"]
    rules = [_rule(entry, dialect, names) for dialect, table in tables.items() for entry in table["rule"]]
    return MappingProxyType({rule.id: rule for rule in rules})


def rules_of(dialect: str = RELEASED) -> Mapping[str, Rule]:
    """Return the rules of one protocol, by id, in the order of the file."""
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
