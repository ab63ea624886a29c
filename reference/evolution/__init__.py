"""The life of a definition: what changed from one to the next, and whether programs made from either still agree."""

from reference.evolution.change import EFFECTS, Change, Divergence, Effect
from reference.evolution.release import DefinitionSet, changes, counterpart, release_changes

__all__ = ["EFFECTS", "Change", "DefinitionSet", "Divergence", "Effect", "changes", "counterpart", "release_changes"]
