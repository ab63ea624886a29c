"""The worked example of a rule: which of the rooms beside this one has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from conformance.catalogue.explain import around, values
from conformance.catalogue.explain.definitions import example_of_definitions
from conformance.catalogue.explain.example import Worked
from conformance.catalogue.explain.search import blamed, judged
from conformance.proposals.explain import PROPOSED
from reference.errors import REFUSAL_RULES

if TYPE_CHECKING:
    from conformance.catalogue.rules import Rule

Maker = Callable[[str], Worked | None]

MAKERS: dict[str, Maker] = {
    **dict.fromkeys(around.FRAMES, around.frame),
    **dict.fromkeys(around.PREFIXES, around.prefix),
    **dict.fromkeys(around.RECORDS, around.record),
    **dict.fromkeys(values.HELD, values.held),
    **dict.fromkeys(REFUSAL_RULES.values(), values.refusal),
    "codec.survival": values.deadly,
    "count.empty-elements": values.empty_elements,
    "ignorable.dropped": values.dropped,
    "string.too-long": judged,
    "tag.ascending": values.unsorted,
    "tag.explicit-default": values.explicit_default,
    "tag.unknown-kept": blamed,
    "varint.signed": around.signed_varint,
    **PROPOSED,
}
"""Whose examples are not found by a search through bytes, or not by that of their side."""

SEARCHES: dict[str, Maker] = {"encode": blamed, "decode": judged, "definition": example_of_definitions}


def worked_example(rule: Rule) -> Worked:
    """The example of a rule.

    Raises:
        LookupError: nothing that is tried departs from the rule.
    """
    found = MAKERS.get(rule.id, SEARCHES[rule.side])(rule.id)
    if found is None:
        raise LookupError(f"no example of {rule.id} was found")
    return found
