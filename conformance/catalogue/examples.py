"""The worked example of a rule: data of the catalogue, beside the rule (`specs/rules.toml`).

An example of bytes has the right ones and, where the rule can be broken, wrong ones; for a writer it may have a value
that is to be refused instead. An example of definitions has one that breaks the rule, or an old and a new one.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from reference import MessageSchema, Release, load_release, newest_release
from reference.definitions.model import RELEASED
from reference.protocols import loader_of
from reference.resolution import resolve

if TYPE_CHECKING:
    from collections.abc import Mapping

HEX = ("right", "wrong")
LITERALS = ("value", "same")


@dataclass(frozen=True)
class Example:
    """An example as the catalogue states it; what a rule's example does not need is empty or None."""

    dialect: str = RELEASED
    target: str = "body"
    """What the bytes are: a body, a frame, a prefixed message, a record, or a primitive."""
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
