"""The evolution of a definition, as changes and their effect on programs.

A change has the effect on two programs that exchange messages, one made from the old definition, one from the new.
"""

from reference.evolution.change import EFFECTS, Change, Divergence, Effect
from reference.evolution.release import DefinitionSet, changes, counterpart, release_changes

__all__ = ["EFFECTS", "Change", "DefinitionSet", "Divergence", "Effect", "changes", "counterpart", "release_changes"]
