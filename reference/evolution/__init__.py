"""The evolution of a definition, as changes and their effect on programs of the old and of the new definition."""

from reference.evolution.change import EFFECTS, Change, Divergence, Effect
from reference.evolution.release import DefinitionSet, changes, counterpart, release_changes

__all__ = ["EFFECTS", "Change", "DefinitionSet", "Divergence", "Effect", "changes", "counterpart", "release_changes"]
