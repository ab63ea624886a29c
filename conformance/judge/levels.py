"""The level and the sentence of a broken rule, for the side that broke it.

A rule may demand something of writers and leave readers free, or the other way round.
"""

from __future__ import annotations

from conformance.definitions.catalogue import SURVIVAL, UNSPECIFIED, catalogue
from conformance.targets.outcome import FATAL

UNKNOWN_LEVEL = "must"
"""The level of a rule unknown to this version of the catalogue."""


def level_of(rule_id: str, side: str, outcome: str) -> str:
    """Return the level of a broken rule for that side.

    No input may end a process or hang it, whatever else a rule leaves open.
    """
    rule = catalogue().get(rule_id)
    level = rule.level_of(side) if rule else UNKNOWN_LEVEL
    return catalogue()[SURVIVAL].level if level == UNSPECIFIED and outcome in FATAL else level


def sentence_of(rule_id: str, side: str, outcome: str) -> str:
    """Return the broken demand on that side, or "" for a rule unknown to this version of the catalogue."""
    rule = catalogue().get(rule_id)
    if rule is not None and rule.level_of(side) == UNSPECIFIED and outcome in FATAL:
        rule = catalogue()[SURVIVAL]
    return rule.sentence(side) if rule else ""
