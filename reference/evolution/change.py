"""A change between two definitions of a message, with its effect on programs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from reference.definitions.model import VersionRange


class Effect(Enum):
    """The effects of a change on programs made from the old definition, the most severe first."""

    INCOMPATIBLE = "incompatible"
    """The bytes of a released version or their meaning have changed."""
    DROPPED = "dropped"
    """A version or a message has been removed; the rest of it did not change."""
    UNSTABLE = "unstable"
    """A change that would be incompatible or dropped, in a version not yet stable in the old release."""
    REVIEW = "review"
    """Every byte is read as before. A person must decide if its meaning or a withdrawn promise matters."""
    COMPATIBLE = "compatible"
    """No byte of a released version has changed its meaning."""

    @property
    def severity(self) -> int:
        """The rank of the effect, from 0 for incompatible to 4 for compatible."""
        return list(Effect).index(self)


_TABLE = packaged_toml("reference.evolution", "effects.toml")
EFFECTS = {rule: Effect(effect) for effect, rules in _TABLE.items() for rule in rules}
"""The effect of a change of a released version, by its rule."""


class Divergence(NamedTuple):
    """A difference between two definitions of a message, without its versions."""

    rule: str
    path: str
    """The names of the fields down to it, as `Topics.Partitions`; empty for the message itself."""
    what: str


@dataclass(frozen=True)
class Change:
    """One difference between an old and a new definition of a message."""

    message: str
    """The name of the message in the old release; in the new one, if the old one does not have it."""
    versions: VersionRange
    """The versions with the change; `none` if it is about the message as a whole."""
    path: str
    """The names of the fields down to it, as `Topics.Partitions`; empty for the message itself."""
    rule: str
    """The id of the rule about the effect, as `evolution.type`."""
    effect: Effect
    what: str
    """The change, in one sentence without a full stop."""

    def __str__(self) -> str:
        """Return two lines, in the form of an error about a definition."""
        versions = "" if self.versions.empty else f" v{self.versions}"
        path = f", {self.path}" if self.path else ""
        return f"{self.message}{versions}{path}: {self.what}\n  rule: {self.rule} ({self.effect.value})"
