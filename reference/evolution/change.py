"""What a difference between two definitions of a message is, and what it means for those who speak it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from reference.inputs.toml_text import packaged_toml

if TYPE_CHECKING:
    from reference.definitions.model import VersionRange


class Effect(Enum):
    """The effect of a change on programs that were made from the old definition; the most severe first."""

    INCOMPATIBLE = "incompatible"
    """Bytes of a released version, or what they mean, are others now."""
    DROPPED = "dropped"
    """A version or a message is not spoken any more; what is left of it did not change."""
    UNSTABLE = "unstable"
    """What would be incompatible or dropped, in a version that the old release did not call stable yet."""
    REVIEW = "review"
    """Every byte is read as before; a person has to say if it means the same, or may do without what is withdrawn."""
    COMPATIBLE = "compatible"
    """No byte of a released version has changed its meaning."""

    @property
    def severity(self) -> int:
        """0 for incompatible, 4 for compatible."""
        return list(Effect).index(self)


_TABLE = packaged_toml("reference.evolution", "effects.toml")
EFFECTS = {rule: Effect(effect) for effect, rules in _TABLE.items() for rule in rules}
"""What a change has for an effect if it happens to a released version, by the rule that says so."""


class Divergence(NamedTuple):
    """A difference between two definitions of a message, without the versions that have it."""

    rule: str
    path: str
    """The names of the fields down to it, as `Topics.Partitions`; empty for the message itself."""
    what: str


@dataclass(frozen=True)
class Change:
    """One difference between an old and a new definition of a message."""

    message: str
    """Its name in the old release; in the new one, if the old one does not have it."""
    versions: VersionRange
    """The versions that have it; `none` if it is about the message as a whole."""
    path: str
    """The names of the fields down to it, as `Topics.Partitions`; empty for the message itself."""
    rule: str
    """The id of the rule that says what the effect is, as `evolution.type`."""
    effect: Effect
    what: str
    """What has changed, in one sentence without a full stop."""

    def __str__(self) -> str:
        """Two lines, in the form of an error about a definition."""
        versions = "" if self.versions.empty else f" v{self.versions}"
        path = f", {self.path}" if self.path else ""
        return f"{self.message}{versions}{path}: {self.what}\n  rule: {self.rule} ({self.effect.value})"
